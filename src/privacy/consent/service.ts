import { createHash } from 'node:crypto';
import type { Static } from 'typebox';
import { toIsoMoment } from '../../platform/clock.ts';
import { isRandomId } from '../../platform/crypto/random-id.ts';
import type { Platform } from '../../platform/deps.ts';
import { DAY_MS } from '../../platform/durations.ts';
import { InvalidFieldError } from '../../platform/errors.ts';
import { toLocalDay } from '../../platform/local-time.ts';
import { getRegimeFor, toBannerRules } from '../regimes/index.ts';
import type { ConsentVersions, CurrentSettings, SettingsCache } from '../settings/index.ts';
import { readShownVersion } from './banner/versions.ts';
import { findHeldToken } from './choice-cookie.ts';
import type { ConsentLimits, Sender } from './limits.ts';
import type { NewConsent } from './recording/store.ts';
import { ConsentWriter } from './recording/writer.ts';
import { completeChoice, completeVendors, NO_VENDORS, toLanguage, toPageUrl } from './rules.ts';
import type { ConsentDecision } from './schemas.ts';
import { getChoiceTime, SHARED_SOURCE } from './shared-choices/rules.ts';
import type { SharedChoices } from './shared-choices/service.ts';
import { VendorOffers } from './vendor-choices.ts';
import { createVisitorToken, openVisitorToken } from './visitor-token.ts';
import { WITHDRAWAL_SOURCE } from './withdrawal/store.ts';

interface CountrySender extends Sender {
  /** ISO 3166-1 alpha-2; undefined if it is unknown. */
  country: () => string | undefined;
}

interface Recorded {
  id: number;
  consent: NewConsent;
  /** Given if the choice asks for one, the visitor id cannot be guessed and the client recorded its first consent. */
  visitorToken: string | undefined;
}

/**
 * Records consent choices.
 * @returns a function that records one and resolves once it is durable. It throws InvalidFieldError and DomainError
 * `rate_limited` or `service_unavailable`
 */
export function createConsentRecorder(
  platform: Platform,
  options: {
    settings: SettingsCache;
    versions: ConsentVersions;
    timeZone: string;
    limits: ConsentLimits;
    shared: SharedChoices;
  },
): (decision: Static<typeof ConsentDecision>, sender: CountrySender) => Promise<Recorded> {
  const { settings, versions, timeZone, limits, shared } = options;
  const writer = new ConsentWriter(platform);
  const offers = new VendorOffers(platform);
  const toDay = toLocalDay(timeZone);

  /** Whether nothing optional is on where the visitor is before they choose. */
  function isAskedFirst({ settings: { consent } }: CurrentSettings, { country }: CountrySender) {
    const day = toDay(platform.clock.now());
    const rules = toBannerRules(getRegimeFor(country(), consent.regimes, day).rules, consent);
    return !rules.opt_out && !rules.exempt;
  }

  return async (decision, sender) => {
    const { visitor_id: visitorId, visitor_token: token = false } = decision;
    // A choice that was made before the response to the first one does not name its token, but the cookie can.
    const sealed = token === true ? findHeldToken(sender.headers.cookie) : token;
    const held = sealed ? openVisitorToken(platform, sealed) : undefined;
    const known = held?.visitorId === visitorId ? held : undefined;
    const now = platform.clock.now();
    limits.assertAllowed(visitorId, sender, known !== undefined && known.expiresAt > now);
    const current = settings.current() ?? (await settings.read());
    const shown = readShownVersion(decision, current, versions);
    const { version, config } = shown instanceof Promise ? await shown : shown;
    const { consent_action, language, page_url, gpc } = decision;
    if (decision.source === WITHDRAWAL_SOURCE) {
      const message = `source must not be ${WITHDRAWAL_SOURCE}: only withdrawals by Pavis have it.`;
      throw new InvalidFieldError('source', message);
    }
    const choice = completeChoice(consent_action, decision, config.categories);
    const hasVendors = decision.vendors_accepted?.[0] ?? decision.vendors_rejected?.[0];
    const isShared = decision.source === SHARED_SOURCE;
    const subject =
      decision.subject_token !== undefined && current.settings.consent.shared_choices
        ? await shared.identify(decision.subject_token, visitorId)
        : undefined;
    // A choice of another device expires when it does there.
    const adopted = isShared && subject !== undefined ? await shared.find(subject) : undefined;
    const choseAt = getChoiceTime(decision, now);
    // Retention counts from the expiry: what a client sends must not make a new record an old one.
    const expiresAt = Math.max(choseAt + config.expiry_days * DAY_MS, now);
    const consent: NewConsent = {
      visitor_id: visitorId,
      ...choice,
      ...(hasVendors === undefined
        ? NO_VENDORS
        : completeVendors(consent_action, decision, choice, await offers.get(current))),
      consent_action,
      day: toDay(now),
      created_at: now,
      config_version: version,
      expires_at: adopted ? Math.min(expiresAt, adopted.expires_at) : expiresAt,
      source: decision.source ?? null,
      language: toLanguage(language),
      page_url: toPageUrl(page_url),
      gpc: gpc === undefined ? null : gpc ? 1 : 0,
    };
    const idempotencyKey = sender.headers['idempotency-key']?.toString();
    const needsFirst = token !== false && isRandomId(visitorId);
    const { id, isRepeat, firstId } = await writer.write({
      consent,
      needsFirst,
      // Clients without a key may send an empty header: their choices are not repetitions of each other.
      repeatKey: idempotencyKey ? repeatKey(idempotencyKey, decision) : undefined,
      // Only what the visitor chose here, on a banner that is known.
      owner:
        subject === undefined || isShared || version === null
          ? undefined
          : { subject, askedFirst: isAskedFirst(current, sender), choseAt },
    });
    if (!isRepeat) {
      platform.hooks.announce('svc_consent_recorded', () => [
        {
          id,
          visitor_id: visitorId,
          categories_accepted: consent.categories_accepted,
          categories_rejected: consent.categories_rejected,
          vendors_accepted: consent.vendors_accepted ?? [],
          vendors_rejected: consent.vendors_rejected ?? [],
          consent_action,
          created_at: toIsoMoment(now),
        },
      ]);
    }
    // A renewed token names the same first record, also after that consent has expired, and expires with this one.
    const recordId = known?.recordId ?? id;
    // An anonymised first record is not found: the token then names an earlier one than all that are.
    const visitorToken =
      firstId !== undefined && recordId <= firstId
        ? createVisitorToken(platform, { visitorId, recordId, expiresAt: consent.expires_at })
        : undefined;
    return { id, consent, visitorToken };
  };
}

/** Identifies a choice that is sent again with the same key. */
const repeatKey = (idempotencyKey: string, decision: Static<typeof ConsentDecision>): string =>
  createHash('sha256')
    .update(JSON.stringify([idempotencyKey, decision]))
    .digest('base64url');
