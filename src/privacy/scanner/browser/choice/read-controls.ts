import type { BannerControl } from '../../observation.ts';
import { ACCEPT_SELECTORS, BANNER_SCRIPT, type BannerKind } from '../accept-button.ts';
import { evaluateInFrames, type FrameResult } from '../frames.ts';
import type { Tab } from '../tab.ts';
import { OTHER_WORDS, rankChoice } from './choice-label.ts';
import { KNOWN_CONTROLS, type Role } from './known-controls.ts';

/** A control of a consent banner, or one that opens it again, which is shown in a frame. */
export interface FoundControl extends Omit<BannerControl, 'role' | 'layer'> {
  role: Role;
  /** Its place among the controls of the frame. */
  index: number;
  /** 0: of a known banner; otherwise how well the label fits, 1 best. */
  rank: number;
  kind: BannerKind;
  /** Neither submits a form nor follows a link. */
  isHarmless: boolean;
}

/** What a frame shows of a consent banner. */
export interface FrameControls {
  url: string;
  /** There is a consent banner, with or without controls. */
  hasBanner: boolean;
  /** Optional categories or vendors that are switched on. */
  switchedOn: number;
  /** The best of each role first. */
  controls: FoundControl[];
}

/**
 * Collects the controls of consent banners in a frame as {@link FrameControls}. Defines `controls`, in their order with
 * `element` and `role`, `chooseControl(index)`, which makes one the target of the next press and returns its centre,
 * `switchOff()`, which switches all optional categories and vendors off and returns how many presses that took, and
 * `bannerFunctions` for scripts that measure the banner.
 */
