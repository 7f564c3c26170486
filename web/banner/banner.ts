import { startBlocking } from './blocking.ts';
import { type Consent, type ConsentOptions, createConsent } from './consent.ts';
import { forget } from './cookies.ts';
import { startConsentMode, startWpConsent } from './signals.ts';
import { createView, type Look, type View } from './view.ts';
import { ask, type RegisteredScript, type Texts } from './wire.ts';

export interface BannerOptions extends ConsentOptions, Look {
  /** Of a site with a strict CSP. */
  nonce?: string | undefined;
  /** `off`: Google Consent Mode is left to the site. */
  consentMode?: string | undefined;
  /** `off`: no functions of the WP Consent API; `cookies`: its cookies too. */
  wpConsent?: string | undefined;
}

/** `window.pavis` */
export interface Pavis extends Consent {
  /** Shows the choice. */
  open(): Promise<void>;
  /** Takes every consent back. */
  withdraw(): Promise<void>;
}

/** What the banner says where the server does not. */
const WORDS = {
  direction: '',
  language: '',
  manage_text: 'Preferences',
  save_text: 'Save',
  privacy_text: 'Privacy',
  reopen_text: 'Privacy',
  required_text: 'Always',
  placeholder_text: '{host}',
  load_text: 'Load',
  always_text: 'Always',
};

/** Starts everything: signals, blocking, banner. */
export function startBanner(options: BannerOptions): Pavis {
  const { restRoot, nonce = '', theme, consentMode, wpConsent } = options;
  const tellGoogle = consentMode === 'off' ? undefined : startConsentMode();
  const consent = createConsent(options);
  const tellWp = wpConsent === 'off' ? undefined : startWpConsent(consent, wpConsent === 'cookies');
  const texts = async (): Promise<Texts> => {
    const { status } = consent;
    const said = await consent.texts();
    return {
      ...WORDS,
      ...status?.settings,
      ...said,
      categories: { ...status?.categories, ...said?.categories },
    } as Texts;
  };
  const base = `${restRoot}/svc/v1/consent`;
  const scripts = ask<RegisteredScript[]>(`${base}/scripts`);
  let view: View | undefined;

  consent.onChange((now, before) => {
    view?.close();
    tellGoogle?.(now);
    tellWp?.(now);
    const withdrawn = before.accepted.filter((id) => !now.accepted.includes(id));
    // A choice that was refused is asked for anew, like a withdrawn one on a page that was not used yet.
    if (withdrawn[0] || (before.action && consent.mustAsk)) void startOver(withdrawn);
  });
  startBlocking({ consent, registered: scripts, texts, nonce, theme });

  /** What ran for a consent that is gone can only be ended together with the page. */
  async function startOver(withdrawn: string[]): Promise<void> {
    const done = Promise.all([consent.sent, forget(withdrawn, base)]);
    // A server that does not answer must not hold up a withdrawal.
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
    const words = await texts();
    view ??= createView(consent, status, words, options);
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
