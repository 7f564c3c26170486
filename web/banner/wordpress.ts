import { setCookie } from './choice.ts';
import type { Consent } from './model.ts';
import { changeChoice } from './single-choice.ts';

/** The categories of the WP Consent API and ours. */
const WP_CATEGORIES: Record<string, string> = {
  functional: 'functional',
  statistics: 'analytics',
  'statistics-anonymous': 'analytics',
  marketing: 'marketing',
  preferences: 'personalisation',
};

const shared = window as {
  wp_has_consent?: (category: string) => boolean;
  wp_set_consent?: (category: string, value: string) => void;
};

/**
 * Provides the functions and the event of the WP Consent API. If the plugin itself is on the page, passes consent to it.
 * @param mode of the banner's tag. `cookies`: sets the cookies of the API as well; `off`: does nothing
 */
export function startWpConsent(consent: Consent, mode: string | undefined): void {
  if (mode === 'off') return;
  const ours = (name: string) => WP_CATEGORIES[name] ?? name;
  /** Sites set one category after another: together, they are one choice. */
  const changes = new Map<string, boolean>();
  const set = (name: string, value: string) => {
    if (!changes.size) void consent.ready.then(apply);
    changes.set(ours(name), value === 'allow');
  };
  function apply(): void {
    void changeChoice(consent, changes);
    changes.clear();
  }
  shared.wp_has_consent ??= (name) => consent.has(ours(name));
  shared.wp_set_consent ??= set;

  consent.onChange(({ accepted }) => {
    for (const name in WP_CATEGORIES)
      update(name, accepted.includes(ours(name)) ? 'allow' : 'deny');
  });

  function update(name: string, value: string): void {
    if (shared.wp_set_consent !== set) {
      shared.wp_set_consent?.(name, value);
      return;
    }
    const days = consent.status?.settings.expiry_days ?? 1;
    if (mode === 'cookies') setCookie(`wp_consent_${name}`, value, days * 86_400);
    document.dispatchEvent(
      new CustomEvent('wp_listen_for_consent_change', { detail: { [name]: value } }),
    );
  }
}
