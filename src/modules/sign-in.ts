import type { Config } from '../config/index.ts';
import type { SignInScope } from '../identity/users/index.ts';
import type { Platform } from '../platform/deps.ts';
import { getSenderName, readSettings, type SiteSettings } from '../privacy/settings/index.ts';
import type { Addresses } from './module.ts';

/** What sign-in needs to know of the installation. */
export const openSignIn = (
  platform: Platform,
  config: Config,
  addresses: () => Addresses,
): SignInScope => ({
  platform,
  passkeyOrigin: () => new URL(getPasskeyUrl(config, addresses())).origin,
  consoleUrl: () => addresses().consoleUrl,
  sender: async () =>
    toSender((await readSettings(platform.datastore.db, addresses().restRoot)).settings),
  timeZone: config.timeZone,
  secondFactorFor: config.secondFactorFor,
});

/**
 * A URL at the host of passkeys. It stays that of `PAVIS_BASE_URL` where the console is at another one: passkeys of
 * one host are lost at the other.
 */
const getPasskeyUrl = ({ services, ...config }: Config, { baseUrl, restRoot }: Addresses) =>
  services.includes('licence') && (config.baseUrl || !services.includes('plugin'))
    ? baseUrl
    : restRoot;

/** Name and language of emails to users. */
export const toSender = (settings: SiteSettings) => ({
  fromName: getSenderName(settings),
  language: settings.consent.languages[0] ?? 'en',
});
