import { expect, test } from 'vitest';
import type { CookieObservation } from '../observation.ts';
import { type CookieReading, SetCookies } from './set-cookies.ts';
import { VisitClock } from './visit-clock.ts';

/** What is said of a cookie that a script sets at 100 ms. */
function setCookie(line: string, readings: readonly CookieReading[]): string[] | undefined {
  const begunAt = Date.now();
  const clock = new VisitClock();
  const cookies = new SetCookies();
  cookies.reported(JSON.stringify({ at: begunAt + 100, line, url: 'http://site.test/' }), clock);
  return cookies.observations(() => [], 'http://site.test/', readings)[0]?.blockedReasons;
}

const reading = (at: number, cookies: CookieObservation[] | undefined): CookieReading => ({
  at,
  readAt: at + 200,
  cookies,
});

test('a cookie is rejected if the browser lacks it after it was set and before it expires', () => {
  for (const line of ['a=1', 'a=1; max-age=60'])
    expect(setCookie(line, [reading(1_000, [])])).toEqual(['NotStored']);
});

test('a cookie is not said to be rejected if the next reading of the browser failed', () => {
  expect(setCookie('a=1', [reading(1_000, undefined)])).toEqual([]);
  expect(setCookie('a=1', [reading(1_000, undefined), reading(2_000, [])])).toEqual([]);
  expect(setCookie('a=1', [reading(0, []), reading(1_000, undefined)])).toEqual([]);
});

test('a cookie that expires before the browser is read is not said to be rejected', () => {
  expect(setCookie('a=1; max-age=2', [reading(3_000, [])])).toEqual([]);
  expect(setCookie('a=1; max-age=2', [reading(1_950, [])])).toEqual([]);
});

test('a cookie that is set after the last reading is not said to be rejected', () => {
  expect(setCookie('a=1', [reading(0, [])])).toEqual([]);
});
