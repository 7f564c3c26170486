import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Db } from '../../platform/db/index.ts';
import { type Html, html } from '../../platform/html.ts';
import type { ViewDocument } from '../../platform/http/view-document.ts';
import {
  type Brand,
  chooseLanguage,
  getTextColor,
  type Language,
  NO_BRAND,
  readBrand,
  toHelpLink,
} from '../branding/index.ts';

/** For whom a page is shown, and in whose name. */
export interface CustomerView {
  language: Language;
  brand: Brand;
}

const TEXTS = {
  en: { suffix: 'Licences', brand: 'Your licences', skip: 'Skip to the content' },
  de: { suffix: 'Lizenzen', brand: 'Ihre Lizenzen', skip: 'Zum Inhalt' },
};

/**
 * In the language that the browser prefers. Without the branding while the database is unavailable.
 * @param status of an error page: after a failed wait for the database, it is not waited for once more
 */
export async function readCustomerView(
  db: Db,
  request: FastifyRequest,
  status = 200,
): Promise<CustomerView> {
  const brand = status < 500 ? await readBrand(db).catch(() => NO_BRAND) : NO_BRAND;
  return { brand, language: chooseLanguage(request.headers['accept-language'], brand) };
}

export const setLanguage = (reply: FastifyReply, { language }: CustomerView): FastifyReply =>
  reply.header('content-language', language).header('vary', 'accept-language');

export function toCustomerPage(
  { language, brand }: CustomerView,
  title: string,
  main: Html,
  more: Partial<ViewDocument> = {},
): ViewDocument {
  const { name, color, logo } = brand;
  const help = toHelpLink(brand, language);
  const texts = TEXTS[language];
  return {
    language,
    dir: 'ltr',
    title: `${title} – ${name ?? texts.suffix}`,
    brand: name ?? texts.brand,
    ...(logo !== null && { logo }),
    ...(color !== null && {
      color,
      style: `:root{--button:${color};--on-button:${getTextColor(color)}}`,
    }),
    home: './',
    skip: texts.skip,
    main,
    ...(help && { footer: html`<p><a href="${help.url}">${help.label}</a></p>` }),
    ...more,
  };
}
