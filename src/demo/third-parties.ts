import { isIP } from 'node:net';
import type { Config } from '../config/index.ts';

/** Host names under `.localhost`, which browsers find on this machine by themselves. */
export const THIRD_PARTY_NAMES = new Set([
  'adswap',
  'adtrail',
  'chatterbox',
  'clipframe',
  'fontshelf',
  'formpost',
  'lumen-analytics',
  'mapfold',
  'pulsecheck',
  'tags',
  'weathervane',
]);

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

/** As a tracker sets it: to be sent from any site. The value is the same for everybody. */
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

/**
 * The vendors that a new installation knows. `pulsecheck` and `adswap` are missing on purpose, as unrecognised domains.
 */
export const DEMO_VENDORS = [
  {
    slug: 'lumen-analytics',
    name: 'Lumen Analytics',
    purpose: 'Measures visits and page views.',
    category: 'analytics',
    dataCategories: ['Online identifiers', 'Usage data'],
    defaultRetention: '13 months',
    domains: ['lumen-analytics.localhost'],
    cookies: ['_lumen', 'lumen_visitor', 'lumen.session'],
  },
  {
    slug: 'adtrail',
    name: 'Adtrail',
    purpose: 'Shows our ads on other sites to visitors of this site (retargeting).',
    category: 'marketing',
    dataCategories: ['Online identifiers', 'Usage data', 'Interests'],
    defaultRetention: '12 months',
    domains: ['adtrail.localhost'],
    cookies: ['adtrail_uid', '_adtrail'],
  },
  {
    slug: 'clipframe',
    name: 'Clipframe',
    purpose: 'Plays embedded videos.',
    category: 'personalisation',
    dataCategories: ['Online identifiers', 'Usage data'],
    defaultRetention: '400 days',
    domains: ['clipframe.localhost'],
    cookies: ['clip_id', 'clip_volume'],
  },
  {
    slug: 'chatterbox',
    name: 'Chatterbox',
    purpose: 'Live chat with our guests.',
    category: 'personalisation',
    dataCategories: ['Online identifiers', 'Messages'],
    defaultRetention: '6 months',
    domains: ['chatterbox.localhost'],
    cookies: ['cb_visitor', 'chatterbox_open'],
  },
  {
    slug: 'tagboard',
    name: 'Tagboard',
    purpose: 'Loads the other tags of the site from one container.',
    category: 'marketing',
    dataCategories: ['Online identifiers'],
    defaultRetention: 'None',
    domains: ['tags.localhost'],
    cookies: [],
  },
  {
    slug: 'formpost',
    name: 'Formpost',
    purpose: 'Processes our newsletter and call-back forms.',
    category: 'functional',
    dataCategories: ['Names', 'Email addresses', 'Telephone numbers'],
    defaultRetention: '24 months',
    domains: ['formpost.localhost'],
    cookies: [],
  },
  {
    slug: 'fontshelf',
    name: 'Fontshelf',
    purpose: 'Delivers web fonts.',
    category: 'functional',
    dataCategories: ['Network addresses'],
    defaultRetention: '30 days',
    domains: ['fontshelf.localhost'],
    cookies: [],
  },
  {
    slug: 'mapfold',
    name: 'Mapfold',
    purpose: 'Shows an embedded map with directions.',
    category: 'personalisation',
    dataCategories: ['Network addresses', 'Approximate location'],
    defaultRetention: 'Until the browser is closed',
    domains: ['mapfold.localhost'],
    cookies: ['mapfold_session'],
  },
  {
    slug: 'weathervane',
    name: 'Weathervane',
    purpose: 'Provides the local weather forecast.',
    category: 'functional',
    dataCategories: ['Network addresses'],
    defaultRetention: '7 days',
    domains: ['weathervane.localhost'],
    cookies: [],
  },
];

/** One script, image or frame of the demo site for each blocking method. */
export const listDemoScripts = (port: string) => [
  {
    handle: 'lumen-analytics',
    label: 'Lumen Analytics: page views',
    category: 'analytics',
    scriptUrl: `http://lumen-analytics.localhost${port}/lumen.js`,
    blockingMethod: 'type_attribute',
    isActive: true,
  },
  {
    handle: 'clipframe',
    label: 'Clipframe: video player',
    category: 'personalisation',
    scriptUrl: `http://clipframe.localhost${port}/embed/cutting-the-reed`,
    blockingMethod: 'data_src',
    isActive: true,
  },
  {
    handle: 'mapfold',
    label: 'Mapfold: embedded map',
    category: 'personalisation',
    scriptUrl: `http://mapfold.localhost${port}/embed`,
    blockingMethod: 'iframe_placeholder',
    isActive: true,
  },
  {
    handle: 'lumen-heatmap',
    label: 'Lumen Analytics: heatmap',
    category: 'analytics',
    scriptUrl: `http://lumen-analytics.localhost${port}/heatmap.js`,
    blockingMethod: 'dynamic_load',
    isActive: true,
  },
];

/**
 * Whether the demo site is the site that this installation protects: no other one is configured.
 * @param url the address of the server
 */
export const isDemoProtected = ({ demo, siteUrl }: Config, url: string): boolean =>
  demo && (siteUrl === undefined || siteUrl === `${new URL(url).origin}/demo`);

/**
 * How the scanner gets to the sample third parties, which are this very process: few resolvers know
 * names below `localhost`, and its own ports are closed to the pages that it looks at.
 */
export function listDemoConnections(config: Config, siteUrl: string) {
  if (!isDemoProtected(config, siteUrl)) return [];
  const { port } = new URL(siteUrl);
  const toPort = Number(port || 80);
  const toHost =
    isIP(config.host) && !/^(?:0\.0\.0\.0|::)$/.test(config.host) ? config.host : '127.0.0.1';
  return [...THIRD_PARTY_NAMES].map((name) => ({
    host: `${name}.localhost`,
    port: toPort,
    toHost,
    toPort,
  }));
}
