import { html } from '../../../platform/html.ts';
import type { ViewDocument } from '../../../platform/http/view-document.ts';
import type { Dsar } from '../context.ts';
import type { Case } from '../store.ts';
import {
  deadlineFact,
  factBox,
  formLink,
  referenceCode,
  statusLink,
  textPage,
  type View,
} from './view.ts';

/** The page that an emailed link opens. Only its button uses the link. */
export function linkPage(
  view: View,
  purpose: 'confirm' | 'download' | 'withdraw',
  token: string,
): ViewDocument {
  const { title, text, button } = view.texts[purpose];
  return textPage(
    view,
    title,
    text,
    html`<form method="post" action="${purpose}">
<input type="hidden" name="lang" value="${view.language}">
<input type="hidden" name="token" value="${token}">
<button>${button}</button>
</form>
${purpose === 'download' && html`<p class="note after">${view.texts.download.keep}</p>`}`,
  );
}

/**
 * @param text why the link does not work
 * @param writeTo an address of the controller that receives email, or empty
 */
export function invalidLinkPage(view: View, text: string, writeTo: string): ViewDocument {
  const { title, contact } = view.texts.over;
  const more = html`<p>${contact(writeTo)}</p>
<p>${statusLink(view)}</p>`;
  return textPage(view, title, text, more);
}

export function confirmedPage(
  view: View,
  { reference, status, deadline, pausedOn }: Case,
  { formatDay, platform }: Pick<Dsar, 'formatDay' | 'platform'>,
): ViewDocument {
  const { confirm, sent } = view.texts;
  const facts = factBox([
    [sent.reference, referenceCode(reference)],
    ...(pausedOn === null ? [deadlineFact(view, deadline, formatDay(platform.clock.now()))] : []),
  ]);
  const more = html`${facts}
<p class="after">${statusLink(view)}</p>`;
  const text = status === 'on_hold' ? confirm.doneOnHold : confirm.doneText;
  return textPage(view, confirm.done, text, more);
}

export function withdrawnPage(view: View, { reference }: Case): ViewDocument {
  const { withdraw, sent } = view.texts;
  const more = html`${factBox([[sent.reference, referenceCode(reference)]])}
<p class="after">${formLink(view)}</p>`;
  return textPage(view, withdraw.done, withdraw.doneText, more);
}
