import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path/posix';
import GitHubSlugger from 'github-slugger';
import { Marked, type Token, type Tokens } from 'marked';
import type { BuiltGuides, BuiltPage } from '../src/frontends/docs/schemas.ts';
import { listSections, toDescription, toText } from './guide-text.ts';

const ROOT = join(import.meta.dirname.replaceAll('\\', '/'), '..');
const CONTENTS = 'docs/contents.json';
const MARKDOWN = /\.md$/;

interface Contents {
  /** Files relative to the root of the project, or a folder for all that are in it. */
  groups: { title: string; pages: string[]; isForEngineers?: boolean }[];
  console: Record<string, string>;
}

/** A file of the documentation while it is rendered. */
interface Draft {
  file: string;
  path: string;
  tokens: Token[];
  ids: Map<Tokens.Heading, string>;
}

/**
 * Renders the pages that `docs/contents.json` lists to `guides.json`, and copies the files that they show or link to.
 * @throws Error listing every link, anchor or image that leads nowhere, and every piece of HTML
 */
export function renderGuides(folder: string): void {
  const contents: Contents = JSON.parse(readFileSync(join(ROOT, CONTENTS), 'utf8'));
  const groups = contents.groups.map(({ pages, ...group }) => ({
    ...group,
    pages: pages.flatMap(listFiles),
  }));
  const drafts = new Map(groups.flatMap(({ pages }) => pages).map((file) => [file, parse(file)]));
  const site = new Site(drafts);
  const built: BuiltGuides = {
    groups: groups.map(({ pages, ...group }) => ({
      ...group,
      pages: pages.map((file) => renderPage(drafts.get(file) as Draft, site)),
    })),
    console: Object.fromEntries(
      Object.entries(contents.console).map(([at, link]) => [
        at,
        site.resolve(link, CONTENTS, '') ?? '',
      ]),
    ),
  };
  if (site.faults.length > 0) throw new Error(`Faults in docs:\n${site.faults.join('\n')}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'guides.json'), JSON.stringify(built));
  for (const file of site.files) cpSync(join(ROOT, file), join(folder, 'files', toPath(file)));
}

const listFiles = (page: string): string[] =>
  page.endsWith('/')
    ? readdirSync(join(ROOT, page))
        .sort()
        .map((name) => `${page}${name}`)
    : [page];

/** The path of a file below `/docs/`. */
const toPath = (file: string): string => file.replace(/^docs\//, '').replace(MARKDOWN, '');

function parse(file: string): Draft {
  const tokens = new Marked().lexer(readFileSync(join(ROOT, file), 'utf8'));
  const slugger = new GitHubSlugger();
  const headings = tokens.filter((token): token is Tokens.Heading => token.type === 'heading');
  const ids = new Map(headings.map((each) => [each, slugger.slug(toText(each))]));
  return { file, path: toPath(file).toLowerCase(), tokens, ids };
}

/** Where links lead to, and what is wrong with them. */
class Site {
  readonly faults: string[] = [];
  /** Files that are served as they are. */
  readonly files = new Set<string>();
  readonly #drafts: ReadonlyMap<string, Draft>;

  constructor(drafts: ReadonlyMap<string, Draft>) {
    this.#drafts = drafts;
  }

  /** The title of a page, for links that name its file. */
  findTitle(href: string, file: string): string | undefined {
    const [to = ''] = href.split('#');
    const [title] = this.#drafts.get(normalize(join(dirname(file), to)))?.tokens ?? [];
    return title && toText(title);
  }

  /**
   * @param href as the file has it
   * @param path of the page that the link will be on
   * @returns the address relative to that page; undefined for files of the project that the site does not have
   */
  resolve(href: string, file: string, path: string): string | undefined {
    if (/^https?:/.test(href)) return href;
    const [to = '', hash] = href.split('#');
    const target = to === '' ? file : normalize(join(dirname(file), to));
    const draft = this.#drafts.get(target);
    const isFound = draft
      ? hash === undefined || [...draft.ids.values()].includes(hash)
      : existsSync(join(ROOT, target));
    if (!isFound) this.faults.push(`${file}: ${href} leads nowhere`);
    if (to === '') return href;
    const isFile = /^docs\/.*\.(?:js|ts|webp|png)$/.test(target);
    if (isFile) this.files.add(target);
    if (!draft && !isFile) return undefined;
    const address = relative(dirname(path), draft?.path ?? toPath(target));
    return hash === undefined ? address : `${address}#${hash}`;
  }
}

function renderPage({ file, path, tokens, ids }: Draft, site: Site): BuiltPage {
  const marked = new Marked({
    renderer: {
      heading(token) {
        const { depth, tokens: inline } = token;
        return `<h${depth} id="${ids.get(token)}">${this.parser.parseInline(inline)}</h${depth}>\n`;
      },
      link({ href, text: name, tokens: inline }) {
        const title = MARKDOWN.test(name) ? site.findTitle(href, file) : undefined;
        const text = title ? escapeHtml(title) : this.parser.parseInline(inline);
        const address = site.resolve(href, file, path);
        return address === undefined ? text : `<a href="${escapeHtml(address)}">${text}</a>`;
      },
      image({ href, text }) {
        const address = site.resolve(href, file, path);
        if (!text) site.faults.push(`${file}: ${href} has no alternative text`);
        const { width, height } = readSize(join(dirname(file), href));
        return `<img src="${address}" alt="${escapeHtml(text)}" width="${width}" height="${height}" loading="lazy">`;
      },
      code: ({ text }) => `<pre><code>${escapeHtml(text)}</code></pre>\n`,
      html({ text }) {
        // The only way to break a line in a cell.
        if (text === '<br>') return text;
        if (!text.startsWith('<!--'))
          site.faults.push(`${file}: HTML, which is not rendered: ${text.trim()}`);
        return '';
      },
      // Narrow screens show each row as a block: the roles keep its meaning, the cells name their column.
      table({ header, rows }) {
        const titles = header.map(toText);
        const cells = (row: Tokens.TableCell[]) =>
          row.map(
            (cell, at) =>
              `<td role="cell"${titles[at] && ` data-title="${escapeHtml(titles[at])}"`}>${this.parser.parseInline(cell.tokens)}</td>`,
          );
        const head = header.map(({ text, tokens: inline }) =>
          // The column of row titles has none itself.
          text === ''
            ? '<td role="cell"></td>'
            : `<th role="columnheader" scope="col">${this.parser.parseInline(inline)}</th>`,
        );
        const body = rows.map((row) => `<tr role="row">${cells(row).join('')}</tr>\n`);
        return `<table role="table">\n<thead role="rowgroup"><tr role="row">${head.join('')}</tr></thead>\n<tbody role="rowgroup">\n${body.join('')}</tbody>\n</table>\n`;
      },
    },
  });
  const [title] = tokens;
  if (title?.type !== 'heading' || title.depth !== 1) site.faults.push(`${file}: no title`);
  const lead = tokens.find(({ type }) => type === 'paragraph');
  return {
    path,
    title: title ? toText(title) : '',
    description: lead ? toDescription(toText(lead)) : '',
    html: marked.parser(tokens),
    headings: [...ids]
      .filter(([{ depth }]) => depth === 2)
      .map(([token, id]) => ({ id, text: toText(token) })),
    sections: listSections(tokens, ids),
  };
}

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

/** Of a PNG, or of an extended WebP file (VP8X) as Chromium writes them. */
function readSize(file: string): { width: number; height: number } {
  if (!existsSync(join(ROOT, file))) return { width: 0, height: 0 };
  const bytes = readFileSync(join(ROOT, file));
  if (file.endsWith('.png'))
    return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
}
