import type { AutoBlocking } from './auto-blocking.ts';
import { startBlocking } from './blocking.ts';
import { type Consent, type ConsentOptions, createConsent } from './consent.ts';
import { deleteVendorData } from './cookies.ts';
import { startConsentMode, startWpConsent } from './signals.ts';
import { createView, type Look, type View } from './view.ts';
import { ask, type RegisteredScript, type Texts } from './wire.ts';

export interface BannerOptions extends ConsentOptions, Look {
  /** Of the site's Content Security Policy. */
  nonce?: string | undefined;
  /** `off`: the site sets Google Consent Mode itself. */
  consentMode?: string | undefined;
  /** `off`: no functions of the WP Consent API. `cookies`: its cookies as well. */
  wpConsent?: string | undefined;
  /** `off`: registered third parties are blocked only where the page has prepared their tags. */
  autoBlocking?: string | undefined;
}

/** `window.pavis` */
export interface Pavis extends Consent {
  /** Opens the preferences. */
  open(): Promise<void>;
  /** Withdraws all consent. */
  withdraw(): Promise<void>;
}

/** Texts that `GET /consent/status` lacks, in case `GET /consent/texts` fails. */
const FALLBACK_TEXTS = {
  direction: '',
  language: '',
  manage_text: 'Preferences',
  save_text: 'Save',
  privacy_text: 'Privacy',
  receipt_text: 'Receipt',
  reopen_text: 'Privacy',
  required_text: 'Always',
  placeholder_text: '{host}',
  load_text: 'Load',
  always_text: 'Always',
};

/** @param onBlocking called if third parties have to be blocked automatically */
export function startBanner(
  options: BannerOptions,
  onBlocking?: (auto: AutoBlocking) => void,
): Pavis {
  const { restRoot, nonce = '', theme, consentMode, wpConsent, autoBlocking } = options;
  const updateGoogle = consentMode === 'off' ? undefined : startConsentMode();
  const consent = createConsent(options);
  const updateWp =
    wpConsent === 'off' ? undefined : startWpConsent(consent, wpConsent === 'cookies');
  const texts = async (): Promise<Texts> => {
    const { status } = consent;
    const loaded = await consent.texts();
    return {
      ...FALLBACK_TEXTS,
      ...status?.settings,
      ...loaded,
      categories: { ...status?.categories, ...loaded?.categories },
    } as Texts;
  };
  const base = `${restRoot}/svc/v1/consent`;
  const scripts = ask<RegisteredScript[]>(`${base}/scripts`);
  let view: View | undefined;

  consent.onChange((now, before) => {
    view?.close();
    updateGoogle?.(now);
    updateWp?.(now);
    const withdrawn = before.accepted.filter((id) => !now.accepted.includes(id));
    // `mustAsk` after a choice: the server has rejected it.
    if (withdrawn[0] || (before.action && consent.mustAsk)) void reload(withdrawn);
  });
  const isAutomatic = autoBlocking !== 'off';
  const auto = startBlocking({ consent, registered: scripts, texts, nonce, theme, isAutomatic });
  if (auto) onBlocking?.(auto);

  /** A script that has run can only be stopped by a reload. */
  async function reload(withdrawn: string[]): Promise<void> {
    const done = Promise.all([consent.sent, deleteVendorData(withdrawn, base)]);
    // A server that does not answer must not delay a withdrawal.
    await Promise.race([done, new Promise((late) => setTimeout(late, 1_500))]);
    location.reload();
  }

  async function open(byVisitor = true): Promise<void> {
    await consent.ready;
    if (!document.body) {
      await new Promise((done) => document.addEventListener('DOMContentLoaded', done));
    }
    const { status } = consent;
    if (!status?.enabled) return;
    const loaded = await texts();
    view ??= createView(consent, status, loaded, options);
    if (byVisitor || consent.mustAsk) view.open(byVisitor);
  }

  document.addEventListener('click', (event) => {
    if (!(event.target as Element).closest?.('[data-pavis-open]')) return;
    event.preventDefault();
    void open();
  });
  void open(false);
  return Object.assign(consent, { open, withdraw: consent.reject });
}
