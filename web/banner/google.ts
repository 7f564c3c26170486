import type { Consent } from './model.ts';

/** The consent types of Google Consent Mode and their categories. */
const CONSENT_MODE = {
  functionality_storage: 'functional',
  analytics_storage: 'analytics',
  ad_storage: 'marketing',
  ad_user_data: 'marketing',
  ad_personalization: 'marketing',
  personalization_storage: 'personalisation',
};

const shared = window as { dataLayer?: unknown[] };

/**
 * Google Consent Mode v2: denies all types before a tag of Google can run.
 * @param mode of the banner's tag. `off`: does nothing
 */
export function startConsentMode(consent: Consent, mode: string | undefined): void {
  if (mode === 'off') return;
  shared.dataLayer ??= [];
  // Google's tags read an `arguments` object, not an array.
  function gtag(..._parameters: unknown[]): void {
    // biome-ignore lint/complexity/noArguments: see above
    shared.dataLayer?.push(arguments);
  }
  const all = (accepted: readonly string[]) =>
    Object.fromEntries(
      Object.entries(CONSENT_MODE).map(([name, category]) => [
        name,
        accepted.includes(category) ? 'granted' : 'denied',
      ]),
    );
  gtag('consent', 'default', { ...all([]), security_storage: 'granted', wait_for_update: 500 });
  consent.onChange(({ accepted }) => gtag('consent', 'update', all(accepted)));
}
