import { LABEL_WORDS, normalise, rankLabel, withoutCookies } from './accept-label.ts';
import { PRICE, PURCHASE } from './consent-words.ts';
import { WALK } from './frame-scripts.ts';

/** Accept buttons of well-known consent banners. */
export const ACCEPT_SELECTORS = [
  '#onetrust-accept-btn-handler',
  '#CybotCookiebotDialogBodyLevelButtonLevelOptinAllowAll',
  '#CybotCookiebotDialogBodyButtonAccept',
  '#didomi-notice-agree-button',
  '[data-testid="uc-accept-all-button"]',
  '#uc-btn-accept-banner',
  '.cky-btn-accept',
  '.cmplz-btn.cmplz-accept',
  '.cmpboxbtnyes',
  '.iubenda-cs-accept-btn',
  '#truste-consent-button',
  '.osano-cm-accept-all',
  '#axeptio_btn_acceptAll',
  '#tarteaucitronPersonalize2',
  '#cookiescript_accept',
  '[data-cookiefirst-action="accept"]',
  '[data-tid="banner-accept"]',
  '#wt-cli-accept-all-btn',
  '#cn-accept-cookie',
  '.moove-gdpr-infobar-allow-all',
  '.fc-cta-consent',
  '.sp_choice_type_11',
  '.qc-cmp2-summary-buttons button[mode="primary"]',
  '#c-p-bn',
  '#cc-main .cm [data-role="all"]',
  '.klaro .cookie-notice .cm-btn-success',
  '.klaro .cm-btn-accept-all',
  '#ccc-notify-accept',
  '#ccc-recommended-settings',
  '#BorlabsCookieBox [data-cookie-accept-all]',
  '.brlbs-cmpnt-container .brlbs-btn-accept-all',
  '.cc-window .cc-allow',
  '.cc-window .cc-dismiss',
  '.cookie-notice-container #cn-accept-cookie',
];

export type BannerKind =
  /** By a button of a known consent banner. */
  | 'known'
  /** It covers the page, is named like a cookie banner, or fills its frame. */
  | 'recognised'
  /** An element of the page that mentions cookies. */
  | 'in_page';

/** A consent banner in one frame. */
export interface FoundBanner {
  kind: BannerKind;
  /** URL of its document. */
  url: string;
  /** The accept button if it is safe to click. */
  button:
    | (Centre & {
        /** 0: button of a known banner, otherwise the result of `rankLabel`. */ rank: number;
      })
    | null;
}

/** The centre of an element, in CSS pixels of its frame. */
export interface Centre {
  x: number;
  y: number;
  /** Whether a click at this position hits the element and not one above it. */
  free: boolean;
}

/**
 * Defines in a frame: `all(selector)` within open shadow roots, `isShown`, `getLabel`, `isHarmless`, `isButton`,
 * `getKind` (the {@link BannerKind} around an element, null without one or where something is sold), `path`, `getText`,
 * `plain`, `hasCookies`, `isOver`, `isNamed`, `sells`, `isBanner`, `freeCentre` and `choose`.
 */
