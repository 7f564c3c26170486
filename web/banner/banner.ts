import type { AutoBlocking } from './auto-blocking.ts';
import { type BlockingOptions, startBlocking } from './blocking.ts';
import { type ConsentOptions, createConsent, getLanguage } from './consent.ts';
import type { Consent } from './model.ts';
import type { Preferences } from './preferences.ts';
import { toRestRoot } from './rest-root.ts';
import { findKnown, loadDetails, served } from './served.ts';
import { createView, type Look, type View } from './view.ts';
import { ask, type RegisteredScript, type Status } from './wire.ts';

export interface BannerOptions extends Partial<ConsentOptions>, BlockingOptions, Look {
  /** `off`: the site sets Google Consent Mode itself. */
  consentMode?: string | undefined;
  /** `off`: no functions of the WP Consent API. `cookies`: its cookies as well. */
  wpConsent?: string | undefined;
}

/** `window.pavis` */
export interface Pavis extends Consent {
  /** Opens the preferences. */
  open(): Promise<void>;
  /** Withdraws all consent. */
  withdraw(): Promise<void>;
  /** Whether a vendor, by slug, is accepted. Only if visitors can choose vendors (`consent.vendor_choices`). */
  hasVendor?(slug: string): boolean;
}

/** How long a visitor waits for a server that does not answer. */
const wait = () => new Promise<undefined>((done) => setTimeout(done, 5_000));

/**
 * @param file the address of the banner's file. The default REST root is that of its server
 * @param onBlocking called if third parties have to be blocked automatically
 */
export function startBanner(
  file: string,
  given: BannerOptions,
  onBlocking?: (auto: AutoBlocking) => void,
): Pavis {
  const options = { ...given, restRoot: toRestRoot(given.restRoot, file) };
  const { restRoot } = options;
  // With another REST root, what this file knows can be that of another server.
  const known = given.restRoot ? {} : findKnown(getLanguage(options), restRoot);
  const consent = createConsent(options, known);
  served.parts?.startConsentMode?.(consent, given.consentMode);
  served.parts?.startWpConsent?.(consent, given.wpConsent, known.regime);
  let failures = 0;
  // Browsers load a module once, and do not request an address again that has failed.
  const details = () =>
    loadDetails(file, failures).catch((error) => {
      failures++;
      throw error;
    });
  const base = `${restRoot}/svc/v1/consent`;
  const scripts = known.scripts ?? ask<RegisteredScript[]>(`${base}/scripts`);
  let view: View | undefined;
  /** What the view was made for. Another tab can have shown a newer version since. */
  let shown: Status | undefined;
  let isLoading = true;

  consent.onChange((now, before) => {
    view?.close();
    const withdrawn = before.accepted.filter((id) => !now.accepted.includes(id));
    // No action after one: the server has rejected the choice.
    if (withdrawn[0] || (before.action && !now.action)) void reload(withdrawn);
  });
  const auto = startBlocking(consent, scripts, details, options);
  if (auto) onBlocking?.(auto);

  /** A script that has run can only be stopped by a reload. */
  async function reload(withdrawn: string[]): Promise<void> {
    const deleted = details()
      .then((all) => all.deleteVendorData(withdrawn, base, consent.state.accepted))
      .catch(Object);
    // A server that does not answer must not delay a withdrawal.
    await Promise.race([consent.sent.then(() => deleted), wait()]);
    location.reload();
  }

  async function open(byVisitor = true): Promise<void> {
    await consent.ready;
    isLoading = false;
    const { status } = consent;
    const first = status?.enabled && (await consent.firstTexts());
    if (!first) return;
    if (shown !== status) {
      view?.root.host.remove();
      shown = status;
      view = createView(consent, status, first, options, loadPreferences);
      known.parts?.showRegime?.(view.root, consent, first, known.regime);
    }
    if (byVisitor || consent.mustAsk) await (view as View).open(byVisitor);
  }

  /** @returns undefined if the server cannot be reached */
  function loadPreferences(root: ShadowRoot): Promise<Preferences | undefined> {
    // The request starts at once.
    void consent.texts();
    const loaded = details().then((all) => all.createPreferences(root, { consent, restRoot }));
    return Promise.race([loaded, wait()]).catch(() => undefined);
  }

  // Listens before the page, which can stop the event.
  document.addEventListener(
    'click',
    (event) => {
      // The target is the host if the element is in a shadow root.
      const isOpener = event
        .composedPath()
        .some((each) => each instanceof Element && each.matches('[data-pavis-open]'));
      // A link leads on if there is nothing to open.
      if (!isOpener || !(consent.status?.enabled ?? isLoading)) return;
      event.preventDefault();
      // After the listeners of the page, which can move the focus.
      setTimeout(open);
    },
    true,
  );
  void open(false);
  return Object.assign(consent, { open, withdraw: consent.reject }, served.parts?.vendorApi);
}
