import { setCookie } from './choice.ts';
import type { Rules } from './decision.ts';
import type { Consent } from './model.ts';
import { isParsed } from './parsed.ts';
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
  wp_consent_type?: string;
};

/**
 * Provides the functions and the event of the WP Consent API. If the plugin itself is on the page, passes consent to it.
 * @param mode of the banner's tag. `cookies`: sets the cookies of the API as well; `off`: does nothing
 * @param rules for the visitor's country
 */
export function startWpConsent(
  consent: Consent,
  mode: string | undefined,
  rules: Rules = {},
): void {
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
  // Without a type, the plugin accepts all. With `optout`, it accepts what has no cookie: not where something is rejected.
  shared.wp_consent_type = rules.opt_out && !consent.state.rejected[0] ? 'optout' : 'optin';

  const days = () => consent.status?.settings.expiry_days ?? 1;
  const toValue = (name: string) => (consent.has(ours(name)) ? 'allow' : 'deny');
  consent.onChange(() => {
    if (shared.wp_set_consent !== set) return;
    for (const name in WP_CATEGORIES) {
      const value = toValue(name);
      if (mode === 'cookies') setCookie(`wp_consent_${name}`, value, days() * 86_400);
      document.dispatchEvent(
        new CustomEvent('wp_listen_for_consent_change', { detail: { [name]: value } }),
      );
    }
  });

  // The plugin stands at the end of the page, and takes the place of the functions there.
  document.addEventListener('pavis:consent', () => pass(() => true));
  void isParsed
    .then(() => {
      document.dispatchEvent(new CustomEvent('wp_consent_type_defined'));
      return consent.ready;
    })
    // Before a choice, only what it still has of an earlier one: no cookie is set without need.
    .then(() => pass((name) => toValue(name) === 'deny' && shared.wp_has_consent?.(name)));

  function pass(isPassed: (name: string) => boolean | undefined): void {
    if (shared.wp_set_consent === set) return;
    for (const name in WP_CATEGORIES)
      if (isPassed(name)) shared.wp_set_consent?.(name, toValue(name));
  }
}
