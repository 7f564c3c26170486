import { type Pavis, startBanner } from './banner.ts';
import { toRestRoot } from './rest-root.ts';
import { served } from './served.ts';

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
  const { nonce, async, defer, src } = script;
  window.pavis = startBanner(
    {
      language: new URL(src).searchParams.get('language') ?? undefined,
      ...options,
      restRoot: toRestRoot(restRoot, src),
      file: src,
      isForeign: !!restRoot,
      nonce,
    },
    (auto) => {
      const isParsed = document.readyState === 'loading' && !async && !defer;
      if (auto.hasFrames && isParsed) served.parts?.startCapture?.(auto, nonce);
    },
  );
}
