import { type Pavis, startBanner } from './banner.ts';
import { restRootOf } from './rest-root.ts';

declare global {
  interface Window {
    pavis?: Pavis;
  }
}

// The tag that loads this file also says how it is to be: `data-position`, `data-theme` and so on.
const script = document.currentScript as HTMLScriptElement | null;
// An element with the id `pavis` answers to the name as well.
if (script && !window.pavis?.ready) {
  const { restRoot, ...options } = script.dataset;
  window.pavis = startBanner({
    ...options,
    restRoot: restRootOf(restRoot, script.src),
    nonce: script.nonce,
  });
}
