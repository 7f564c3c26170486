import { type Pavis, startBanner } from './banner.ts';
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
  const { nonce, src, dataset } = script;
  const language = new URL(src).searchParams.get('language');
  window.pavis = startBanner(src, { language, ...dataset, nonce }, (auto) =>
    served.parts?.startCapture?.(auto, script),
  );
}
