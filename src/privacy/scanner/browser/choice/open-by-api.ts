import type { Tab } from '../tab.ts';
import { ANSWER_MS, withTimeout } from '../timeouts.ts';

/**
 * Documented functions of consent banners that open their settings again, for pages that show no control for it. Each
 * is called as its documentation has it; the first that exists counts.
 */
const CALLS: readonly (readonly [path: string, call: string])[] = [
  ['OneTrust.ToggleInfoDisplay', 'OneTrust.ToggleInfoDisplay()'],
  ['Cookiebot.renew', 'Cookiebot.renew()'],
  ['UC_UI.showSecondLayer', 'UC_UI.showSecondLayer()'],
  ['__ucCmp.showSecondLayer', '__ucCmp.showSecondLayer()'],
  ['Didomi.preferences.show', 'Didomi.preferences.show()'],
  ['CookieConsent.showPreferences', 'CookieConsent.showPreferences()'],
  ['klaro.show', 'klaro.show()'],
  ['orejime.prompt', 'orejime.prompt()'],
  ['tarteaucitron.userInterface.openPanel', 'tarteaucitron.userInterface.openPanel()'],
  ['Osano.cm.showDrawer', "Osano.cm.showDrawer('osano-cm-dom-info-dialog-open')"],
  ['revisitCkyConsent', 'revisitCkyConsent()'],
  ['cmplz_manage_consent', 'cmplz_manage_consent()'],
  ['CookieScript.instance.show', 'CookieScript.instance.show()'],
  ['CookieFirst.openPanel', 'CookieFirst.openPanel()'],
  ['openAxeptioCookies', 'openAxeptioCookies()'],
  ['CookieControl.open', 'CookieControl.open()'],
  ['BorlabsCookie.Box.openDialog', 'BorlabsCookie.Box.openDialog()'],
  ['_iub.cs.api.openPreferences', '_iub.cs.api.openPreferences()'],
  ['truste.eu.clickListener', 'truste.eu.clickListener()'],
  ['googlefc.showRevocationMessage', 'googlefc.showRevocationMessage()'],
  ['pavis.open', 'pavis.open()'],
];

/** Runs among the page's own scripts, where these functions are. */
const OPEN = `(() => {
  const find = (path) => path.split('.').reduce((at, name) => at?.[name], globalThis);
  for (const [path, call] of ${JSON.stringify(CALLS)}) {
    try {
      if (typeof find(path) !== 'function') continue;
      (0, eval)(call);
      return path;
    } catch {}
  }
  return '';
})()`;

/** @returns whether the page has such a function */
export async function openByApi(tab: Tab): Promise<boolean> {
  const main = await tab.main;
  const evaluating = main.send('Runtime.evaluate', { expression: OPEN, returnByValue: true });
  const answer = await withTimeout(evaluating, ANSWER_MS);
  return typeof answer?.result.value === 'string' && answer.result.value !== '';
}
