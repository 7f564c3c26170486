import { chapterPage } from '../../platform/api-docs/chapter.ts';
import type { DescribedApi } from '../../platform/api-docs/described-api.ts';
import { apiOverview } from '../../platform/api-docs/overview.ts';
import { Html, html } from '../../platform/html.ts';
import { homePage } from './home.ts';
import type { Group, Page } from './page.ts';
import type { BuiltGuides, BuiltPage, SearchRecord } from './schemas.ts';

/** The headings that a page needs before it lists them. */
const LISTED_FROM = 3;
const REFERENCE = 'API reference';
const WEIGHT = { guide: 1, reference: 0.5, forEngineers: 0.2 } as const;

/** Every page in the order of the menu. */
export function listGroups(guides: BuiltGuides, apis: DescribedApi[]): Group[] {
  const groups = guides.groups.map(
    ({ pages, ...group }): Group => ({
      ...group,
      pages: pages.map(guidePage),
      weight: group.isForEngineers ? WEIGHT.forEngineers : WEIGHT.guide,
    }),
  );
  const reference: Page = {
    path: 'api',
    title: 'Overview of the APIs',
    description: 'Every operation, with what it takes, what it answers and an example.',
    main: apiOverview(apis),
    sections: [],
  };
  const chapters = apis.map(({ api, name, chapters }) => ({
    title: api.info.title,
    weight: WEIGHT.reference,
    pages: chapters.map(
      (chapter): Page => ({
        path: `${name}/${chapter.name}`,
        title: chapter.title,
        description: chapter.description,
        main: chapterPage(api, chapter),
        sections: chapter.calls.map(({ method, path, operation }) => ({
          id: operation.operationId,
          title: operation.summary,
          text: `${method} ${path} ${operation.description ?? ''}`.replaceAll('`', ''),
        })),
      }),
    ),
  }));
  const all: Group[] = [
    ...groups.filter(({ isForEngineers }) => !isForEngineers),
    { title: REFERENCE, pages: [reference], weight: WEIGHT.reference },
    ...chapters,
    ...groups.filter(({ isForEngineers }) => isForEngineers),
  ];
  return [{ title: '', pages: [homePage(all)], weight: 0 }, ...all];
}

const guidePage = ({
  path,
  title,
  description,
  html: content,
  headings,
  sections,
}: BuiltPage): Page => ({
  path,
  title,
  description,
  sections,
  main:
    headings.length < LISTED_FROM
      ? new Html(content)
      : new Html(content.replace('</h1>', () => `</h1>\n${onThisPage(headings).text}`)),
});

const onThisPage = (headings: BuiltPage['headings']): Html =>
  html`<nav class="toc" aria-label="On this page"><details><summary><span>On this page</span></summary>
<ul>${headings.map(({ id, text }) => html`<li><a href="#${id}">${text}</a></li>`)}</ul></details></nav>`;

export const listSearchRecords = (groups: Group[]): SearchRecord[] =>
  groups.flatMap(({ title: group, pages, weight }) =>
    pages.flatMap(({ path, title: page, sections }) =>
      sections.map(({ id, title, text }) => ({
        path: id === '' ? path : `${path}#${id}`,
        group,
        page,
        title,
        text,
        weight,
      })),
    ),
  );
