import { epochSeconds, readChoice, writeChoice } from './choice.ts';
import { COOKIE_DAYS, type Rules } from './decision.ts';
import { randomId } from './recorder.ts';
import { adopt, type SharedChoice } from './shared-choice.ts';
import type { Choice, Status } from './wire.ts';

/*
 * Part of the banner file only if signed-in visitors share their choice between devices (`consent.shared_choices`). The
 * server of the site makes a token for the person. The cookie remembers the beginning of the subject in it, with which
 * the choice was compared last, and when.
 */

const SUBJECT_LENGTH = 8;
const COMPARED_AGAIN_AFTER_S = 3_600;
/** Tokens are valid for ten minutes. The rest is for the request. */
const TOKEN_FRESH_MS = 9 * 60_000;
const LATE_S = 60;
const TIMEOUT_MS = 3_000;
const DAY_S = 86_400;

export interface Sharing {
  /**
   * Compares the choice of this device with the latest of the person, once per page and hour.
   * @param choice the one of this device, if it counts
   * @param record records what this device adopts
   * @returns undefined if the page need not wait; whether a choice was adopted
   */
  compare(
    status: Status | undefined,
    choice: Choice | undefined,
    record: (made: Choice, source: string) => unknown,
  ): Promise<boolean> | undefined;
  /** Marks a choice as that of the person. @returns what is sent with it */
  sign(made: Choice, source: string): object | undefined;
  /** Marks a choice that was delivered so late that its token had expired: it is sent again with the next one. */
  mark(body: Partial<Choice>): void;
}

/** Without the time of the choice, which the server sets if it was delivered late. */
const toKey = ({ consent_action, categories_accepted, vendors_accepted }: Partial<Choice>) =>
  String([consent_action, categories_accepted, vendors_accepted]);

/** @param gpc whether the request for the banner had the header of Global Privacy Control */
export function startSharing(
  base: string,
  options: { subject?: string | undefined },
  { regime, gpc: hasHeader }: { regime?: Rules | undefined; gpc?: boolean | undefined },
): Sharing {
  const gpc = hasHeader || (navigator as { globalPrivacyControl?: boolean }).globalPrivacyControl;
  const visitorId = randomId();
  let seen: { token: string; since: number } | undefined;
  /** The latest choice of this page. */
  let latest: Choice | undefined;
  /** How the choice that is recorded was made, if not here. */
  let origin: object | undefined;
  let isCompared = false;

  /** Pages that stay open can renew the attribute. */
  function readToken(): { token: string; subject: string; isFresh: boolean } | undefined {
    const tag = document.querySelector<HTMLElement>('script[data-subject]');
    const token = tag?.dataset.subject || options.subject;
    const subject = token?.split('.')[1]?.slice(0, SUBJECT_LENGTH);
    if (!token || !subject) return undefined;
    // The first token is as old as the page.
    if (seen?.token !== token) seen = { token, since: seen ? performance.now() : 0 };
    return { token, subject, isFresh: performance.now() - seen.since < TOKEN_FRESH_MS };
  }

  const toMark = (subject: string) => `${subject}.${epochSeconds()}`;

  /** @returns undefined if the server does not answer */
  async function ask(body: object): Promise<SharedChoice | null | undefined> {
    try {
      const answer = await fetch(`${base}/subject`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      return answer.ok ? (await answer.json()).choice : undefined;
    } catch {}
    return undefined;
  }

  /** @returns what has to be recorded */
  async function findChange(
    { token, subject }: { token: string; subject: string },
    status: Status,
    holds: boolean,
  ): Promise<Choice | undefined> {
    const read = () => readChoice() ?? latest;
    const visitor_id = read()?.visitor_id ?? visitorId;
    const shared = await ask({ subject_token: token, visitor_id });
    if (shared === undefined) return undefined;
    // The visitor can have chosen meanwhile, also in another tab.
    const stored = read();
    const isOthers = !!stored?.shared && !stored.shared.startsWith(`${subject}.`);
    const at = epochSeconds() - (shared?.age ?? 0);
    // Made too late for its token: sent again, unless there is a newer one.
    if (stored?.unshared && holds && !isOthers && (!shared || at <= stored.at)) {
      origin = { source: 'resent' };
      return stored;
    }
    const found =
      shared &&
      adopt(shared, at, {
        local: stored && stored.version >= 0 ? stored : undefined,
        holds,
        isOthers,
        optOut: !!regime?.opt_out,
        isOptional: (id) => status.categories[id]?.required === false,
      });
    if (!found) {
      if (stored) writeChoice({ ...stored, shared: toMark(subject), unshared: undefined });
      return undefined;
    }
    origin = { language: shared.language ?? undefined, gpc: gpc || undefined };
    const days = Math.max(
      status.settings.expiry_days,
      found.categories_rejected[0] ? COOKIE_DAYS : 0,
    );
    const until = found.at + days * DAY_S;
    return { visitor_token: true, ...stored, ...found, visitor_id, until };
  }

  return {
    compare(status, choice, record) {
      const current = readToken();
      const stored = readChoice();
      if (!status?.enabled || isCompared || !current?.isFresh || (gpc && !stored)) return undefined;
      const [subject, at] = stored?.shared?.split('.') ?? [];
      const isKnown =
        subject === current.subject && epochSeconds() - Number(at) < COMPARED_AGAIN_AFTER_S;
      if (isKnown && !stored?.unshared) return undefined;
      isCompared = true;
      const changing = findChange(current, status, !!(choice || gpc)).then((made) => {
        if (!made) return false;
        writeChoice(made);
        // Without cookies the next page would adopt it again, and could be reloaded for it without end.
        if (!readChoice()) return false;
        record(made, 'shared');
        return true;
      });
      return choice ? undefined : changing;
    },
    sign(made, source) {
      const current = readToken();
      if (!current) return undefined;
      const { token, subject, isFresh } = current;
      // To that of the comparison, the token is bound.
      if (!latest && isCompared && !readChoice()) made.visitor_id = visitorId;
      made.shared = toMark(subject);
      made.unshared = isFresh ? undefined : true;
      latest = made;
      // What this page shows is not what the choice was made on.
      const shown = source === 'shared' && { config_hash: undefined, ...origin };
      return { ...(isFresh && { subject_token: token }), ...shown };
    },
    mark(body) {
      const isLate = 'subject_token' in body && epochSeconds() - Number(body.at) > LATE_S;
      const stored = readChoice();
      if (isLate && stored && toKey(stored) === toKey(body))
        writeChoice({ ...stored, unshared: true });
    },
  };
}
