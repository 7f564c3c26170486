import { createHash } from 'node:crypto';
import type { Static } from 'typebox';
import { toIsoMoment } from '../../platform/clock.ts';
import { isRandomId } from '../../platform/crypto/random-id.ts';
import type { Platform } from '../../platform/deps.ts';
import { DAY_MS } from '../../platform/durations.ts';
import { toLocalDay } from '../../platform/local-time.ts';
import type { ConsentVersions, SettingsCache } from '../settings/index.ts';
import { readShownVersion } from './banner/versions.ts';
import { ConsentLimits, type Sender } from './limits.ts';
import type { NewConsent } from './recording/store.ts';
import { ConsentWriter } from './recording/writer.ts';
import { completeChoice, completeVendors, NO_VENDORS } from './rules.ts';
import type { ConsentDecision } from './schemas.ts';
import { VendorOffers } from './vendor-choices.ts';
import { createVisitorToken, openVisitorToken } from './visitor-token.ts';

interface Recorded {
  id: number;
  consent: NewConsent;
  /** Given if the choice asks for one and the visitor id cannot be guessed. */
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
    perMinute: number | undefined;
  },
): (decision: Static<typeof ConsentDecision>, sender: Sender) => Promise<Recorded> {
  const { settings, versions, timeZone, perMinute } = options;
  const writer = new ConsentWriter(platform.datastore);
  const limits = new ConsentLimits(platform, perMinute);
  const offers = new VendorOffers(platform);
  const toDay = toLocalDay(timeZone);

  return async (decision, sender) => {
    const { visitor_id: visitorId, visitor_token: token = false } = decision;
    const held = typeof token === 'string' ? openVisitorToken(platform, token) : undefined;
    const known = held?.visitorId === visitorId ? held : undefined;
    limits.assertAllowed(visitorId, sender, known !== undefined);
    const now = platform.clock.now();
    const current = settings.current() ?? (await settings.read());
    const shown = readShownVersion(decision, current, versions);
    const { version, config } = shown instanceof Promise ? await shown : shown;
    const { consent_action, page_url, gpc } = decision;
    const choice = completeChoice(consent_action, decision, config.categories);
    const hasVendors = decision.vendors_accepted?.[0] ?? decision.vendors_rejected?.[0];
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
      expires_at: now + config.expiry_days * DAY_MS,
      source: decision.source ?? null,
      language: decision.language ?? null,
      page_url: page_url === undefined ? null : withoutQuery(page_url),
      gpc: gpc === undefined ? null : gpc ? 1 : 0,
    };
    const idempotencyKey = sender.headers['idempotency-key']?.toString();
    const { id, isRepeat } = await writer.write({
      consent,
      repeatKey: idempotencyKey && repeatKey(idempotencyKey, decision),
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
    // A renewed token names the same first record and expires with this consent.
    const recordId = known?.recordId ?? id;
    const visitorToken =
      token !== false && isRandomId(visitorId)
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

function withoutQuery(pageUrl: string): string {
  const { origin, pathname } = new URL(pageUrl);
  return origin + pathname;
}
