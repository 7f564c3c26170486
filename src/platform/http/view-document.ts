import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Html, html } from '../html.ts';
import { PROJECT_ROOT } from '../project-root.ts';
import { ICON_POLICY, renderIcon } from './page-icon.ts';

export interface ViewDocument {
  /** BCP 47, as `en`. */
  language: string;
  dir: 'ltr' | 'rtl';
  title: string;
  /** Elements for the head of the page. */
  head?: Html;
  brand: string;
  /** A data URL, instead of our mark. */
  logo?: string | undefined;
  /** Of the brand, `#rrggbb`. */
  color?: string | undefined;
  /** CSS after that of the stylesheet. */
  style?: string | undefined;
  /** The brand's link, relative to the page. */
  home: string;
  skip: string;
  /** Beside the brand: languages, sign-out. */
  tools?: Html;
  menu?: Html;
  main: Html;
  footer?: Html;
  /** Redirects the page after it is shown. */
  onwards?: string;
}

const MARK = html`<svg viewBox="0 0 48 56" aria-hidden="true" focusable="false"><path d="M4 4h40v24c0 14-9 21-20 26C13 49 4 42 4 28z" fill="none" stroke="currentColor" stroke-width="4" stroke-linejoin="round"/><path class="mark" d="M24 4v50" stroke-width="4"/></svg>`;

/**
 * The policy of a page with CSS of its own.
 * @param policy that of pages without
 */
export const allowStyle = (policy: string, { style }: ViewDocument): string =>
  style === undefined ? policy : policy.replace('style-src', `style-src ${hashStyle(style)}`);

const hashStyle = (css: string): string =>
  `'sha256-${createHash('sha256').update(css).digest('base64')}'`;

/** Renders pages without scripts, with stylesheets of web/pages inline; `policy` is their `Content-Security-Policy`. */
export function createViewRenderer(...stylesheets: string[]) {
  const style = stylesheets
    .map((name) => readFileSync(join(PROJECT_ROOT, 'web/pages', name), 'utf8'))
    .join('');
  return {
    policy: `default-src 'none'; style-src ${hashStyle(style)}; ${ICON_POLICY}; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
    renderDocument: (page: ViewDocument): string => renderDocument(page, style),
  };
}

const renderDocument = (page: ViewDocument, style: string): string =>
  `<!doctype html>\n${
    html`<html lang="${page.language}" dir="${page.dir}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">${page.onwards && html`<meta http-equiv="refresh" content="0; url=${page.onwards}">`}
${renderIcon(page)}
<title>${page.title}</title>
${page.head}`.text
  }<style>${style}</style>${page.style === undefined ? '' : `<style>${page.style}</style>`}
${
  html`</head>
<body>
<a class="skip" href="#main">${page.skip}</a>
<header><a class="brand" href="${page.home}">${page.logo === undefined ? MARK : html`<img src="${page.logo}" alt="" height="40">`}<span>${page.brand}</span></a>${page.tools}</header>
${page.menu}<main id="main" tabindex="-1">
${page.main}
</main>
${page.footer && html`<footer>${page.footer}</footer>`}
</body>
</html>
`.text
}`;
