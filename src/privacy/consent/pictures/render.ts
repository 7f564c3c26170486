import { createHash } from 'node:crypto';
import type { LocalBrowser } from '../../scanner/index.ts';
import { getShownTexts } from '../../settings/index.ts';
import { toConsentStatus } from '../banner/schemas.ts';
import {
  LAYERS,
  SCHEMES,
  type ShownBanner,
  VIEWPORT_NAMES,
  VIEWPORTS,
  type View,
} from './rules.ts';

export interface RenderedPicture extends View {
  png: Buffer;
  sha256: string;
}

/** The built banner, and the files that it loads when the preferences are opened. */
export interface BannerBuild {
  banner: Buffer;
  details: Buffer;
  preferences: Buffer;
}

export const hashBuild = ({ banner, details, preferences }: BannerBuild): string =>
  createHash('sha256').update(banner).update(details).update(preferences).digest('hex');

/** Reserved by RFC 2606; nothing is requested from it. */
const ORIGIN = 'https://banner.invalid';
const API = '/wp-json';
const JSON_TYPE = 'application/json';
const JS_TYPE = 'text/javascript; charset=utf-8';

/** Waits for the banner, and until it has faded in. */
const WHEN_OPEN = `(async () => {
  const frame = () => new Promise(requestAnimationFrame);
  const root = () => document.querySelector('pavis-banner')?.shadowRoot;
  while (!root()?.querySelector('dialog[open]')) await frame();
  await Promise.all(root().querySelector('dialog').getAnimations().map(({ finished }) => finished));
})()`;

/**
 * Takes the pictures of the banner in one language: the built banner on an empty page, with the settings of a version.
 * @param build the banner, as sites load it
 * @throws Error if the banner does not open
 */
export function renderBanner(
  browser: LocalBrowser,
  build: BannerBuild,
  { config, version, language }: ShownBanner,
): Promise<RenderedPicture[]> {
  const answers: Record<string, { type: string; body: string | Buffer }> = {
    '/': { type: 'text/html; charset=utf-8', body: toPage(language) },
    '/banner.js': { type: JS_TYPE, body: build.banner },
    '/banner.details.js': { type: JS_TYPE, body: build.details },
    '/banner.preferences.js': { type: JS_TYPE, body: build.preferences },
    [`${API}/svc/v1/consent/status`]: toJson(toConsentStatus(config, version)),
    [`${API}/svc/v1/consent/texts`]: toJson({
      ...getShownTexts(config, language),
      version,
      asked_since: version,
    }),
    [`${API}/svc/v1/consent/scripts`]: toJson([]),
  };
  const page = { url: `${ORIGIN}/`, answer: ({ pathname }: URL) => answers[pathname] };
  return browser.open(page, async (open) => {
    const pictures: RenderedPicture[] = [];
    for (const layer of LAYERS) {
      if (layer === 'preferences') await open.run('pavis.open()');
      await open.run(WHEN_OPEN);
      for (const viewport of VIEWPORT_NAMES) {
        for (const scheme of SCHEMES) {
          const png = await open.takePicture({ ...VIEWPORTS[viewport], scheme });
          const sha256 = createHash('sha256').update(png).digest('hex');
          pictures.push({ layer, viewport, scheme, png, sha256 });
        }
      }
    }
    return pictures;
  });
}

const toJson = (body: object) => ({ type: JSON_TYPE, body: JSON.stringify(body) });

/** An empty page, light or dark like the visitor's system. The pattern of languages allows no markup. */
const toPage = (language: string): string => `<!doctype html>
<html lang="${language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Banner</title>
<script src="/banner.js" data-rest-root="${ORIGIN}${API}" data-language="${language}"></script>
<body></body>
</html>`;
