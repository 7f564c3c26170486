import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY_MS } from '../platform/durations.ts';
import { type MailFault, nextAttempt, toMailFault } from './rules.ts';

const NOT_OWNED =
  '553 5.7.1 <no-reply@example.com>: Sender address rejected: not owned by user shop';
const NOT_VERIFIED =
  '554 Message rejected: Email address is not verified. The following identities failed the check: no-reply@example.com';
const NOT_OURS = '550 5.7.60 SMTP; Client does not have permissions to send as this sender';
const NO_DOMAIN = '450 4.1.8 <no-reply@example.test>: Sender address rejected: Domain not found';

describe('nextAttempt', () => {
  it.each([
    [{ code: 'EENVELOPE', responseCode: 550 }, 'refused'],
    [{ code: 'EMESSAGE', responseCode: 554 }, 'refused'],
    [{ code: 'EENVELOPE' }, 'refused'],
    [{ code: 'EENVELOPE', responseCode: 451 }, 'deferred'],
    [{ code: 'EMESSAGE', responseCode: 452 }, 'deferred'],
    [{ code: 'EENVELOPE', responseCode: 530 }, 'unreachable'],
    [{ code: 'EMESSAGE', responseCode: 530 }, 'unreachable'],
    [{ code: 'EENVELOPE', responseCode: 553, command: 'MAIL FROM' }, 'unreachable'],
    [{ code: 'EENVELOPE', responseCode: 451, command: 'MAIL FROM' }, 'deferred'],
    [
      { code: 'EENVELOPE', responseCode: 553, command: 'RCPT TO', response: '553 5.1.3 bad' },
      'refused',
    ],
    // Postfix reports a wrong sender after RCPT TO (smtpd_delay_reject).
    [
      { code: 'EENVELOPE', responseCode: 553, command: 'RCPT TO', response: NOT_OWNED },
      'unreachable',
    ],
    [{ code: 'EENVELOPE', responseCode: 450, command: 'RCPT TO', response: NO_DOMAIN }, 'deferred'],
    [
      { code: 'EENVELOPE', responseCode: 550, command: 'RCPT TO', response: '550 5.1.8 x' },
      'unreachable',
    ],
    [
      { code: 'EMESSAGE', responseCode: 554, command: 'DATA', response: NOT_VERIFIED },
      'unreachable',
    ],
    [{ code: 'EMESSAGE', responseCode: 550, command: 'DATA', response: NOT_OURS }, 'unreachable'],
    [{ code: 'EMESSAGE', responseCode: 554, command: 'DATA', response: '554 spam' }, 'refused'],
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
