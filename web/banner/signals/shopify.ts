import { onConsent } from './on-consent.ts';

/** Shopify. Source: shopify.dev, “Customer Privacy API” (loading the API; collect and register consent). */
interface Shopify {
  loadFeatures?(features: { name: string; version: string }[], done: () => void): void;
  customerPrivacy?: {
    currentVisitorConsent(): Record<string, string>;
    setTrackingConsent(consent: Record<string, boolean>, done: () => void): void;
  };
}

const shared = window as { Shopify?: Shopify };
let consent: Record<string, boolean> | undefined;

/**
 * Sends no denial before a choice: Shopify would store it as the visitor's refusal. Until there is a choice, Shopify
 * applies the privacy settings of the shop.
 */
function send(): void {
  if (!consent) return;
  shared.Shopify?.loadFeatures?.([{ name: 'consent-tracking-api', version: '0.1' }], () => {
    const api = shared.Shopify?.customerPrivacy;
    const known = api?.currentVisitorConsent();
    if (!known) return;
    for (const purpose in consent) {
      if (known[purpose] === (consent[purpose] ? 'yes' : 'no')) continue;
      api?.setTrackingConsent(consent, () => {});
      return;
    }
  });
}

onConsent((has) => {
  consent = {
    analytics: has('analytics'),
    marketing: has('marketing'),
    preferences: has('personalisation'),
    sale_of_data: has('marketing'),
  };
  send();
});
// Shopify defines `loadFeatures` in a deferred script, and the choice can be known before. What Shopify already has is
// not sent again.
addEventListener('load', send);
