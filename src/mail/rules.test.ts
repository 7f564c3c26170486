import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY_MS } from '../platform/durations.ts';
import { type MailFault, nextAttempt, toMailFault } from './rules.ts';

describe('nextAttempt', () => {
  it.each([
    [{ code: 'EENVELOPE', responseCode: 550 }, 'refused'],
    [{ code: 'EMESSAGE', responseCode: 554 }, 'refused'],
    [{ code: 'EENVELOPE' }, 'refused'],
    [{ code: 'EENVELOPE', responseCode: 451 }, 'deferred'],
    [{ code: 'EMESSAGE', responseCode: 452 }, 'deferred'],
    [{ code: 'EENVELOPE', responseCode: 530 }, 'unreachable'],
    [{ code: 'EMESSAGE', responseCode: 530 }, 'unreachable'],
    [{ code: 'EAUTH', responseCode: 535 }, 'unreachable'],
    [{ code: 'EPROTOCOL', responseCode: 554 }, 'unreachable'],
    [{ code: 'ESOCKET' }, 'unreachable'],
    [Object.assign(new Error('aborted'), { code: 'ABORT_ERR' }), 'unreachable'],
    [undefined, 'unreachable'],
  ] as [unknown, MailFault][])('%j is %s', (error, fault) => {
    expect(toMailFault(error)).toBe(fault);
  });

  it('gives up at once after a refusal, else after four days', () => {
    const mail = { attempts: 1, deferrals: 1, createdAt: 0 };
    expect(nextAttempt('refused', mail, 0, 0.5)).toBeUndefined();
    for (const fault of ['deferred', 'unreachable'] as const) {
      expect(nextAttempt(fault, mail, 4 * DAY_MS - 1, 0.5)).toBeDefined();
      expect(nextAttempt(fault, mail, 4 * DAY_MS, 0.5)).toBeUndefined();
    }
  });

  it('grows the delay, within 20 per cent, up to half a day', () => {
    const count = fc.integer({ min: 1, max: 500 });
    fc.assert(
      fc.property(count, fc.double({ min: 0, max: 1, noNaN: true }), (attempts, random) => {
        for (const fault of ['deferred', 'unreachable'] as const) {
          const wait = (after: number, at = random) =>
            nextAttempt(fault, { attempts: after, deferrals: after, createdAt: 0 }, 0, at) ?? 0;
          const middle = wait(attempts, 0.5);
          expect(wait(attempts)).toBeGreaterThanOrEqual(middle * 0.8 - 1);
          expect(wait(attempts)).toBeLessThanOrEqual(middle * 1.2 + 1);
          expect(wait(attempts + 1, 0.5)).toBeGreaterThanOrEqual(middle);
          expect(middle).toBeLessThanOrEqual(fault === 'deferred' ? DAY_MS / 2 : 60_000);
        }
      }),
    );
  });
});
