import type { ConsentSettings } from '../../api/types.ts';
import { textsIn } from './wording.ts';

export interface Shown {
  consent: ConsentSettings;
  language: string;
  theme: 'light' | 'dark';
}

/** A page of nobody, for the banner to be seen on, with a film that waits. Links leave it alone. */
export const PAGE = `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><base target="_blank">
<title>A page</title></head><body>
<div aria-hidden="true"><header><b></b><i></i><i></i><i></i></header></div>
<figure></figure><div aria-hidden="true"><h1></h1>${'<p></p>'.repeat(9)}</div></body></html>`;

const LOOKS = `
html { color-scheme: light; --page: #f6f7f9; --shape: #dfe3ea }
html[data-theme=dark] { color-scheme: dark; --page: #1c2130; --shape: #2d3547 }
body { max-width: 44rem; margin: auto; padding: 1.5rem; background: var(--page) }
:where([aria-hidden] *), figure { background: var(--shape); border-radius: 4px; display: block }
header { background: none; display: flex; gap: 1rem }
b { width: 2rem; height: 2rem; margin-inline-end: auto }
i { width: 3.5rem; height: .7rem; align-self: center }
h1 { width: 60%; height: 2.2rem; margin: 0 0 1.5rem }
p { height: .8rem; margin: .8rem 0 }
p:nth-of-type(3n) { width: 70% }
figure { position: relative; height: 9rem; margin: 1.5rem 0 2rem }
iframe { visibility: hidden; border: 0; width: 100%; height: 100% }`;

type PageWindow = Window &
  typeof globalThis & { pavis?: { ready: Promise<void>; open(): Promise<void> } | undefined };

/**
 * Cuts the page off from the site that the console is on: the banner in it reads and leaves no
 * cookie, keeps nothing, and tells nobody.
 */
export function prepare(frame: HTMLIFrameElement): void {
  const page = frame.contentWindow as PageWindow;
  Object.defineProperty(page.document, 'cookie', { get: () => '', set: () => {} });
  const storage = { getItem: () => null, setItem: () => {}, removeItem: () => {} };
  Object.defineProperty(page, 'localStorage', { value: storage });
  Object.defineProperty(page.navigator, 'globalPrivacyControl', { value: undefined });
  leaveFocus(frame, page);
  const sheet = new page.CSSStyleSheet();
  sheet.replaceSync(LOOKS);
  page.document.adoptedStyleSheets = [sheet];
}

/**
 * While the banner is drawn it takes no focus: in the middle of its page it would, here from whoever
 * types in the form. A dialog that is modal cares for no `inert` around its page.
 */
function leaveFocus(
  frame: HTMLIFrameElement,
  { HTMLElement, HTMLDialogElement }: PageWindow,
): void {
  const { focus } = HTMLElement.prototype;
  HTMLElement.prototype.focus = function take(options) {
    if (!frame.inert) focus.call(this, options);
  };
  const { showModal } = HTMLDialogElement.prototype;
  HTMLDialogElement.prototype.showModal = function show() {
    const focused = frame.ownerDocument.activeElement as HTMLElement | null;
    showModal.call(this);
    if (frame.inert) focused?.focus();
  };
}

/**
 * Shows the banner in the page, the same file that visitors get, which is told these settings in
 * place of the server's. One that was there stays until the new one is.
 */
export async function showBanner(frame: HTMLIFrameElement, shown: Shown): Promise<void> {
  const page = frame.contentWindow as PageWindow;
  const { document } = page;
  const former = [...document.querySelectorAll('pavis-banner, figure > *')];
  const isChoosing = former.some(({ shadowRoot }) => shadowRoot?.querySelector('ul:not([hidden])'));
  document.documentElement.dataset.theme = shown.theme;
  const film = waitingFilm(document, shown);
  const answers = answersFor(shown, film);
  page.fetch = async (url) => {
    const answer = answers[new URL(String(url)).pathname.split('/').at(-1) ?? ''];
    const said = JSON.stringify(answer, gapsShown);
    return { ok: true, json: async () => JSON.parse(said ?? '{}') } as Response;
  };
  frame.inert = frame.ownerDocument.activeElement !== frame;
  page.pavis = undefined;
  await loadBanner(document, shown);
  const pavis = runningIn(page);
  await pavis?.ready;
  if (isChoosing) await pavis?.open();
  // It is there after what it waits for, none of which takes longer than a promise.
  await new Promise((done) => setTimeout(done));
  for (const each of former) each.remove();
  if (former.length > 0) for (const each of document.getAnimations()) each.finish();
  frame.inert = false;
}

const runningIn = ({ pavis }: PageWindow) => pavis;

function loadBanner(document: Document, { language, theme }: Shown): Promise<unknown> {
  const script = document.createElement('script');
  script.src = '/banner.js';
  Object.assign(script.dataset, { language, theme, consentMode: 'off', wpConsent: 'off' });
  const settled = new Promise((done) => {
    script.onload = script.onerror = done;
  });
  document.head.append(script);
  return settled;
}

/** What nobody may leave empty is so while it is typed. */
const gapsShown = (name: string, value: unknown): unknown =>
  value === '' && name !== 'description' ? '…' : value;

/** What the server would say, by the last part of the address. */
function answersFor({ consent, language }: Shown, registered: object): Record<string, unknown> {
  const { enabled, categories } = consent;
  return {
    status: {
      enabled,
      categories: Object.fromEntries(categories.map((each) => [each.id, each])),
      settings: consent,
      version: 1,
    },
    texts: textsIn(consent, language),
    scripts: [registered],
    cookies: {},
  };
}

let films = 0;

/**
 * Puts a film into the page, and says what the registry would say of it. Its handle is known to the
 * banner that is next alone: those before still look after the page.
 */
function waitingFilm(document: Document, { consent }: Shown) {
  const handle = `film-${++films}`;
  const frame = document.createElement('iframe');
  frame.title = 'A film';
  // This is what it shows, whatever its address becomes: nothing is asked for.
  frame.srcdoc = '';
  Object.assign(frame.dataset, { src: 'https://films.example/', pavisScript: handle });
  frame.style.cssText = 'position: absolute; inset: 0';
  document.querySelector('figure')?.append(frame);
  return {
    handle,
    category: consent.categories.find(({ required }) => !required)?.id,
    script_url: handle,
    blocking_method: 'iframe_placeholder',
  };
}
