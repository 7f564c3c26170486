import { getSiteOfHost } from '../classify/party.ts';
import { parseDeletion, parseSetCookie } from '../html/set-cookie.ts';
import {
  type ConsentState,
  type CookieObservation,
  type LoadObservation,
  observed,
} from '../observation.ts';
import type { Payload } from './cdp.ts';
import type { VisitClock } from './visit-clock.ts';

type ResponseReceivedExtraInfo = Payload<'Network.responseReceivedExtraInfo'>;

const COOKIES_MAX = 1_000;
const HOPS_MAX = 50;
const URL_MAX = 2_048;
/** Set at a time, in milliseconds after the visit began. */
export type TimedCookie = CookieObservation & { at: number };

/** When the cookies of the browser were read, in milliseconds after the visit began. */
export interface CookieReading {
  /** When reading began. */
  at: number;
  /** When it ended. */
  readAt: number;
  /** Undefined if the browser did not answer in time. */
  cookies: CookieObservation[] | undefined;
}

/** The browser silently rejects invalid cookies of scripts. */
const NOT_STORED = 'NotStored';

/** Report of our page script about a cookie (`line`) or a stored key, without its value. Untrusted. */
export type Report = Partial<
  Record<'at' | 'by' | 'url' | 'line' | 'area' | 'name' | 'origin', unknown>
>;

/** Cookies set by responses and scripts, stored or not. */
export class SetCookies {
  readonly #answers = new Map<
    string,
    { info: ResponseReceivedExtraInfo; state: ConsentState; at: number }[]
  >();
  readonly #scripted: TimedCookie[] = [];
  /** Cookies set by scripts and not deleted since, by name and site. */
  readonly #alive = new Map<string, CookieObservation[]>();
  readonly #undone = new Set<CookieObservation>();
  readonly #deleted = new Set<string>();

  /**
   * @param at milliseconds after the visit began
   * @returns the index of the response to this request; undefined if there are too many
   */
  answered(info: ResponseReceivedExtraInfo, state: ConsentState, at: number): number | undefined {
    const known = this.#answers.get(info.requestId) ?? [];
    if (this.#answers.size >= COOKIES_MAX || known.length > HOPS_MAX) return undefined;
    const setsNone = !Object.keys(info.headers).some((name) => name.toLowerCase() === 'set-cookie');
    // The n-th response belongs to the n-th redirect.
    known.push({ info: setsNone ? { ...info, headers: {} } : info, state, at });
    this.#answers.set(info.requestId, known);
    return known.length - 1;
  }

  /** Untrusted: the page can send reports, too. */
  reported(payload: string, clock: VisitClock): void {
    if (this.#scripted.length >= COOKIES_MAX) return;
    const report = readReport(payload);
    if (!report) return;
    const url = String(report.url);
    if (!/^https?:/.test(url)) return;
    const deletion = parseDeletion(String(report.line), url, Date.now());
    if (deletion) this.#delete(deletion);
    const cookie = parseSetCookie(String(report.line), url, Date.now());
    if (!cookie) return;
    const at = Number(report.at);
    const scripted: TimedCookie = {
      at: clock.elapsed(at),
      kind: 'cookie',
      ...cookie,
      httpOnly: false,
      blockedReasons: [],
      ...(report.by !== undefined && { setBy: String(report.by) }),
      ...observed('dom', clock.stateAt(at), url.slice(0, URL_MAX)),
    };
    this.#scripted.push(scripted);
    const key = toSiteKey(scripted);
    this.#alive.set(key, [...(this.#alive.get(key) ?? []), scripted]);
  }

  /**
   * Cookies that were deleted before they were read from the browser are left out: scripts set them to test for
   * support.
   * @param listHops the requests that led to a response by redirects
   * @param pageUrl for requests that were not recorded
   * @param readings in the order of time
   */
  observations(
    listHops: (requestId: string) => readonly LoadObservation[],
    pageUrl: string,
    readings: readonly CookieReading[],
  ): TimedCookie[] {
    const inJar = new Set(readings.flatMap(({ cookies = [] }) => cookies.map(toKey)));
    const set = this.#scripted
      .filter((cookie) => !this.#undone.has(cookie) || inJar.has(toKey(cookie)))
      .map((cookie) =>
        !inJar.has(toKey(cookie)) && shouldBeRead(cookie, readings)
          ? { ...cookie, blockedReasons: [NOT_STORED] }
          : cookie,
      );
    for (const [requestId, answers] of this.#answers) {
      const hops = listHops(requestId);
      for (const [index, { info, state, at }] of answers.entries()) {
        const hop = hops[index] ?? hops.at(-1);
        const url = hop?.url ?? pageUrl;
        const cookies = headerCookies(info, url, state, hop?.frameUrl ?? url);
        // A rejected cookie was not deleted.
        const isUndone = (cookie: CookieObservation) =>
          cookie.blockedReasons.length === 0 &&
          this.#deleted.has(toSiteKey(cookie)) &&
          !inJar.has(toKey(cookie));
        for (const cookie of cookies) if (!isUndone(cookie)) set.push({ ...cookie, at });
      }
    }
    return set;
  }

  #delete(deletion: Named): void {
    const key = toSiteKey(deletion);
    if (this.#deleted.size < COOKIES_MAX) this.#deleted.add(key);
    for (const cookie of this.#alive.get(key) ?? []) this.#undone.add(cookie);
    this.#alive.delete(key);
  }
}

/** Whether the browser was read after a cookie was set, and before it expired. */
function shouldBeRead(
  { at, lifetimeSeconds }: TimedCookie,
  readings: readonly CookieReading[],
): boolean {
  const next = readings.find((reading) => reading.at >= at);
  const expiresAt = at + (lifetimeSeconds ?? Number.POSITIVE_INFINITY) * 1_000;
  return next?.cookies !== undefined && expiresAt > next.readAt;
}

type Named = Pick<CookieObservation, 'name' | 'domain'>;

const toKey = ({ name, domain }: Named): string => `${name} ${domain}`;
/** Scripts delete on domain and host alike. */
const toSiteKey = ({ name, domain }: Named): string => `${name} ${getSiteOfHost(domain)}`;

export function readReport(payload: string): Report | undefined {
  try {
    const report = JSON.parse(payload);
    return typeof report === 'object' ? (report ?? undefined) : undefined;
  } catch {
    return undefined;
  }
}

function headerCookies(
  info: ResponseReceivedExtraInfo,
  url: string,
  consentState: ConsentState,
  frameUrl: string,
): CookieObservation[] {
  const lines = Object.entries(info.headers)
    .filter(([name]) => name.toLowerCase() === 'set-cookie')
    .flatMap(([, value]) => value.split('\n'));
  return lines.flatMap((line) => {
    const cookie = parseSetCookie(line, url, Date.now());
    if (!cookie) return [];
    const blocked = info.blockedCookies.find(({ cookieLine }) => cookieLine === line);
    return {
      kind: 'cookie' as const,
      ...cookie,
      blockedReasons: blocked?.blockedReasons ?? [],
      setBy: url.slice(0, URL_MAX),
      ...observed('header', consentState, frameUrl),
    };
  });
}
