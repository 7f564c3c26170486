import { evaluateInFrames } from '../frames.ts';
import type { Tab } from '../tab.ts';
import { withTimeout } from '../timeouts.ts';

const READ_MS = 1_200;
/** A checksum, so that no value leaves the page. */
const READ_STORAGE = `(() => {
  let sum = 7;
  const add = (text) => {
    for (let at = 0; at < text.length && at < 20000; at++) sum = (sum * 31 + text.charCodeAt(at)) | 0;
  };
  for (const area of ['localStorage', 'sessionStorage']) {
    try { for (const [key, value] of Object.entries(globalThis[area])) add(key + '=' + value); } catch {}
  }
  return location.origin + sum;
})()`;

/** Changes when the page stores, changes or deletes a cookie or an item of its storage. */
export async function readStored(tab: Tab): Promise<string> {
  const [frames, jar] = await Promise.all([
    evaluateInFrames<string>(tab, READ_STORAGE),
    withTimeout(
      tab.browser.send('Storage.getCookies', { browserContextId: tab.contextId }),
      READ_MS,
    ),
  ]);
  const cookies = jar?.cookies.map(({ domain, name, value }) => [domain, name, value]) ?? [];
  return JSON.stringify([[...new Set(frames.map(({ value }) => value))].sort(), cookies.sort()]);
}
