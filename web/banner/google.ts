import type { Consent } from './model.ts';

/** The consent types of Google Consent Mode, by category. */
function toConsentTypes(accepted: readonly string[]) {
  const find = (category: string) => (accepted.includes(category) ? 'granted' : 'denied');
  const ad_storage = find('marketing');
  return {
    functionality_storage: find('functional'),
    analytics_storage: find('analytics'),
    ad_storage,
    ad_user_data: ad_storage,
    ad_personalization: ad_storage,
    personalization_storage: find('personalisation'),
  };
}

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
  const denied = toConsentTypes([]);
  gtag('consent', 'default', { ...denied, security_storage: 'granted', wait_for_update: 500 });
  consent.onChange(({ accepted }) => gtag('consent', 'update', toConsentTypes(accepted)));
}
