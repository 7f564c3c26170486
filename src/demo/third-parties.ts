/** Host names under `.localhost`, which browsers find on this machine by themselves. */
export const THIRD_PARTY_NAMES = new Set(
  `adswap adtrail chatterbox clipframe fontshelf formpost lumen-analytics mapfold pulsecheck tags
  weathervane`.split(/\s+/),
);

/** A day, in the seconds of a cookie's Max-Age. */
const DAY = 86_400;

const SMALLEST_GIF = Buffer.from(
  'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7',
  'base64',
);

/** A response of a sample third party other than a file. It is the same for all requests. */
export interface Endpoint {
  status: 200 | 204 | 302;
  type?: string;
  body?: string | Buffer;
  location?: string;
  cookies?: readonly string[];
}

/** A cookie that browsers send from any site, as trackers set it. All visitors get the same value. */
const cookie = (name: string, days: number): string =>
  `${name}=demo; Path=/; Max-Age=${days * DAY}; SameSite=None; Secure`;

const pixel = (...cookies: string[]): Endpoint => ({
  status: 200,
  type: 'image/gif',
  body: SMALLEST_GIF,
  cookies,
});
const json = (value: object): Endpoint => ({
  status: 200,
  type: 'application/json; charset=utf-8',
  body: JSON.stringify(value),
});
const NOTHING: Endpoint = { status: 204 };

/** The path of the site's own Matomo, which counts by an image. */
export const OWN_MATOMO = '/demo/vendor/matomo.php';
export const OWN_MATOMO_PIXEL = pixel();

/** By host (without `.localhost`) and path. Files below web/demo/third-parties are served beside these. */
export const ENDPOINTS: Readonly<Record<string, Endpoint>> = {
  'lumen-analytics/collect': NOTHING,
  'lumen-analytics/hit.gif': pixel(cookie('lumen_visitor', 180)),
  'adtrail/px.gif': pixel(cookie('adtrail_uid', 365)),
  'adtrail/ns.gif': pixel(cookie('adtrail_uid', 365)),
  'adtrail/view.gif': pixel(cookie('adtrail_uid', 365)),
  'adtrail/sync.gif': { status: 302, location: 'http://adswap.localhost/match.gif' },
  'adswap/match.gif': pixel(cookie('swap_id', 30)),
  'clipframe/api/captions.json': json({ captions: ['A heron wades.', 'The reeds move.'] }),
  'clipframe/view.gif': pixel(),
  'chatterbox/presence.json': json({ online: true, name: 'Maren' }),
  'formpost/subscribe': {
    status: 200,
    type: 'text/html; charset=utf-8',
    body: '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Formpost</title><main><h1>Thank you</h1><p>This is a demonstration: nothing of what you sent was kept.</p></main></html>',
  },
  'pulsecheck/events': NOTHING,
  'weathervane/now.json': json({ celsius: 4, sky: 'mist, clearing by noon' }),
  'weathervane/forecast.json': json({ days: ['mist', 'sun', 'sun and wind'] }),
};

/** The films of Clipframe, by the last part of their address; `web/demo/parts/clip.html` shows each. */
export const CLIPS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'a-walk-through': {
    title: 'A walk through the house',
    above: '#2c4a63',
    below: '#c98a54',
    sun: '320',
  },
  'cutting-the-reed': { title: 'Cutting the reed', above: '#cfdfe2', below: '#8fa88f', sun: '200' },
  'marsh-at-dawn': { title: 'The marsh at dawn', above: '#f2b58a', below: '#7fa6a0', sun: '430' },
};

/** Cookies that files of third parties come with. */
export const FILE_COOKIES: Readonly<Record<string, readonly string[]>> = {
  'clipframe/embed/marsh-at-dawn': [cookie('clip_id', 400)],
  'clipframe/embed/cutting-the-reed': [cookie('clip_id', 400)],
  'mapfold/embed': ['mapfold_session=demo; Path=/; SameSite=None; Secure'],
};
