import { createHash } from 'node:crypto';
import type { Static } from 'typebox';
import { isoMoment } from '../../platform/clock.ts';
import type { Platform } from '../../platform/deps.ts';
import { SlidingWindow } from '../../platform/http/sliding-window.ts';
import { dayIn } from '../../platform/local-time.ts';
import { invalidParam, RestError } from '../../platform/rest/errors.ts';
import type { ConsentVersions, CurrentSettings, SettingsInForce } from '../settings/index.ts';
import type { NewConsent } from './recording/store.ts';
import { ConsentWriter } from './recording/writer.ts';
import { completeChoice, InvalidChoice } from './rules.ts';
import type { ConsentDecision } from './schemas.ts';
import { readShown } from './shown.ts';

const DAY_MS = 86_400_000;
const PER_VISITOR_AND_MINUTE = 60;

/**
 * Records decisions.
 * @returns a function that gives what was recorded and its id; it is on the disk by then. It throws
 * RestError 400 `rest_invalid_param` and 429 `rate_limited`, ApiError 503 `service_unavailable`
 */
export function consentRecorder(
  platform: Platform,
  settings: SettingsInForce,
  versions: ConsentVersions,
  timeZone: string,
): (
  decision: Static<typeof ConsentDecision>,
  idempotencyKey: string | undefined,
) => Promise<{ id: number; consent: NewConsent }> {
  const writer = new ConsentWriter(platform.datastore);
  // Of this node alone: to tell the others of each decision would cost more than a few too many do harm.
  const visitors = new SlidingWindow(PER_VISITOR_AND_MINUTE, 60_000);
  const dayOf = dayIn(timeZone);

  return async (decision, idempotencyKey) => {
    const now = platform.clock.now();
    if (!visitors.hit(decision.visitor_id, platform.clock.monotonic()).allowed) {
      throw new RestError(
        429,
        'rate_limited',
        'This visitor has decided too often within a minute.',
      );
    }
    const current = settings.peek() ?? (await settings.read());
    const shown = readShown(decision, current, versions);
    // Most need not be waited for.
    const { version, config } = shown instanceof Promise ? await shown : shown;
    const consent: NewConsent = {
      visitorId: decision.visitor_id,
      ...choiceOf(decision, config.categories),
      action: decision.consent_action,
      day: dayOf(now),
      createdAt: now,
      configVersion: version,
      expiresAt: now + config.expiry_days * DAY_MS,
      source: decision.source ?? null,
      language: decision.language ?? null,
      pageUrl: decision.page_url === undefined ? null : withoutQuery(decision.page_url),
      gpc: decision.gpc ?? null,
    };
    const { id, isRepeat } = await writer.write({
      consent,
      repeatKey: idempotencyKey && repeatKey(idempotencyKey, decision),
    });
    if (isRepeat) return { id, consent };
    platform.hooks.announce('svc_consent_recorded', () => [
      {
        id,
        visitor_id: consent.visitorId,
        categories_accepted: consent.accepted,
        categories_rejected: consent.rejected,
        consent_action: consent.action,
        created_at: isoMoment(consent.createdAt),
      },
    ]);
    return { id, consent };
  };
}

/** The same for the same decision with the same key, and for no other. */
const repeatKey = (idempotencyKey: string, decision: Static<typeof ConsentDecision>): string =>
  createHash('sha256')
    .update(JSON.stringify([idempotencyKey, decision]))
    .digest('base64url');

function choiceOf(
  {
    consent_action,
    categories_accepted = [],
    categories_rejected = [],
  }: Static<typeof ConsentDecision>,
  categories: CurrentSettings['settings']['consent']['categories'],
) {
  try {
    const lists = { accepted: categories_accepted, rejected: categories_rejected };
    return completeChoice(consent_action, lists, categories);
  } catch (error) {
    if (error instanceof InvalidChoice) throw invalidParam(error.parameter, error.message);
    throw error;
  }
}

function withoutQuery(pageUrl: string): string {
  const { origin, pathname } = new URL(pageUrl);
  return origin + pathname;
}
