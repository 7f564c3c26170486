import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../platform/durations.ts';
import { createSecret, readSecret } from '../endpoints/rules.ts';
import {
  ATTEMPTS_MAX,
  describeNetworkError,
  findStatusProblem,
  getNextAttempt,
  readRetryAfter,
  sign,
} from './rules.ts';

describe('the signature of webhooks', () => {
  it('is accepted by the library of Standard Webhooks, for each of the secrets', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.stringMatching(/^msg_[A-Za-z0-9]{24}$/),
        (text, id) => {
          const secrets = [createSecret(), createSecret()];
          const body = JSON.stringify({ text });
          const timestamp = Math.floor(Date.now() / 1_000);
          const headers = {
            'webhook-id': id,
            'webhook-timestamp': String(timestamp),
            'webhook-signature': sign(secrets.map(readSecret), { id, timestamp, body }),
          };
          for (const secret of secrets) {
            expect(new Webhook(secret).verify(body, headers)).toEqual({ text });
            expect(() => new Webhook(secret).verify(`${body} `, headers)).toThrow();
            const other = { ...headers, 'webhook-id': 'msg_other' };
            expect(() => new Webhook(secret).verify(body, other)).toThrow();
          }
          expect(() => new Webhook(createSecret()).verify(body, headers)).toThrow();
        },
      ),
    );
  });
});

describe('the schedule of attempts', () => {
  it('ends after about a day, with growing delays', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (random) => {
        let now = 0;
        let last = 0;
        for (let attempts = 1; attempts < ATTEMPTS_MAX; attempts++) {
          const next = getNextAttempt({ attempts, retryAfterMs: 0 }, now, random) as number;
          expect(next - now).toBeGreaterThan(last);
          last = next - now;
          now = next;
        }
        expect(getNextAttempt({ attempts: ATTEMPTS_MAX, retryAfterMs: 0 }, now, random)).toBe(
          undefined,
        );
        expect(now).toBeGreaterThan(0.9 * DAY_MS);
        expect(now).toBeLessThan(1.2 * DAY_MS);
      }),
    );
  });

  it('waits as long as the receiver asks, up to a day', () => {
    const next = (retryAfterMs: number) => getNextAttempt({ attempts: 1, retryAfterMs }, 0, 0.5);
    expect([next(0), next(HOUR_MS), next(90 * DAY_MS)]).toEqual([5_000, HOUR_MS, DAY_MS]);
    const now = Date.parse('2026-11-21T09:30:00Z');
    expect(readRetryAfter('120', now)).toBe(120_000);
    expect(readRetryAfter('Sat, 21 Nov 2026 10:30:00 GMT', now)).toBe(HOUR_MS);
    for (const wrong of [undefined, '', '-5', 'soon', 'Sat, 21 Nov 2020 10:30:00 GMT'])
      expect(readRetryAfter(wrong, now)).toBe(0);
  });

  it('takes every status but 2xx for a failure', () => {
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 999 }), (status) => {
        const isSuccess = status >= 200 && status <= 299;
        expect(findStatusProblem(status) === undefined).toBe(isSuccess);
      }),
    );
  });
});

describe('describeNetworkError', () => {
  it.each([
    ['ECONNRESET', 'socket hang up', 'The endpoint closed the connection without an answer.'],
    [
      'ENOTFOUND',
      'getaddrinfo ENOTFOUND crm.example',
      'The host name of the address does not exist.',
    ],
    [
      'DEPTH_ZERO_SELF_SIGNED_CERT',
      'self-signed certificate',
      'The TLS certificate of the endpoint is not valid: self-signed certificate.',
    ],
    ['HPE_INVALID_CONSTANT', 'Parse Error', 'The endpoint did not answer with HTTP.'],
    ['', 'There was no response within 15 seconds.', 'There was no response within 15 seconds.'],
    ['EOTHER', 'something else', 'something else.'],
  ])('explains %s', (code, message, expected) => {
    expect(describeNetworkError(code, message)).toBe(expected);
  });
});
