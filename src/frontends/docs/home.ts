import { html } from '../../platform/html.ts';
import type { Group, Page } from './page.ts';

/** The first page, which links to every other one. */
export const homePage = (groups: Group[]): Page => ({
  path: '',
  title: 'Overview',
  description: 'Guides and API reference of Pavis.',
  sections: [],
  main: html`<h1>Pavis documentation</h1>
<p class="lead">Guides for administrators, vendors and developers, and the reference of both APIs. It is part of your server and matches its version.</p>
${groups.map(
  ({ title, pages, isForEngineers }) => html`<h2>${title}</h2>
<ul class="calls columns" role="list">${pages.map(
    (page) =>
      html`<li><a href="${page.path}"><span>${page.title}</span>${!isForEngineers && html` <small>${page.description}</small>`}</a></li>`,
  )}</ul>`,
)}`,
});
