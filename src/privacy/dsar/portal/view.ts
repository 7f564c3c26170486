import type { FastifyReply, FastifyRequest } from 'fastify';
import { formatDay } from '../../../platform/clock.ts';
import { type Html, html } from '../../../platform/html.ts';
import type { ViewDocument } from '../../../platform/http/view-document.ts';
import { readField, readQueryParam } from '../../../platform/http/views.ts';
import type { Dsar } from '../context.ts';
import { findLanguage } from '../messages/index.ts';
import { isOverdue } from '../rules.ts';
import { de } from './de.ts';
import { en, type PageTexts } from './en.ts';

const LANGUAGES: Record<string, PageTexts> = { en, de };

/** The context of all routes below `/privacy/`. */
export interface Portal {
  dsar: Dsar;
  options: { schema: { hide: boolean } };
  getClient: (request: FastifyRequest) => string;
  /** An address of the controller that receives email; empty if none is set. */
  readContact: () => Promise<string>;
}

/** The context of a page. */
export interface View {
  language: string;
  texts: PageTexts;
  /** The name of the controller, or the host of the site where none is set. */
  organisation: string;
  /** The URL of this page in another language; undefined if input would be lost. */
  inLanguage?: ((language: string) => string) | undefined;
}

/**
 * @param status of an error page: while the database is unavailable, the settings are not read
 */
export async function readView(
  { site }: Dsar,
  request: FastifyRequest,
  status = 200,
): Promise<View> {
  const asked = readQueryParam(request, 'lang') || readField(request, 'lang');
  const language = Object.hasOwn(LANGUAGES, asked)
    ? asked
    : findLanguage(request.headers['accept-language']);
  const params = new URLSearchParams(request.query as Record<string, string>);
  const { host } = new URL(site.siteUrl());
  const name = status < 500 ? (await site.settings()).controller.name : '';
  return {
    language,
    texts: LANGUAGES[language] ?? en,
    organisation: name || host,
    inLanguage:
      request.method === 'POST'
        ? undefined
        : (other) => {
            params.set('lang', other);
            return `?${params}`;
          },
  };
}

export const setLanguage = (reply: FastifyReply, { language }: View): FastifyReply =>
  reply.header('content-language', language).header('vary', 'accept-language');

/** A page with the shared header and footer. */
export function toPage(view: View, title: string, main: Html): ViewDocument {
  const { language, texts, organisation, inLanguage } = view;
  return {
    language,
    dir: 'ltr',
    title: `${title} – ${organisation}`,
    brand: texts.brand(organisation),
    home: `./?lang=${language}`,
    skip: texts.skip,
    ...(inLanguage && { tools: languageSwitch(texts, language, inLanguage) }),
    main,
    footer: html`<p>${texts.footer(organisation)}</p>`,
  };
}

function languageSwitch(
  { languages }: PageTexts,
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

/** A page with a heading and a paragraph. */
export const textPage = (
  view: View,
  title: string,
  text: Html | string,
  more?: Html,
): ViewDocument =>
  toPage(view, title, html`<h1>${title}</h1>\n<p class="lead">${text}</p>\n${more}`);

/** @param day `YYYY-MM-DD` */
export const dayElement = (language: string, day: string): Html =>
  html`<time datetime="${day}">${formatDay(language, day)}</time>`;

/** The day until which the controller answers, or the deadline that has passed. */
export const deadlineFact = (
  { language, texts: { sent } }: View,
  deadline: string,
  today: string,
): [label: string, value: Html] => [
  isOverdue({ deadline, today }) ? sent.overdue : sent.deadline,
  dayElement(language, deadline),
];

export const factBox = (facts: readonly (readonly [label: string, value: Html | string])[]): Html =>
  html`<div class="done"><dl>
${facts.map(([label, value]) => html`<dt>${label}</dt><dd>${value}</dd>\n`)}</dl></div>`;

export const referenceCode = (reference: string): Html =>
  html`<code class="copy">${reference}</code>`;

export const statusLink = ({ language, texts }: View): Html =>
  html`<a href="status?lang=${language}">${texts.form.toStatus}</a>`;

/** The page of cookies and third parties, which another slice serves. */
export const declarationLink = ({ language, texts }: View): Html =>
  html`<a href="declaration/?lang=${language}">${texts.form.toDeclaration}</a>`;

export const formLink = ({ language, texts }: View): Html =>
  html`<a href="./?lang=${language}">${texts.status.toForm}</a>`;

export function faultPage(view: View, status: number): ViewDocument {
  const { faults } = view.texts;
  const known = { 404: faults.notFound, 429: faults.tooMany, 503: faults.unavailable };
  const { title, text } = known[status as 404 | 429 | 503] ?? faults.other;
  return textPage(view, title, text, html`<p>${formLink(view)}</p>`);
}
