import { formatDay } from '../../../platform/clock.ts';
import { type Html, html } from '../../../platform/html.ts';
import type { ViewDocument } from '../../../platform/http/view-document.ts';
import type { Dsar } from '../context.ts';
import type { LinkProblem } from '../export/packages.ts';
import { holdText } from '../hold-texts.ts';
import { asksRequester } from '../rules.ts';
import type { Case } from '../store.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import {
  type FormFacts,
  requestForm,
  summaryOf,
  type Typed,
  textField,
  type Wrongs,
} from './form.ts';
import type { PageWords } from './words.ts';

export const LANGUAGES: Record<string, PageWords> = { en, de };

/** What a page is made with. */
export interface View {
  language: string;
  words: PageWords;
  /** The host of the site. */
  site: string;
  /** The address of this page in another language; undefined where it would lose what was typed. */
  inLanguage?: ((language: string) => string) | undefined;
}

/** A page with what all of them have. */
function pageOf(view: View, title: string, main: Html): ViewDocument {
  const { language, words, site } = view;
  return {
    language,
    dir: words.dir,
    title: `${title} – ${site}`,
    brand: words.brand(site),
    home: `./?lang=${language}`,
    skip: words.skip,
    ...(view.inLanguage && { tools: languageSwitch(words, view.language, view.inLanguage) }),
    main,
    footer: html`<p>${words.footer(site)}</p>`,
  };
}

function languageSwitch(
  { languages }: PageWords,
  current: string,
  inLanguage: (language: string) => string,
): Html {
  const items = Object.entries(LANGUAGES).map(([language, { name }]) =>
    language === current
      ? html`<span lang="${language}" aria-current="true">${name}</span>`
      : html`<a href="${inLanguage(language)}" lang="${language}" hreflang="${language}">${name}</a>`,
  );
  return html`<nav aria-label="${languages}">${items}</nav>`;
}

const timeOf = (language: string, day: string): Html =>
  html`<time datetime="${day}">${formatDay(language, day)}</time>`;

export function formPage(
  view: View,
  typed: Typed,
  facts: FormFacts,
  wrongs: Wrongs = {},
): ViewDocument {
  const { words, language, site } = view;
  const isWrong = Object.keys(wrongs).length > 0;
  const main = html`<h1>${words.form.title}</h1>
<p class="lead">${words.form.lead(site)}</p>
${isWrong ? summaryOf(wrongs, words.errors.title) : html`<p class="aside"><a href="status?lang=${language}">${words.form.toStatus}</a></p>`}
${requestForm(words, language, typed, facts, wrongs)}`;
  const title = isWrong ? words.errors.title : words.form.title;
  return pageOf(view, title, main);
}

/** Where no requests are taken in. `writeTo` is an address of the site's, or empty. */
export function closedPage(view: View, writeTo: string): ViewDocument {
  const { closed, form } = view.words;
  return pageOf(
    view,
    closed.title,
    html`<h1>${closed.title}</h1>
<p class="lead">${closed.text} ${writeTo && closed.write(writeTo)}</p>
<p><a href="status?lang=${view.language}">${form.toStatus}</a></p>`,
  );
}

/** After a request was sent. */
export function sentPage(
  view: View,
  { reference, deadline }: Pick<Case, 'reference' | 'deadline'>,
) {
  const { sent } = view.words;
  const steps = sent
    .steps(formatDay(view.language, deadline))
    .map((step) => html`<li>${step}</li>`);
  return pageOf(
    view,
    sent.title,
    html`<h1>${sent.title}</h1>
<p class="lead">${sent.lead}</p>
<div class="done"><dl>
<dt>${sent.reference}</dt><dd><code class="copy">${reference}</code></dd>
<dt>${sent.deadline}</dt><dd>${timeOf(view.language, deadline)}</dd>
</dl></div>
<p class="note">${sent.copyHint}</p>
<h2>${sent.next}</h2>
<ol class="steps">${steps}</ol>
<p><a href="status?lang=${view.language}">${sent.toStatus}</a></p>`,
  );
}

export function statusForm(
  view: View,
  typed: { reference: string; email: string },
  wrong?: string,
): ViewDocument {
  const { status, errors } = view.words;
  return pageOf(
    view,
    wrong ? errors.title : status.title,
    html`<h1>${status.title}</h1>
${wrong ? summaryOf({ form: wrong }, errors.title) : html`<p class="lead">${status.lead}</p>`}
<form method="post" action="status" novalidate accept-charset="utf-8">
<input type="hidden" name="lang" value="${view.language}">
${textField({
  name: 'reference',
  label: status.reference,
  hint: status.referenceHint,
  value: typed.reference,
  attributes: html`type="text" autocomplete="off" autocapitalize="characters" spellcheck="false" required`,
})}
${textField({
  name: 'email',
  label: status.email,
  hint: status.emailHint,
  value: typed.email,
  attributes: html`type="email" autocomplete="email" spellcheck="false" required`,
})}
<button>${status.show}</button>
</form>`,
  );
}

