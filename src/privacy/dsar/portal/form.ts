import { readEmail } from '../../../platform/email-address.ts';
import { type Html, html } from '../../../platform/html.ts';
import { REQUEST_TYPES, type RequestType } from '../rules.ts';
import { type Notice, noticeSection } from './notice.ts';
import type { PageWords } from './words.ts';

/** The hidden field that bots fill in: what the header `X-PV-HP-Check` is to the API (decision 42). */
export const TRAP_FIELD = 'pv_hp_check';
/** The token of a visitor id: in the address of the form, and in the form. */
export const VISITOR_FIELD = 'visitor';
const LIMITS = { first_name: 100, last_name: 100, additional_info: 5_000 } as const;

const FIELDS = ['request_type', 'first_name', 'last_name', 'email', 'additional_info'] as const;
type Field = (typeof FIELDS)[number];
/** What was typed. */
export type Typed = Record<Field, string>;
/** What is known of the visitor id of the browser. */
interface FormVisitor {
  token: string;
  hasCookie: boolean;
}
/** What the form says beside what was typed. */
export interface FormFacts {
  visitor: FormVisitor;
  notice: Notice;
}
/** What is wrong, by field; that of `form` is about no field. */
export type Wrongs = Partial<Record<Field | 'form', string>>;

export const typedBy = (read: (name: string) => string): Typed =>
  Object.fromEntries(FIELDS.map((name) => [name, read(name)])) as Typed;

/** What was asked for, or what is wrong with it. */
export function readRequest(
  typed: Typed,
  { errors }: PageWords,
): { wrongs: Wrongs } | { requestType: RequestType; email: string } {
  const wrongs: Wrongs = {};
  const requestType = REQUEST_TYPES.find((type) => type === typed.request_type);
  const email = readEmail(typed.email);
  if (!requestType) wrongs.request_type = errors.type;
  for (const [name, limit] of Object.entries(LIMITS) as [keyof typeof LIMITS, number][]) {
    if (typed[name].length > limit) wrongs[name] = errors.tooLong(limit);
  }
  if (email === undefined) wrongs.email = errors.email;
  return requestType && email !== undefined && Object.keys(wrongs).length === 0
    ? { requestType, email }
    : { wrongs };
}

/** What is wrong, above a form; the reader's focus goes here. */
export function summaryOf(wrongs: Partial<Record<string, string>>, title: string): Html {
  const { form, ...fields } = wrongs;
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
  wrong?: string | undefined;
  /** Of the control: its autocomplete and the like. */
  attributes?: Html;
  multiline?: true;
}

/** A field with its label, hint and error, which are read out together. */
export function textField(about: TextField): Html {
  const { name, label, value, hint, optional, wrong, attributes, multiline } = about;
  const described = [hint && `${name}-hint`, wrong && `${name}-wrong`].filter(Boolean).join(' ');
  const common = html`id="${name}" name="${name}"${described && html` aria-describedby="${described}"`}${wrong && html` aria-invalid="true"`} ${attributes}`;
  return html`<div class="field">
<label for="${name}">${label}${optional && html` <span class="optional">${optional}</span>`}</label>
${hint && html`<span class="hint" id="${name}-hint">${hint}</span>`}
${wrong && html`<span class="wrong" id="${name}-wrong">${wrong}</span>`}
${
  multiline
    ? html`<textarea ${common} rows="5">
${value}</textarea>`
    : html`<input ${common} value="${value}">`
}
</div>`;
}

/** The form of a request, with what was typed and what is wrong with it. */
export function requestForm(
  words: PageWords,
  language: string,
  typed: Typed,
  { visitor, notice }: FormFacts,
  wrongs: Wrongs = {},
): Html {
  const { form } = words;
  const choices = REQUEST_TYPES.map((type) => {
    const { label, hint } = form.types[type];
    return html`<div class="choice">
<input type="radio" id="type-${type}" name="request_type" value="${type}" aria-describedby="type-${type}-hint"${typed.request_type === type && html` checked`}>
<label for="type-${type}">${label}</label>
<span class="hint" id="type-${type}-hint">${hint}</span>
</div>`;
  });
  const wrongType = wrongs.request_type;
  return html`<form method="post" action="request" novalidate accept-charset="utf-8">
<input type="hidden" name="lang" value="${language}">
${visitor.token && html`<input type="hidden" name="${VISITOR_FIELD}" value="${visitor.token}">`}
<fieldset${wrongType && html` aria-describedby="request_type-wrong"`}>
<legend class="large">${form.what}</legend>
${wrongType && html`<span class="wrong" id="request_type-wrong">${wrongType}</span>`}
${choices}
</fieldset>
<fieldset>
<legend class="large">${form.about}</legend>
${textField({
  name: 'email',
  label: form.email,
  hint: form.emailHint,
  value: typed.email,
  wrong: wrongs.email,
  attributes: html`type="email" autocomplete="email" spellcheck="false" required`,
})}
<div class="pair">
${textField({
  name: 'first_name',
  label: form.firstName,
  optional: form.optional,
  value: typed.first_name,
  wrong: wrongs.first_name,
  attributes: html`type="text" autocomplete="given-name" maxlength="${LIMITS.first_name}"`,
})}
${textField({
  name: 'last_name',
  label: form.lastName,
  optional: form.optional,
  value: typed.last_name,
  wrong: wrongs.last_name,
  attributes: html`type="text" autocomplete="family-name" maxlength="${LIMITS.last_name}"`,
})}
</div>
${textField({
  name: 'additional_info',
  label: form.details,
  optional: form.optional,
  hint: form.detailsHint,
  value: typed.additional_info,
  wrong: wrongs.additional_info,
  attributes: html`maxlength="${LIMITS.additional_info}"`,
  multiline: true,
})}
</fieldset>
<div class="trap" aria-hidden="true"><label>${form.trap} <input name="${TRAP_FIELD}" tabindex="-1" autocomplete="off"></label></div>
<p class="note">${(visitor.token !== '' || visitor.hasCookie) && html`${form.visitor} `}${form.after}</p>
${noticeSection(language, words.notice, notice)}
<button>${form.send}</button>
</form>`;
}
