/** The server replaces this with its own address. The default is that of WordPress. */
const SERVED = '/wp-json#rest-root';
const NAME = 'pavis-declaration';

/** The fields of `GET /declaration` that are shown. */
interface Declaration {
  language: string;
  category_language: string;
  categories: {
    id: string | null;
    label: string;
    description: string;
    recipients: Recipient[];
  }[];
  labels: Record<
    | 'basis'
    | 'purpose'
    | 'legal_basis'
    | 'domains'
    | 'third_countries'
    | 'safeguards'
    | 'not_stated',
    string
  > & { columns: Record<'name' | 'kind' | 'domain' | 'duration', string> };
}

interface Recipient {
  name: string;
  kind: 'vendor' | 'host' | 'site';
  note: string | null;
  purposes: string[];
  legal_bases: string[];
  third_countries: string[];
  safeguards: string[];
  domains: string[];
  stored: StoredItem[];
}

interface StoredItem {
  name: string;
  kind_label: string;
  domain: string;
  duration: string;
  usual_duration: string | null;
  purpose: string | null;
}

const STYLE = `:host{display:block;font:inherit;color:inherit;overflow-wrap:anywhere}
:host([hidden]){display:none}
h3,h4{font:inherit;font-weight:700;margin:1.5em 0 .5em}h3{font-size:1.2em}
p,dl{margin:0 0 .75em}dt{opacity:.8}dd{margin:0 0 .5em;white-space:pre-line}
table{width:100%;border-collapse:collapse;font-size:.9em;margin-bottom:1em}
th,td{text-align:start;vertical-align:top;padding:.4em .75em .4em 0;border-top:1px solid}
small{display:block}code{font-family:ui-monospace,monospace}
@media(max-width:40rem){thead{position:absolute;width:1px;overflow:hidden;clip-path:inset(50%)}tr{display:block;border-top:1px solid;padding:.4em 0}
td{display:block;border:0;padding:0}td::before{content:attr(data-title)": "}}`;

/** Creates an element. Children are nodes or texts, never HTML. */
function make(name: string, attributes: object, ...children: (Node | string | null)[]) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children.filter((each) => each !== null));
  return made;
}

const renderStored = (
  { name, stored }: Recipient,
  { columns }: Declaration['labels'],
): Node | null => {
  if (!stored.length) return null;
  const row = (...cells: Node[]) => make('tr', { role: 'row' }, ...cells);
  const cell = (title: string, value: string, small: string | null, tag = 'span') =>
    make(
      'td',
      { role: 'cell', 'data-title': title },
      make(tag, {}, value),
      small && make('small', {}, small),
    );
  const heads = [columns.name, columns.kind, columns.domain, columns.duration];
  return make(
    'table',
    { role: 'table', 'aria-label': name, part: 'table' },
    make(
      'thead',
      { role: 'rowgroup' },
      row(...heads.map((head) => make('th', { role: 'columnheader', scope: 'col' }, head))),
    ),
    make(
      'tbody',
      { role: 'rowgroup' },
      ...stored.map((item) =>
        row(
          cell(columns.name, item.name, item.purpose, 'code'),
          cell(columns.kind, item.kind_label, null),
          cell(columns.domain, item.domain, null),
          cell(columns.duration, item.duration, item.usual_duration),
        ),
      ),
    ),
  );
};

function renderRecipient(recipient: Recipient, labels: Declaration['labels'], lang: string): Node {
  const list = make('dl', {});
  const unstated = recipient.kind === 'vendor' ? labels.not_stated : '';
  for (const [label, values, missing] of [
    [labels.purpose, recipient.purposes, unstated],
    [labels.legal_basis, recipient.legal_bases, unstated],
    [labels.third_countries, recipient.third_countries, ''],
    [labels.safeguards, recipient.safeguards, ''],
    [labels.domains, recipient.domains, ''],
  ] as const) {
    const text = values.join('\n') || missing;
    if (text) list.append(make('dt', {}, label), make('dd', {}, text));
  }
  return make(
    'div',
    { lang, dir: 'ltr', part: 'recipient' },
    make('h4', {}, recipient.name),
    recipient.note && make('p', {}, recipient.note),
    list.firstChild && list,
    renderStored(recipient, labels),
  );
}

/** The page can be from right to left. The texts of Pavis are from left to right, those of categories in either direction. */
const render = ({ language: lang, category_language, categories, labels }: Declaration): Node[] => [
  make('p', { lang, dir: 'ltr' }, labels.basis),
  ...categories.map(({ id, label, description, recipients }) =>
    make(
      'section',
      { lang: id === null ? lang : category_language, dir: 'auto', part: 'category' },
      make('h3', {}, label),
      make('p', {}, description),
      ...recipients.map((each) => renderRecipient(each, labels, lang)),
    ),
  ),
];

const script = document.currentScript as HTMLScriptElement;
const root = new URL(script.dataset.restRoot || SERVED, script.src);
const address = `${root.origin}${root.pathname.replace(/\/$/, '')}/svc/v1/declaration`;

/** Shows the declaration in place of its content, which stays if it cannot be loaded. */
class DeclarationElement extends HTMLElement {
  static observedAttributes = ['language'];
  /** The language that was asked for last. */
  #asked: string | undefined;

  connectedCallback(): void {
    this.load();
  }

  attributeChangedCallback(): void {
    if (this.isConnected) this.load();
  }

  async load(): Promise<void> {
    const language =
      this.getAttribute('language') || this.closest<HTMLElement>('[lang]')?.lang || '';
    if (language === this.#asked) return;
    this.#asked = language;
    const response = await fetch(`${address}?language=${encodeURIComponent(language)}`, {
      credentials: 'omit',
    }).catch(() => null);
    if (!response?.ok) return;
    const nodes = render(await response.json());
    if (language !== this.#asked) return;
    const shadow = this.shadowRoot ?? this.attachShadow({ mode: 'open' });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLE);
    shadow.adoptedStyleSheets = [sheet];
    shadow.replaceChildren(...nodes);
  }
}

if (!customElements.get(NAME)) customElements.define(NAME, DeclarationElement);

export {};
