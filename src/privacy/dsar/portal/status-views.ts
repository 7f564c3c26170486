import { type Html, html } from '../../../platform/html.ts';
import type { ViewDocument } from '../../../platform/http/view-document.ts';
import type { Dsar } from '../context.ts';
import { formatPause } from '../messages/pause-texts.ts';
import { asksRequester } from '../rules.ts';
import type { Case } from '../store.ts';
import { errorSummary, textField } from './form.ts';
import {
  dayElement,
  deadlineFact,
  factBox,
  referenceCode,
  statusLink,
  textPage,
  toPage,
  type View,
} from './view.ts';

export function statusForm(
  view: View,
  typed: { reference: string; email: string },
  error?: string,
): ViewDocument {
  const { status, errors } = view.texts;
  return toPage(
    view,
    error ? errors.title : status.title,
    html`<h1>${status.title}</h1>
${error ? errorSummary({ form: error }, errors.title) : html`<p class="lead">${status.lead}</p>`}
<form method="post" action="status" novalidate accept-charset="utf-8">
<input type="hidden" name="lang" value="${view.language}">
${textField({
  name: 'reference',
  label: status.reference,
  hint: status.referenceHint,
  value: typed.reference,
  attributes: html`type="text" autocomplete="off" autocapitalize="characters" spellcheck="false" aria-required="true"`,
})}
${textField({
  name: 'email',
  label: status.email,
  hint: status.emailHint,
  value: typed.email,
  attributes: html`type="email" autocomplete="email" spellcheck="false" aria-required="true"`,
})}
<button>${status.show}</button>
</form>`,
  );
}

export function statusPage(
  view: View,
  dsarCase: Case,
  { formatDay, platform }: Pick<Dsar, 'formatDay' | 'platform'>,
  isExpired: boolean,
): ViewDocument {
  const { texts, language } = view;
  const { status, form } = texts;
  const today = formatDay(platform.clock.now());
  const { closedAt, pausedOn, reference } = dsarCase;
  const { label, text } = isExpired ? status.expired : status.states[dsarCase.status];
  const meaning = dsarCase.status === 'on_hold' ? describePause(view, dsarCase, today) : text;
  const isUnconfirmed = dsarCase.status === 'received' && dsarCase.verifiedAt === null;
  const facts: [string, Html | string][] = [
    [status.state, label],
    [status.reference, referenceCode(reference)],
    [status.request, form.types[dsarCase.requestType].label],
    [status.submitted, dayElement(language, dsarCase.receivedOn)],
  ];
  if (closedAt !== null) facts.push([status.completed, dayElement(language, formatDay(closedAt))]);
  else if (pausedOn === null) facts.push(deadlineFact(view, dsarCase.deadline, today));
  return toPage(
    view,
    `${label}: ${reference}`,
    html`<h1>${status.found}</h1>
${factBox(facts)}
<p class="after">${meaning} ${isUnconfirmed && status.unconfirmed}</p>
<p><a href="status?lang=${language}">${status.another}</a></p>
${closedAt === null && withdrawForm(view, dsarCase)}`,
  );
}

/** The text of the email about the pause. */
function describePause({ texts, language }: View, dsarCase: Case, today: string): string {
  const meaning = formatPause(language, dsarCase, today);
  return asksRequester(dsarCase.ground)
    ? `${meaning} ${texts.status.states.on_hold.text}`
    : meaning;
}

/** Only sends the link that withdraws the request. */
function withdrawForm({ texts, language }: View, { reference, email }: Case): Html {
  return html`<form class="after" method="post" action="withdraw-link">
<input type="hidden" name="lang" value="${language}">
<input type="hidden" name="reference" value="${reference}">
<input type="hidden" name="email" value="${email ?? ''}">
<p class="note" id="withdraw-hint">${texts.status.withdrawHint}</p>
<button class="quiet" aria-describedby="withdraw-hint">${texts.status.withdraw}</button>
</form>`;
}

export function withdrawalSentPage(view: View): ViewDocument {
  const { sent, sentText } = view.texts.withdraw;
  return textPage(view, sent, sentText, html`<p>${statusLink(view)}</p>`);
}