export const BANNER_SCRIPT = `${WALK}
  const normalise = ${normalise};
  const withoutCookies = ${withoutCookies};
  const rankLabel = ${rankLabel};
  const words = ${JSON.stringify(LABEL_WORDS)};
  const PURCHASE = ${PURCHASE};
  const PRICE = ${PRICE};
  const TEXT_MAX = 12000;
  const NAMED = /cookie|consent|gdpr|dsgvo|rgpd|lgpd|(^|[-_ ])(cmp|cc|ccm)([-_ ]|$)|privacy-?(banner|notice|bar|popup)/i;
  const isFrame = window !== window.top;
  const plain = (text) =>
    String(text).toLowerCase().normalize('NFKD').replace(/\\p{M}/gu, '');
  const hasCookies = (text) => /cookie/.test(text) || words.cookies.some((stem) =>
    stem.length > 3 && normalise(text).includes(stem));
  const hasTopic = (text) => hasCookies(text) ||
    words.topic.some((stem) => normalise(text).includes(stem));
  const above = (element) => element.parentElement ?? element.getRootNode().host;
  const path = (element) => {
    const found = [];
    for (let at = element; at && found.length < 200; at = above(at)) found.push(at);
    return found;
  };

  const isShown = (element) => {
    const { width, height, left, top, right, bottom } = element.getBoundingClientRect();
    // Where the wheel can bring it into the window.
    const stays = path(element).some((at) => getComputedStyle(at).position === 'fixed');
    const [x, y] = stays ? [0, 0] : [scrollX, scrollY];
    return width > 1 && height > 1 && right + x > 0 && bottom + y > 0 &&
      left < innerWidth && top < (stays ? innerHeight : document.documentElement.scrollHeight) &&
      !element.disabled &&
      element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  };
  const getLabel = (element) => {
    const slotted = [...element.querySelectorAll?.('slot') ?? []]
      .flatMap((slot) => slot.assignedNodes({ flatten: true })).map((node) => node.textContent);
    return element.innerText || slotted.join(' ') || element.value ||
      element.getAttribute('aria-label') || element.textContent || element.title || '';
  };
  const leads = (link) => {
    const href = link.getAttribute('href');
    if (href === null) return false;
    if (/^\\s*javascript:/i.test(href)) return false;
    const [page, mark] = link.href.split('#');
    return mark === undefined || page !== location.href.split('#')[0];
  };
  const FIELDS = 'input:not([type=hidden],[type=checkbox],[type=radio],[type=submit],[type=button],[type=reset],[type=image]), textarea, select';
  const submits = (element) => {
    if (!element.matches('button, input')) return false;
    const { form } = element;
    const isSubmit = ['submit', 'image'].includes(element.type);
    const method = element.getAttribute('formmethod') ?? form?.getAttribute('method');
    return isSubmit && form != null && method?.toLowerCase() !== 'dialog';
  };
  const isHarmless = (element) => path(element).every((at) => {
    if (at.matches('a[href], area[href]') && leads(at)) return false;
    if (at.matches('label') && at.control && at.control !== element) {
      if (submits(at.control)) return false;
    }
    if (at.matches('form') && at.querySelector(FIELDS)) return false;
    return !submits(at);
  }) && !element.form?.querySelector(FIELDS);

  const isOver = (element) => {
    const { position, zIndex } = getComputedStyle(element);
    return ['fixed', 'sticky'].includes(position) ||
      (position === 'absolute' && Number(zIndex) >= 100) ||
      element.matches('dialog, [role=dialog], [role=alertdialog], [aria-modal=true], [popover]');
  };
  const isNamed = (element) =>
    NAMED.test(element.id + ' ' + (element.getAttribute('class') ?? '') + ' ' + element.localName +
      ' ' + (element.getAttribute('aria-label') ?? ''));
  /** The texts within, those of scripts and styles apart. */
  const getText = (root) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT, {
      acceptNode: ({ localName }) => /^(script|style|template|noscript|svg)$/.test(localName ?? '')
        ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT,
    });
    let text = '';
    while (text.length <= TEXT_MAX && walker.nextNode()) text += walker.currentNode.data ? ' ' + walker.currentNode.data : '';
    return text;
  };
  const sells = (root, text, kind) => PRICE.test(text) || (kind === 'in_page' && PURCHASE.test(text)) ||
    [...root.querySelectorAll('button, a, input[type=submit], input[type=button], [role=button], h1, h2, h3, h4, legend, [role=heading]')]
      .slice(0, 200).some((at) => PURCHASE.test(plain(getLabel(at).slice(0, 200))));
  const getKind = (element) => {
    const label = normalise(getLabel(element));
    const around = path(element).slice(1, 14);
    let topic, inner;
    for (const at of around) {
      if (at === document.documentElement || (at === document.body && !isFrame)) break;
      const text = getText(at) + (at.shadowRoot ? getText(at.shadowRoot) : '');
      if (text.length > TEXT_MAX) break;
      const own = plain(text);
      if (sells(at, own) || (at.shadowRoot && sells(at.shadowRoot, own))) return null;
      const named = isNamed(at);
      if (topic !== 'cookies' && (named || hasCookies(own))) {
        topic = 'cookies';
        inner = [at, own];
      }
      if (!topic && hasTopic(normalise(own).replace(label, ''))) topic = 'other';
      if (topic && (named || isOver(at) || (isFrame && at === document.body))) return 'recognised';
    }
    return topic === 'cookies' && !sells(...inner, 'in_page') ? 'in_page' : null;
  };
  const isButton = (element) =>
    element.matches('button, [role=button], a, input[type=button], input[type=submit], [onclick], [tabindex]') ||
    /btn|button|accept|agree|allow|consent|cookie/i.test(element.getAttribute('class') + element.id) ||
    getComputedStyle(element).cursor === 'pointer' || element.localName.includes('-');
  // Longer than a button that opens the settings again; within the page, with a choice.
  const isBanner = (element) => {
    const text = getText(element);
    if (!isShown(element) || text.length < 40 || text.length > TEXT_MAX / 2) return false;
    if (!hasCookies(plain(text))) return false;
    const buttons = element.querySelectorAll('button, [role=button], input[type=button]').length;
    return isOver(element) ? buttons > 0 || element.querySelector('a, input') : buttons > 1;
  };
  /** The centre of an element, and whether a click there hits it. */
  const freeCentre = (element) => {
    element.scrollIntoView({ block: 'nearest', behavior: 'instant' });
    const { left, top, width, height } = element.getBoundingClientRect();
    const x = left + width / 2, y = top + height / 2;
    let hit = document.elementFromPoint(x, y);
    for (let inner; (inner = hit?.shadowRoot?.elementFromPoint(x, y)) && inner !== hit; ) hit = inner;
    return { x, y, free: hit !== null && path(hit).includes(element) };
  };
  /** The element that the next press is for, with its label as it is now. */
  const choose = (element, isSafe = isHarmless) => {
    const label = getLabel(element);
    globalThis.accept = {
      element,
      isShown: () => element.isConnected && isShown(element),
      mayPress: () => element.isConnected && isSafe(element) && getLabel(element) === label,
    };
  };`;

