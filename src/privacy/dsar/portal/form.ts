import { readEmail } from '../../../platform/email-address.ts';
import { type Html, html } from '../../../platform/html.ts';
import type { Visitor } from '../intake/visitor.ts';
import { getRightsLaw, REQUEST_TYPES, type RequestType } from '../rules.ts';
import type { PageTexts } from './en.ts';
import { type Notice, noticeSection } from './notice.ts';
import type { View } from './view.ts';

/** A hidden field that bots fill in, like the header `X-PV-HP-Check` of the API. */
export const HONEYPOT_FIELD = 'pv_hp_check';
/** The token of a visitor id, in the URL of the form and in the form. */
export const VISITOR_FIELD = 'visitor';
const LIMITS = { first_name: 100, last_name: 100, additional_info: 5_000 } as const;

const FIELDS = ['request_type', 'first_name', 'last_name', 'email', 'additional_info'] as const;
type Field = (typeof FIELDS)[number];
export type Typed = Record<Field, string>;
export interface FormContext {
  /** The visitor id that the request would have, and the token in the form. */
  visitor: Visitor & { token: string };
  notice: Notice;
}
/** Error messages by field; `form` is for the whole form. */
export type FormErrors = Partial<Record<Field | 'form', string>>;

export const readTyped = (read: (name: string) => string): Typed =>
  Object.fromEntries(FIELDS.map((name) => [name, read(name)])) as Typed;

export function readRequest(
  typed: Typed,
  { errors: texts }: PageTexts,
): { errors: FormErrors } | { requestType: RequestType; email: string } {
  const errors: FormErrors = {};
  const requestType = REQUEST_TYPES.find((type) => type === typed.request_type);
  const email = readEmail(typed.email);
  if (!requestType) errors.request_type = texts.type;
  for (const [name, limit] of Object.entries(LIMITS) as [keyof typeof LIMITS, number][]) {
    if (typed[name].length > limit) errors[name] = texts.tooLong(limit);
  }
  if (email === undefined) errors.email = texts.email;
  return requestType && email !== undefined && Object.keys(errors).length === 0
    ? { requestType, email }
    : { errors };
}

/** The errors above a form, with the focus. */
export function errorSummary(errors: Partial<Record<string, string>>, title: string): Html {
  const { form, ...fields } = errors;
  const links = Object.entries(fields).map(
    ([name, text]) =>
      html`<li><a href="#${name === 'request_type' ? 'type-access' : name}">${text}</a></li>`,
  );
  return html`<div class="summary" role="alert" tabindex="-1" autofocus>
<h2>${title}</h2>
${form && html`<p>${form}</p>`}${links.length > 0 && html`<ul>${links}</ul>`}
</div>`;
}

interface TextField {
  name: string;
  label: string;
  value: string;
  hint?: string;
  optional?: string;
  error?: string | undefined;
  /**
   * Further attributes of the control, for example its autocomplete. `aria-required` and not `required`, with which Firefox
   * tells screen readers that an empty field is invalid before anything was entered.
   */
  attributes?: Html;
  multiline?: true;
}

/** A field whose hint and error are read out with its label. */
export function textField(about: TextField): Html {
  const { name, label, value, hint, optional, error, attributes, multiline } = about;
  const described = [hint && `${name}-hint`, error && `${name}-wrong`].filter(Boolean).join(' ');
  const common = html`id="${name}" name="${name}"${described && html` aria-describedby="${described}"`}${error && html` aria-invalid="true"`} ${attributes}`;
  return html`<div class="field">
<label for="${name}">${label}${optional && html` <span class="optional">${optional}</span>`}</label>
${hint && html`<span class="hint" id="${name}-hint">${hint}</span>`}
${error && html`<span class="wrong" id="${name}-wrong">${error}</span>`}
${
  multiline
    ? html`<textarea ${common} rows="5">
${value}</textarea>`
    : html`<input ${common} value="${value}">`
}
</div>`;
}

export function requestForm(
  { texts, language }: View,
  typed: Typed,
  { visitor, notice }: FormContext,
  errors: FormErrors = {},
): Html {
  const { form } = texts;
  const choices = REQUEST_TYPES.map((type) => {
    const { label, hint: hints } = form.types[type];
    const hint = typeof hints === 'string' ? hints : hints[getRightsLaw(notice.regime)];
    return html`<div class="choice">
<input type="radio" id="type-${type}" name="request_type" value="${type}" aria-describedby="type-${type}-hint"${typed.request_type === type && html` checked`}>
<label for="type-${type}">${label}</label>
<span class="hint" id="type-${type}-hint">${hint}</span>
</div>`;
  });
  const note =
    (visitor.visitorId !== null && form.visitor) ||
    (visitor.visitorClaim !== null && form.claimedVisitor);
  const typeError = errors.request_type;
  const nameField = (name: 'first_name' | 'last_name', label: string, autocomplete: string) =>
    textField({
      name,
      label,
      optional: form.optional,
      value: typed[name],
      error: errors[name],
      attributes: html`type="text" autocomplete="${autocomplete}" maxlength="${LIMITS[name]}"`,
    });
  return html`<form method="post" action="request" novalidate accept-charset="utf-8">
<input type="hidden" name="lang" value="${language}">
${visitor.token && html`<input type="hidden" name="${VISITOR_FIELD}" value="${visitor.token}">`}
<fieldset${typeError && html` aria-describedby="request_type-wrong"`}>
<legend class="large">${form.what}</legend>
${typeError && html`<span class="wrong" id="request_type-wrong">${typeError}</span>`}
${choices}
</fieldset>
<fieldset>
<legend class="large">${form.about}</legend>
${textField({
  name: 'email',
  label: form.email,
  hint: form.emailHint,
  value: typed.email,
  error: errors.email,
  attributes: html`type="email" autocomplete="email" spellcheck="false" aria-required="true"`,
})}
<div class="pair">
${nameField('first_name', form.firstName, 'given-name')}
${nameField('last_name', form.lastName, 'family-name')}
</div>
${textField({
  name: 'additional_info',
  label: form.details,
  optional: form.optional,
  hint: form.detailsHint,
  value: typed.additional_info,
  error: errors.additional_info,
  attributes: html`maxlength="${LIMITS.additional_info}"`,
  multiline: true,
})}
</fieldset>
<div class="trap" aria-hidden="true"><label>${form.trap} <input name="${HONEYPOT_FIELD}" tabindex="-1" autocomplete="off"></label></div>
<p class="note">${note && html`${note} `}${form.after}</p>
${noticeSection(language, texts.notice, notice)}
<button>${form.send}</button>
</form>`;
}
