import type { DefaultTreeAdapterTypes } from 'parse5';
import { parse } from 'parse5';

type Node = DefaultTreeAdapterTypes.Node;
type Element = DefaultTreeAdapterTypes.Element;

/** Form values by field name. */
type Values = Record<string, string>;

export interface PlainPage {
  url: string;
  status: number;
  headers: Headers;
  html: string;
  /** The visible text, without markup. */
  text: string;
  title: string;
  all(matches: (element: Element) => boolean): Element[];
  /** The URL of the first link that contains this text. */
  link(text: string): string;
  /** The values of the form fields as served. */
  fields(action?: string): Values;
}

/** A browser without scripts: keeps cookies, follows redirects, and submits forms with the given values. */
export function plainBrowser(origin: () => string, headers: Record<string, string> = {}) {
  const cookies = new Map<string, string>();

  async function load(url: string, init: RequestInit = {}): Promise<PlainPage> {
    const response = await fetch(url, {
      ...init,
      redirect: 'manual',
      headers: {
        ...headers,
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...init.headers,
      },
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = ''] = cookie.split(';');
      const at = pair.indexOf('=');
      if (/max-age=0/i.test(cookie)) cookies.delete(pair.slice(0, at));
      else cookies.set(pair.slice(0, at), pair.slice(at + 1));
    }
    const location = response.headers.get('location');
    if (location !== null && response.status < 400) {
      await response.body?.cancel();
      return load(new URL(location, url).href);
    }
    return toPage(url, response, await response.text());
  }

  return {
    cookies,
    open: (path: string) => load(new URL(path, origin()).href),
    /** Sends the form of a page that goes to `action`. */
    submit(page: PlainPage, action: string, typed: Values = {}): Promise<PlainPage> {
      const fields = { ...page.fields(action), ...typed };
      return load(new URL(action, page.url).href, {
        method: 'POST',
        body: new URLSearchParams(fields),
      });
    },
    post: (path: string, body: Values) =>
      load(new URL(path, origin()).href, { method: 'POST', body: new URLSearchParams(body) }),
  };
}

function toPage(url: string, { status, headers }: Response, html: string): PlainPage {
  const elements: Element[] = [];
  (function walk(node: Node): void {
    if ('tagName' in node) elements.push(node);
    if ('childNodes' in node) node.childNodes.forEach(walk);
  })(parse(html));
  const all = (matches: (element: Element) => boolean) => elements.filter(matches);
  const [body] = all(({ tagName }) => tagName === 'body');
  const [title] = all(({ tagName }) => tagName === 'title');
  return {
    url,
    status,
    headers,
    html,
    text: body ? getText(body) : '',
    title: title ? getText(title) : '',
    all,
    link(text) {
      const [found] = all((each) => each.tagName === 'a' && getText(each).includes(text));
      if (!found) throw new Error(`no link says "${text}" on ${url}: ${html}`);
      return new URL(attribute(found, 'href') ?? '', url).href;
    },
    fields(action) {
      const [form] = all(
        (each) =>
          each.tagName === 'form' && [undefined, attribute(each, 'action')].includes(action),
      );
      if (!form) throw new Error(`no form goes to ${action} on ${url}: ${html}`);
      return listFields(form);
    },
  };
}

function listFields(form: Element): Values {
  const values: Values = {};
  (function walk(node: Node): void {
    if ('tagName' in node) {
      const name = attribute(node, 'name');
      const type = attribute(node, 'type');
      const isSent = type !== 'radio' || attribute(node, 'checked') !== undefined;
      if (name && isSent && node.tagName === 'input') values[name] = attribute(node, 'value') ?? '';
      if (name && node.tagName === 'textarea') values[name] = getText(node);
    }
    if ('childNodes' in node) node.childNodes.forEach(walk);
  })(form);
  return values;
}

export const attribute = ({ attrs }: Element, name: string): string | undefined =>
  attrs.find((each) => each.name === name)?.value;

export function getText(node: Node): string {
  if ('value' in node) return node.value;
  return 'childNodes' in node ? node.childNodes.map(getText).join('') : '';
}