/** How far a request is. */
export function statusPage(
  view: View,
  dsarCase: Case,
  { dayOf }: Pick<Dsar, 'dayOf'>,
): ViewDocument {
  const { words, language } = view;
  const { status } = words;
  const { label, text } = status.states[dsarCase.status];
  const said = dsarCase.status === 'on_hold' ? holdStatus(view, dsarCase) : text;
  const isUnconfirmed = dsarCase.status === 'received' && dsarCase.verifiedAt === null;
  return pageOf(
    view,
    `${label}: ${dsarCase.reference}`,
    html`<h1>${status.found}</h1>
<div class="done"><dl>
<dt>${status.state}</dt><dd>${label}</dd>
<dt>${status.reference}</dt><dd><code class="copy">${dsarCase.reference}</code></dd>
<dt>${status.request}</dt><dd>${words.form.types[dsarCase.requestType].label}</dd>
<dt>${status.submitted}</dt><dd>${timeOf(language, dsarCase.receivedOn)}</dd>
${
  dsarCase.closedAt === null
    ? dsarCase.pausedOn === null &&
      html`<dt>${words.sent.deadline}</dt><dd>${timeOf(language, dsarCase.deadline)}</dd>`
    : html`<dt>${status.completed}</dt><dd>${timeOf(language, dayOf(dsarCase.closedAt))}</dd>`
}
</dl></div>
<p class="after">${said} ${isUnconfirmed && status.unconfirmed}</p>
<p><a href="status?lang=${language}">${status.another}</a></p>
${dsarCase.closedAt === null && withdrawForm(view, dsarCase)}`,
  );
}

/** What a hold means, in the words of the email about it. */
function holdStatus({ words, language }: View, dsarCase: Case): string {
  const { text } = words.status.states.on_hold;
  const meaning = holdText(language, dsarCase);
  return asksRequester(dsarCase.ground) ? `${meaning} ${text}` : meaning;
}

/** Asks for the link; nothing is withdrawn by it. */
function withdrawForm({ words, language }: View, { reference, email }: Case): Html {
  return html`<form class="after" method="post" action="withdraw-link">
<input type="hidden" name="lang" value="${language}">
<input type="hidden" name="reference" value="${reference}">
<input type="hidden" name="email" value="${email ?? ''}">
<p class="note" id="withdraw-hint">${words.status.withdrawHint}</p>
<button class="quiet" aria-describedby="withdraw-hint">${words.status.withdraw}</button>
</form>`;
}

/** After the link to withdraw a request was mailed. */
export function withdrawalSentPage(view: View): ViewDocument {
  const { withdraw, sent } = view.words;
  return pageOf(
    view,
    withdraw.sent,
    html`<h1>${withdraw.sent}</h1>
<p class="lead">${withdraw.sentText}</p>
<p><a href="status?lang=${view.language}">${sent.toStatus}</a></p>`,
  );
}

export function withdrawnPage(view: View, { reference }: Case): ViewDocument {
  const { withdraw, sent, status } = view.words;
  return pageOf(
    view,
    withdraw.done,
    html`<h1>${withdraw.done}</h1>
<p class="lead">${withdraw.doneText}</p>
<div class="done"><dl>
<dt>${sent.reference}</dt><dd><code class="copy">${reference}</code></dd>
</dl></div>
<p class="after"><a href="./?lang=${view.language}">${status.toForm}</a></p>`,
  );
}

/** The page of a mailed link, before anything happens. */
export function linkPage(
  view: View,
  purpose: 'confirm' | 'download' | 'withdraw',
  token: string,
): ViewDocument {
  const { title, text, button } = view.words[purpose];
  return pageOf(
    view,
    title,
    html`<h1>${title}</h1>
<p class="lead">${text}</p>
<form method="post" action="${purpose}">
<input type="hidden" name="lang" value="${view.language}">
<input type="hidden" name="token" value="${token}">
<button>${button}</button>
</form>
${purpose === 'download' && html`<p class="note after">${view.words.download.keep}</p>`}`,
  );
}

/** For a link that does not work. */
export const confirmOverPage = (view: View, writeTo: string): ViewDocument =>
  overPage(view, view.words.over.confirm, writeTo);
export const withdrawOverPage = (view: View, writeTo: string): ViewDocument =>
  overPage(view, view.words.over.withdraw, writeTo);
export const downloadOverPage = (view: View, problem: LinkProblem, writeTo: string): ViewDocument =>
  overPage(view, view.words.over.download[problem], writeTo);

function overPage(view: View, text: string, writeTo: string): ViewDocument {
  const { over, sent } = view.words;
  return pageOf(
    view,
    over.title,
    html`<h1>${over.title}</h1>
<p class="lead">${text}</p>
<p>${over.contact(writeTo)}</p>
<p><a href="status?lang=${view.language}">${sent.toStatus}</a></p>`,
  );
}

export function confirmedPage(view: View, { reference, deadline }: Case): ViewDocument {
  const { confirm, sent } = view.words;
  return pageOf(
    view,
    confirm.done,
    html`<h1>${confirm.done}</h1>
<p class="lead">${confirm.doneText}</p>
<div class="done"><dl>
<dt>${sent.reference}</dt><dd><code class="copy">${reference}</code></dd>
<dt>${sent.deadline}</dt><dd>${timeOf(view.language, deadline)}</dd>
</dl></div>
<p class="after"><a href="status?lang=${view.language}">${sent.toStatus}</a></p>`,
  );
}

export function faultPage(view: View, status: number): ViewDocument {
  const { faults, status: words } = view.words;
  const known = { 404: faults.notFound, 429: faults.tooMany, 503: faults.unavailable };
  const { title, text } = known[status as 404 | 429 | 503] ?? faults.other;
  return pageOf(
    view,
    title,
    html`<h1>${title}</h1>
<p class="lead">${text}</p>
<p><a href="./?lang=${view.language}">${words.toForm}</a></p>`,
  );
}
