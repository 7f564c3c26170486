import type { ConsentSettings, ShownAppearance } from '../../api/types.ts';
import { getTexts } from './shown-texts.ts';

export interface Shown {
  consent: ConsentSettings;
  language: string;
  theme: 'light' | 'dark';
  /** Whether the preferences are opened. */
  layer: 'first' | 'preferences';
  appearance?: ShownAppearance | undefined;
  /** The address of a picture of the site, shown in place of the sample page. */
  picture?: string | undefined;
}

/** A sample page with a blocked video, which is a landmark since its placeholder has text. Links open in a new tab. */
export const PAGE = `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><base target="_blank">
<title>A page</title></head><body>
<div aria-hidden="true"><header><b></b><i></i><i></i><i></i></header></div>
<figure role="region" aria-label="Video"></figure><div aria-hidden="true"><h1></h1>${'<p></p>'.repeat(9)}</div></body></html>`;

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
html[data-picture] { background: var(--picture) top / cover no-repeat }
html[data-picture] body { display: none }
iframe { visibility: hidden; border: 0; width: 100%; height: 100% }`;

type PageWindow = Window &
  typeof globalThis & { pavis?: { ready: Promise<void>; open(): Promise<void> } | undefined };

/**
 * Isolates the sample page from the console's site: the banner in it cannot read or set cookies, store
 * anything or send requests.
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
 * Keeps the focus in the form while the banner is drawn, which would otherwise take it. `inert` does
 * not apply to modal dialogs.
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
 * Shows the banner in the page: the file that visitors load, with these settings in place of the
 * server's. The previous banner stays until the new one is drawn.
 */
export async function showBanner(frame: HTMLIFrameElement, shown: Shown): Promise<void> {
  const page = frame.contentWindow as PageWindow;
  const { document } = page;
  const former = [...document.querySelectorAll('pavis-banner, figure > *')];
  const formerVideo = document.querySelector('figure > :last-child');
  // What was opened in the preview stays open, until another layer is chosen.
  const isOpened = former.some(({ shadowRoot }) => shadowRoot?.querySelector('ul:not([hidden])'));
  const isSameLayer = frame.dataset.layer === shown.layer && former.length > 0;
  frame.dataset.layer = shown.layer;
  const hasPreferences = isSameLayer ? isOpened : shown.layer === 'preferences';
  const { dataset, style } = document.documentElement;
  dataset.theme = getTheme(shown);
  if (shown.picture) {
    dataset.picture = '';
    style.setProperty('--picture', `url(${JSON.stringify(shown.picture)})`);
  } else delete dataset.picture;
  const video = addBlockedVideo(document, shown);
  const answers = createAnswers(shown, video);
  page.fetch = async (url) => {
    const answer = answers[new URL(String(url)).pathname.split('/').at(-1) ?? ''];
    const said = JSON.stringify(answer, fillEmptyTexts);
    return { ok: true, json: async () => JSON.parse(said ?? '{}') } as Response;
  };
  frame.inert = frame.ownerDocument.activeElement !== frame;
  page.pavis = undefined;
  await loadBanner(document, shown);
  const pavis = runningIn(page);
  await pavis?.ready;
  if (hasPreferences) await pavis?.open();
  // The banner is drawn once its pending promises have settled.
  await new Promise((done) => setTimeout(done));
  // The placeholder of the previous banner can have been drawn meanwhile.
  while (formerVideo?.previousSibling) formerVideo.previousSibling.remove();
  for (const each of former) each.remove();
  if (former.length > 0) for (const each of document.getAnimations()) each.finish();
  frame.inert = false;
}

const runningIn = ({ pavis }: PageWindow) => pavis;

/** The setting, or the system that the preview imitates. Older versions have no appearance. */
function getTheme({ consent, theme }: Shown): Shown['theme'] {
  const { appearance }: Partial<ConsentSettings> = consent;
  return appearance && appearance.theme !== 'system' ? appearance.theme : theme;
}

function loadBanner(document: Document, shown: Shown): Promise<unknown> {
  const { language } = shown;
  const theme = getTheme(shown);
  const script = document.createElement('script');
  script.src = '/banner.js';
  Object.assign(script.dataset, { language, theme, consentMode: 'off', wpConsent: 'off' });
  const settled = new Promise((done) => {
    script.onload = script.onerror = done;
  });
  document.head.append(script);
  return settled;
}

/** Shows an ellipsis for a required text that is still empty. */
const fillEmptyTexts = (name: string, value: unknown): unknown =>
  value === '' && name !== 'description' ? '…' : value;

/** The server's answers by the last part of their path. */
function createAnswers(
  { consent, language, appearance }: Shown,
  registered: object,
): Record<string, unknown> {
  const { enabled, categories } = consent;
  return {
    status: {
      enabled,
      categories: Object.fromEntries(categories.map((each) => [each.id, each])),
      settings: consent,
      version: 1,
      appearance,
    },
    texts: getTexts(consent, language),
    scripts: [registered],
    cookies: {},
    vendors: { categories: {} },
  };
}

let videos = 0;

/**
 * Adds a blocked video to the page and returns its entry of the script registry. Its handle is new, so
 * that earlier banners in the page ignore it.
 */
function addBlockedVideo(document: Document, { consent }: Shown) {
  const handle = `video-${++videos}`;
  const frame = document.createElement('iframe');
  frame.title = 'A video';
  // It takes precedence over `src`, so nothing is requested.
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
