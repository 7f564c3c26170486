import { type Html, html } from '../../platform/html.ts';
import { ICON_POLICY } from '../../platform/http/page-icon.ts';
import { createViewRenderer } from '../../platform/http/view-document.ts';
import type { Group, Page } from './page.ts';

const view = createViewRenderer('pages.css', 'docs.css');

/** Own scripts, images and requests only. */
export const DOCS_POLICY: string = `${view.policy.replace(ICON_POLICY, `${ICON_POLICY} 'self'`)}; script-src 'self'; connect-src 'self'`;

/** A page with the menu, the search and links to the pages before and after it. */
export function renderPage(page: Page, groups: Group[]): Buffer {
  const up = '../'.repeat(page.path.split('/').length - 1) || './';
  const all = groups.flatMap(({ pages }) => pages);
  const at = all.indexOf(page);
  const document = view.renderDocument({
    language: 'en',
    dir: 'ltr',
    title: page.path === '' ? 'Pavis documentation' : `${page.title} · Pavis documentation`,
    head: html`<meta name="description" content="${page.description.replaceAll('`', '')}">
<script src="${up}docs.js" defer></script>
`,
    brand: 'Pavis docs',
    home: up,
    skip: 'Skip to the content',
    tools: SEARCH,
    menu: menu(groups, page, up),
    main: html`${page.main}
${pager(all[at - 1], all[at + 1], up)}`,
  });
  return Buffer.from(document);
}

/** Shown by the script, without which it would do nothing. */
const SEARCH = html`<div class="search" role="search" hidden>
<label class="visually-hidden" for="search">Search the documentation</label>
<input id="search" type="search" placeholder="Search" autocomplete="off" spellcheck="false" aria-keyshortcuts="/" aria-describedby="search-keys"><kbd aria-hidden="true">/</kbd>
<span class="visually-hidden" id="search-keys">Press / to search. Use the arrow keys to move through the results.</span>
<div class="found" hidden><p role="status"></p></div>
</div>`;

/** Collapsed on narrow screens, without a script. On wide screens it scrolls, so it is focusable. */
const menu = (
  groups: Group[],
  page: Page,
  up: string,
): Html => html`<nav class="menu" aria-label="Documentation" tabindex="0">
<details><summary><span>Contents</span></summary>
${groups.map(({ title, pages }) => {
  const list = html`<ul>${pages.map((each) => html`<li>${menuLink(each, page, up)}</li>`)}</ul>`;
  const isOpen = pages.includes(page);
  return title === ''
    ? list
    : html`<details${isOpen && html` open`}><summary><span>${title}</span></summary>${list}</details>
`;
})}</details>
</nav>
`;

const menuLink = (to: Page, page: Page, up: string): Html =>
  html`<a href="${up}${to.path}"${to === page && html` aria-current="page"`}>${to.title}</a>`;

const pager = (before: Page | undefined, after: Page | undefined, up: string): Html =>
  html`<nav class="pager" aria-label="Previous and next page">${before && html`<a rel="prev" href="${up}${before.path}"><small>Previous</small> <span>${before.title}</span></a>`}${after && html`<a rel="next" href="${up}${after.path}"><small>Next</small> <span>${after.title}</span></a>`}</nav>`;