const READ_CONTROLS = `(() => {${BANNER_SCRIPT}
  globalThis.bannerFunctions = { all, path, isShown, isOver, isNamed, normalise, getText };
  const rankChoice = ${rankChoice};
  const choiceWords = { ...words, ...${JSON.stringify(OTHER_WORDS)} };
  const known = ${JSON.stringify({ ...KNOWN_CONTROLS, accept: ACCEPT_SELECTORS })};
  const ranked = new Map();
  const rank = (label) => {
    const ranks = ranked.get(label) ??
      { ...rankChoice(label, choiceWords, { normalise, rankLabel, withoutCookies }), accept: rankLabel(label, words) };
    ranked.set(label, ranks);
    return ranks;
  };
  const found = [];
  const add = (element, role, rank, kind) => {
    if (!found.some((other) => other.element === element && other.role === role)) found.push({ element, role, rank, kind });
  };
  for (const [role, selectors] of Object.entries(known)) {
    for (const element of selectors.flatMap((selector) => all(selector))) {
      // Some banners use the same class for other labels.
      const label = getLabel(element).slice(0, 120);
      const misled = role !== 'accept' && rankLabel(label, words) > 0;
      if (isShown(element) && !misled && !PURCHASE.test(plain(label))) add(element, role, 0, 'known');
    }
  }
  const candidates = all('button, input, a, div, span, label, p, li, [role=button], [onclick], [tabindex]')
    .concat(all('*').filter(({ localName }) => localName.includes('-')))
    .filter((element) => element.hasAttribute('aria-label') || (element.childElementCount < 5 && element.textContent.length < 200))
    .slice(0, 5000);
  for (const element of candidates) {
    const ranks = { ...rank(getLabel(element).slice(0, 120)) };
    // An icon has its name in an attribute.
    ranks.reopen ||= ['aria-label', 'title'].map((name) => rank((element.getAttribute(name) ?? '').slice(0, 120)).reopen)
      .find((fit) => fit > 0) ?? 0;
    const roles = Object.entries(ranks).filter(([, fit]) => fit > 0);
    if (roles.length === 0 || !isButton(element) || !isShown(element)) continue;
    const kind = getKind(element);
    for (const [role, fit] of roles) {
      if (role === 'reopen') add(element, role, fit, 'in_page');
      else if (kind !== null) add(element, role, fit, kind);
    }
  }
  const REAL = 'button, a, input, [role=button]';
  found.sort((a, b) => a.rank - b.rank || (a.kind === 'in_page') - (b.kind === 'in_page') ||
    b.element.matches(REAL) - a.element.matches(REAL));
  const isFirst = ({ element, role }, at) => !found.slice(0, at).some((other) =>
    other.role === role && (other.element.contains(element) || element.contains(other.element)));
  const shown = found.filter(isFirst).slice(0, 60);
  const isLink = (element) => element.matches('a') || !element.matches('button, input, [role=button]');
  const getBackground = (element) => {
    for (const at of path(element)) {
      const { backgroundColor } = getComputedStyle(at);
      if (!/^(transparent|rgba\\(.*, 0\\))$/.test(backgroundColor)) return backgroundColor;
    }
    return 'rgb(255, 255, 255)';
  };
  const saved = shown.filter(({ role }) => role === 'save').flatMap(({ element }) => path(element))
    .filter((at) => isOver(at) || isNamed(at));
  // Many switches are a hidden box below a drawn one. Others are behind a closed tab, beside a button that saves all.
  const isVisible = (element) => isShown(element) ||
    [...element.labels ?? [], element.parentElement].some((at) => at && isShown(at)) ||
    path(element).some((at) => saved.includes(at));
  const isOn = (element) => element.matches('input') ? element.checked
    : element.getAttribute('aria-checked') === 'true' || element.getAttribute('aria-pressed') === 'true';
  const isOptional = (element) => !element.disabled && element.getAttribute('aria-disabled') !== 'true' &&
    isVisible(element) && !element.closest('[disabled], [inert]') && getKind(element) !== null;
  const listSwitchedOn = () => all('input[type=checkbox], [role=switch], [role=checkbox], button[aria-pressed=true]')
    .filter((element) => isOn(element) && isOptional(element)).slice(0, 100);
  const listRefusals = () => all('input[type=radio]').filter((element) => !isOn(element) &&
    [...element.labels ?? []].some((label) => rank(getLabel(label).slice(0, 120)).reject > 0) && isOptional(element)).slice(0, 100);
  globalThis.switchOff = () => {
    let pressed = 0;
    for (const element of [...listSwitchedOn(), ...listRefusals()]) {
      const before = isOn(element);
      if (!element.isConnected || !isHarmless(element)) continue;
      element.click();
      pressed++;
      // Some listen only on the label.
      if (isOn(element) === before) element.labels?.[0]?.click();
    }
    return pressed;
  };
  // A form without an address is sent by its script. It is never submitted: see listenScript.
  const isScripted = (element) => {
    const form = element.form ?? element.closest('form');
    return form !== null && !form.hasAttribute('action') && form.method === 'get' && !form.querySelector(FIELDS) &&
      !path(element).some((at) => at.matches('a[href], area[href]') && leads(at));
  };
  const isSafe = ({ element, role, kind }) => isHarmless(element) ||
    (role !== 'accept' && kind !== 'in_page' && element.isConnected && isScripted(element));
  globalThis.controls = shown;
  globalThis.chooseControl = (index) => {
    const control = shown[index];
    if (!control.element.isConnected || !isShown(control.element)) return null;
    choose(control.element, () => isSafe(control));
    return freeCentre(control.element);
  };
  const hasBanner = shown.some(({ role }) => role !== 'reopen') || all('*').slice(0, 10000)
    .some((element) => (isOver(element) || isNamed(element)) && isBanner(element));
  if (!hasBanner && shown.length === 0) return null;
  return {
    url: location.href,
    hasBanner,
    switchedOn: hasBanner ? listSwitchedOn().length + listRefusals().length : 0,
    controls: shown.map((control, index) => {
      const { element, role, rank, kind } = control;
      const { left, top, width, height } = element.getBoundingClientRect();
      const { fontSize, fontWeight, color } = getComputedStyle(element);
      return {
        role, rank, kind, index, isHarmless: isSafe(control),
        label: getLabel(element).trim().replace(/\\s+/g, ' ').slice(0, 120),
        x: left, y: top, width, height,
        fontSize: parseFloat(fontSize), fontWeight: Number(fontWeight), color,
        background: getBackground(element),
        isLink: isLink(element) && getBackground(element) === getBackground(above(element) ?? element),
      };
    }),
  };
})()`;

/** Reads the controls that all frames show. */
export const readControls = (tab: Tab): Promise<FrameResult<FrameControls>[]> =>
  evaluateInFrames<FrameControls>(tab, READ_CONTROLS);
