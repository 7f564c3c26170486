import { isIP } from 'node:net';
import type { Config } from '../config/index.ts';
import { THIRD_PARTY_NAMES } from './third-parties.ts';

/** `pulsecheck` and `adswap` are missing on purpose, as unrecognised domains. */
const VENDORS = [
  {
    slug: 'lumen-analytics',
    name: 'Lumen Analytics',
    purpose: 'Measures visits and page views.',
    category: 'analytics',
    dataCategories: ['Online identifiers', 'Usage data'],
    defaultRetention: '13 months',
    cookies: ['_lumen', 'lumen_visitor', 'lumen.session'],
  },
  {
    slug: 'adtrail',
    name: 'Adtrail',
    purpose: 'Shows our ads on other sites to visitors of this site (retargeting).',
    category: 'marketing',
    dataCategories: ['Online identifiers', 'Usage data', 'Interests'],
    defaultRetention: '12 months',
    cookies: ['adtrail_uid', '_adtrail'],
  },
  {
    slug: 'clipframe',
    name: 'Clipframe',
    purpose: 'Plays embedded videos.',
    category: 'personalisation',
    dataCategories: ['Online identifiers', 'Usage data'],
    defaultRetention: '400 days',
    cookies: ['clip_id', 'clip_volume'],
  },
  {
    slug: 'chatterbox',
    name: 'Chatterbox',
    purpose: 'Live chat with our guests.',
    category: 'personalisation',
    dataCategories: ['Online identifiers', 'Messages'],
    defaultRetention: '6 months',
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
  },
  {
    slug: 'formpost',
    name: 'Formpost',
    purpose: 'Processes our newsletter and call-back forms.',
    category: 'functional',
    dataCategories: ['Names', 'Email addresses', 'Telephone numbers'],
    defaultRetention: '24 months',
  },
  {
    slug: 'fontshelf',
    name: 'Fontshelf',
    purpose: 'Delivers web fonts.',
    category: 'functional',
    dataCategories: ['Network addresses'],
    defaultRetention: '30 days',
  },
  {
    slug: 'mapfold',
    name: 'Mapfold',
    purpose: 'Shows an embedded map with directions.',
    category: 'personalisation',
    dataCategories: ['Network addresses', 'Approximate location'],
    defaultRetention: 'Until the browser is closed',
    cookies: ['mapfold_session'],
  },
  {
    slug: 'weathervane',
    name: 'Weathervane',
    purpose: 'Provides the local weather forecast.',
    category: 'functional',
    dataCategories: ['Network addresses'],
    defaultRetention: '7 days',
  },
];

/** The vendors of the demo site, which the first run adds. */
export const DEMO_VENDORS = VENDORS.map(({ domains, cookies = [], ...vendor }) => ({
  ...vendor,
  domains: domains ?? [`${vendor.slug}.localhost`],
  cookies,
}));

/** The demo site's own cookies, which the first run classifies. */
export const DEMO_COOKIES = [
  { pattern: 'heron_*', category: 'functional', purpose: 'Keeps the booking together.' },
];

/** One script, image or frame of the demo site for each blocking method, which the first run adds. */
export const listDemoScripts = (port: string) =>
  [
    {
      handle: 'lumen-analytics',
      label: 'Lumen Analytics: page views',
      category: 'analytics',
      scriptUrl: `http://lumen-analytics.localhost${port}/lumen.js`,
      blockingMethod: 'type_attribute',
    },
    {
      handle: 'clipframe',
      label: 'Clipframe: video player',
      category: 'personalisation',
      scriptUrl: `http://clipframe.localhost${port}/embed/cutting-the-reed`,
      blockingMethod: 'data_src',
    },
    {
      handle: 'mapfold',
      label: 'Mapfold: embedded map',
      category: 'personalisation',
      scriptUrl: `http://mapfold.localhost${port}/embed`,
      blockingMethod: 'iframe_placeholder',
    },
    {
      handle: 'lumen-heatmap',
      label: 'Lumen Analytics: heatmap',
      category: 'analytics',
      scriptUrl: `http://lumen-analytics.localhost${port}/heatmap.js`,
      blockingMethod: 'dynamic_load',
    },
  ].map((script) => ({ ...script, isActive: true }));

/** @param url the address of the server */
export const isDemoProtected = ({ demo, siteUrl }: Config, url: string): boolean =>
  demo && (siteUrl === undefined || siteUrl === `${new URL(url).origin}/demo`);

/** Connects the scanner to the sample third parties, which are this process. Its own ports are closed to pages otherwise. */
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
