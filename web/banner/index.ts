import { type Pavis, startBanner } from './banner.ts';
import { toRestRoot } from './rest-root.ts';

declare global {
  interface Window {
    pavis?: Pavis;
  }
}

// The attributes of the tag are the options: `data-position`, `data-theme` and so on.
const script = document.currentScript as HTMLScriptElement | null;
// `window.pavis` can also be an element with this id.
if (script && !window.pavis?.ready) {
  const { restRoot, ...options } = script.dataset;
  window.pavis = startBanner({
    ...options,
    restRoot: toRestRoot(restRoot, script.src),
    nonce: script.nonce,
  });
}
