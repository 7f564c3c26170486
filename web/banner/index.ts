import { type Pavis, startBanner } from './banner.ts';
import { startCapture } from './capture.ts';
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
  const { nonce, async, defer } = script;
  window.pavis = startBanner(
    { ...options, restRoot: toRestRoot(restRoot, script.src), nonce },
    (auto) => {
      const isParsed = document.readyState === 'loading' && !async && !defer;
      if (auto.hasFrames && isParsed) startCapture(auto, nonce);
    },
  );
}
