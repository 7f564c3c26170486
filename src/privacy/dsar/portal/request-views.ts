import { formatDay } from '../../../platform/clock.ts';
import { html } from '../../../platform/html.ts';
import type { ViewDocument } from '../../../platform/http/view-document.ts';
import { isOverdue } from '../rules.ts';
import type { Case } from '../store.ts';
import {
  errorSummary,
  type FormContext,
  type FormErrors,
  requestForm,
  type Typed,
} from './form.ts';
import {
  dayElement,
  declarationLink,
  factBox,
  referenceCode,
  statusLink,
  textPage,
  toPage,
  type View,
} from './view.ts';

export function formPage(
  view: View,
  typed: Typed,
  context: FormContext,
  errors: FormErrors = {},
): ViewDocument {
  const { texts, organisation } = view;
  const hasErrors = Object.keys(errors).length > 0;
  const main = html`<h1>${texts.form.title}</h1>
<p class="lead">${texts.form.lead(organisation)}</p>
${hasErrors ? errorSummary(errors, texts.errors.title) : html`<p class="aside">${statusLink(view)}<br>${declarationLink(view)}</p>`}
${requestForm(view, typed, context, errors)}`;
  return toPage(view, hasErrors ? texts.errors.title : texts.form.title, main);
}

/**
 * Shown while the form is switched off.
 * @param writeTo an address of the controller that receives email, or empty
 */
export function closedPage(view: View, writeTo: string): ViewDocument {
  const { title, text, write } = view.texts.closed;
  const lead = html`${text} ${writeTo && write(writeTo)}`;
  return textPage(view, title, lead, html`<p>${statusLink(view)}<br>${declarationLink(view)}</p>`);
}

/**
 * After a request was sent. The page can be opened again later, when its deadline can have been extended or kept: only
 * the status, which asks for the email address, says more then.
 * @param today a day of the site
 */
export function sentPage(
  view: View,
  { reference, deadline, isStarted }: Pick<Case, 'reference' | 'deadline'> & { isStarted: boolean },
  today: string,
): ViewDocument {
  const { sent } = view.texts;
  const isOver = isOverdue({ deadline, today });
  const facts = factBox([
    [sent.reference, referenceCode(reference)],
    ...(isOver ? [] : [[sent.deadline, dayElement(view.language, deadline)] as const]),
  ]);
  const steps = sent.steps(formatDay(view.language, deadline), isStarted);
  const next = html`<h2>${sent.next}</h2>
<ol class="steps">${steps.map((step) => html`<li>${step}</li>`)}</ol>`;
  const more = html`${facts}
<p class="note">${sent.copyHint}</p>
${!isOver && next}
<p>${statusLink(view)}</p>`;
  return textPage(view, sent.title, sent.lead, more);
}
