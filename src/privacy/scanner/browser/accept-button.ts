import { WALK } from './page-scripts.ts';

/** The buttons of well-known consent banners. */
const ACCEPT_SELECTORS = [
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
  '#cm [data-role="all"]',
  '.klaro .cm-btn-success-var',
];

/** In English, German, French, Spanish, Italian, Dutch, Portuguese and Polish; best first. */
const ACCEPT_TEXTS = [
  [
    '(yes,? )?(i )?(accept|allow|agree to|enable) all( .{0,24})?',
    'alle[sn]? (cookies )?(akzeptieren|zulassen|erlauben|annehmen)( .{0,24})?|allem? zustimmen',
    '(tout|tous) accepter( .{0,24})?|(tout|tous) autoriser|accepter (tout|tous)( .{0,24})?',
    '(aceptar|permitir|acepto) tod[oa]s?( .{0,24})?',
    '(accetta|accettare|accetto|consenti) (tutt[oi])( .{0,24})?',
    'alles? (cookies )?(accepteren|toestaan)|accepteer alles?( .{0,24})?',
    '(aceitar|permitir|aceito) tud?o?(todos)?( .{0,24})?|aceitar todos( .{0,24})?',
    '(za)?akceptuj(ę)? wszystk(o|ie)( .{0,24})?|zezwól na wszystkie( .{0,24})?',
  ],
  [
    '(yes,? )?(i )?(accept|agree|allow|consent)( (the )?cookies)?( (and|&) .{0,24})?',
    '(cookies )?(akzeptieren|zulassen|zustimmen|annehmen)( (und|&) .{0,24})?|ich (akzeptiere|stimme zu)|einverstanden',
    "(j'|j’)accepte( .{0,24})?|accepter( (les )?cookies)?( (et|&) .{0,24})?|autoriser",
    'acepto|aceptar( (las )?cookies)?( (y|&) .{0,24})?',
    'accetto|accetta( (i )?cookie)?( (e|&) .{0,24})?|acconsento',
    '(cookies )?(accepteren|toestaan)|akkoord( (en|&) .{0,24})?|ik ga akkoord',
    'aceito|aceitar( (os )?cookies)?( (e|&) .{0,24})?|concordo',
    '(za)?akceptuj(ę)?( .{0,24})?|zgadzam się( .{0,24})?',
  ],
  ['ok(ay)?|got it|understood|verstanden|compris|entendido|ho capito|begrepen|entendi|rozumiem'],
];

/**
 * Finds the button that agrees to everything and says where to click, as {@link AcceptButton}.
 * By its text only within something that speaks of cookies or privacy, and never one that sends a
 * form with fields or leads to another page.
 */
export const FIND_ACCEPT = `(() => {${WALK}
  const ranks = ${JSON.stringify(ACCEPT_TEXTS)}.map((texts) => new RegExp('^(?:' + texts.join('|') + ')$'));
  const TOPIC = /cookie|consent|privacy|gdpr|dsgvo|rgpd|tracking|datenschutz|einwilligung|données|confidentialité|privacidad|consentimiento|consenso|toestemming|privacidade|prywatno|zgod/i;
  const shown = (element) => {
    const { width, height } = element.getBoundingClientRect();
    return width > 1 && height > 1 && !element.disabled &&
      element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  };
  const harmless = (element) => {
    const link = element.closest('a[href]');
    if (link && link.href.split('#')[0] !== location.href.split('#')[0] &&
      !link.href.startsWith('javascript:')) return false;
    return !element.form?.querySelector('input:not([type=hidden],[type=checkbox],[type=radio],[type=submit],[type=button]), textarea, select');
  };
  const onTopic = (element) => {
    for (let up = element, level = 0; up && up !== document.body && level < 10; level++) {
      const text = up.textContent ?? '';
      if (text.length > 6000) return false;
      if (TOPIC.test(text) || TOPIC.test(up.id ?? '') || TOPIC.test(String(up.className ?? ''))) return true;
      up = up.parentElement ?? up.getRootNode().host;
    }
    return false;
  };
  const textOf = (element) =>
    (element.innerText || element.value || element.getAttribute('aria-label') || '')
      .toLowerCase().replace(/\\s+/g, ' ').replace(/^[^\\p{L}]+|[^\\p{L}]+$/gu, '');
  let found = ${JSON.stringify(ACCEPT_SELECTORS)}.flatMap((selector) => all(selector)).find(shown);
  if (!found) {
    const buttons = all('button, [role=button], a, input[type=button], input[type=submit]')
      .slice(0, 2000).filter((element) => textOf(element).length < 60);
    for (const rank of ranks) {
      found = buttons.find((element) =>
        rank.test(textOf(element)) && shown(element) && harmless(element) && onTopic(element));
      if (found) break;
    }
  }
  if (!found) return null;
  found.scrollIntoView({ block: 'nearest', behavior: 'instant' });
  const { left, top, width, height } = found.getBoundingClientRect();
  const x = left + width / 2, y = top + height / 2;
  let hit = document.elementFromPoint(x, y);
  for (let inner; (inner = hit?.shadowRoot?.elementFromPoint(x, y)) && inner !== hit; ) hit = inner;
  globalThis.acceptButton = found;
  return { x, y, free: hit !== null && (found.contains(hit) || hit.contains(found)) };
})()`;

/** Where a mouse would hit it; not `free` when something lies on top. */
export interface AcceptButton {
  x: number;
  y: number;
  free: boolean;
}

/** In the world in which it was found, for a frame whose place on the screen we do not know. */
export const CLICK_ACCEPT = 'globalThis.acceptButton?.click()';