/**
 * Finds the consent banner of a frame and its accept button, as {@link FoundBanner}. Keeps the button as
 * `globalThis.accept`, with `mayPress()` (still present and harmless) and `isShown()`. A harmless button neither
 * submits a form nor follows a link, its label matches {@link LABEL_WORDS}, and its surroundings mention cookies and
 * no purchase.
 */
export const FIND_BANNER = `(() => {${BANNER_SCRIPT}
  const known = ${JSON.stringify(ACCEPT_SELECTORS)}.flatMap((selector) => all(selector)).filter(isShown);
  const candidates = all('button, input, a, div, span, label, p, li, [role=button], [onclick], [tabindex]')
    .concat(all('*').filter(({ localName }) => localName.includes('-')))
    .filter((element) => element.childElementCount < 5 && element.textContent.length < 200)
    .slice(0, 5000)
    .flatMap((element) => {
      const rank = rankLabel(getLabel(element).slice(0, 120), words);
      return rank > 0 && isButton(element) && isShown(element) ? [{ element, rank, kind: getKind(element) }] : [];
    })
    .filter(({ kind }) => kind !== null)
    // A button comes before what is in it or around it, a banner that lies over the page before text in it.
    .sort((a, b) => a.rank - b.rank || (a.kind === 'in_page') - (b.kind === 'in_page') ||
      b.element.matches('button, a, input, [role=button]') - a.element.matches('button, a, input, [role=button]'));

  const choices = [
    ...known.map((element) => ({ element, rank: 0, kind: 'known' })),
    ...candidates,
  ];
  const choice = choices.find(({ element }) => isHarmless(element) &&
    !PURCHASE.test(plain(getLabel(element))));
  if (!choice) {
    if (choices[0]) return { kind: choices[0].kind, url: location.href, button: null };
    const closed = all('*').slice(0, 10000)
      .some((element) => (isOver(element) || isNamed(element)) && isBanner(element));
    return closed ? { kind: 'recognised', url: location.href, button: null } : null;
  }
  const { element, rank, kind } = choice;
  choose(element);
  return { kind, url: location.href, button: { rank, ...freeCentre(element) } };
})()`;

/** Clicks the element in its isolated world. */
export const CLICK_ACCEPT = `(() => {
  const { accept } = globalThis;
  if (!accept?.mayPress()) return false;
  accept.element.click();
  return true;
})()`;

export const IS_CLOSED = '!globalThis.accept?.isShown()';
