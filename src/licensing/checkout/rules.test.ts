import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSignature } from '../../../test/support/stripe.ts';
import { DAY_MS } from '../../platform/durations.ts';
import { INTERVALS, NEVER, type Product } from '../products/index.ts';
import { PAYMENT_EVENTS } from './events.ts';
import type { Fact, RecordedFact } from './facts.ts';
import {
  choosePrice,
  findPrice,
  findUnknownTier,
  listSold,
  listSoldPrices,
  type Price,
  parsePrices,
} from './prices.ts';
import { addInterval, getPaymentState, parseRedirect } from './rules.ts';
import { isSigned } from './signature.ts';

const START = Date.parse('2026-11-21T09:30:00Z');

let told = 0;
/** Of the first payment, unless it is said which one. */
const tell = (day: number, fact: Fact, refs = REFS[fact.kind]): RecordedFact => ({
  eventId: `evt_${++told}`,
  at: START + day * DAY_MS,
  fact,
  refs,
});
const REFS: Record<Fact['kind'], string[]> = {
  session: ['cs_1', 'sub_1', 'in_1'],
  session_failed: ['cs_1'],
  invoice_paid: ['in_1', 'sub_1', 'pi_1'],
  invoice_failed: ['in_9', 'sub_1'],
  subscription: ['sub_1'],
  subscription_ended: ['sub_1'],
  refund: ['ch_1', 'pi_1', 'in_1'],
  refund_failed: ['ch_1', 'pi_1'],
  dispute: ['ch_1', 'pi_1', 'in_1'],
  link: ['in_1', 'pi_1'],
};
/** The ids of the payment with a number. */
const payment = (number: number) => [`in_${number}`, 'sub_1', `pi_${number}`];
const session = (isPaid = true): Fact => ({
  kind: 'session',
  session: 'cs_1',
  isPaid,
  mode: 'live',
  tier: 'pro',
  interval: 'year',
});
const paid = (day: number): Fact => ({ kind: 'invoice_paid', until: START + day * DAY_MS });
const subscription = (status: string, renews = true, tier: 'agency' | null = null): Fact => ({
  kind: 'subscription',
  status,
  renews,
  tier,
});
/** An active subscription that is cancelled on a day. */
const endsOn = (day: number): Fact =>
  ({ ...subscription('active'), cancelAt: START + day * DAY_MS }) as Fact;
/** Of a period, from a day to another one. */
const period = (from: number, until: number, more: object = {}): Fact => ({
  kind: 'invoice_paid',
  from: START + from * DAY_MS,
  until: START + until * DAY_MS,
  charged: 4_900,
  paid: 4_900,
  ...more,
});
const trial = (status: string, end: number, more: object = {}): Fact => ({
  kind: 'subscription',
  status,
  renews: true,
  tier: 'pro',
  trialEnd: START + end * DAY_MS,
  ...more,
});
const refund = (refunded: number, amount = 4_900): Fact => ({
  kind: 'refund',
  isFull: refunded === amount,
  charge: 'ch_1',
  amount,
  refunded,
});
const dispute = (outcome: 'inquiry' | 'open' | 'won' | 'lost', id = 'dp_1'): Fact => ({
  kind: 'dispute',
  dispute: id,
  outcome,
});

describe('State of a purchase', () => {
  it.each<[string, RecordedFact[], object | undefined]>([
    ['undefined while unpaid', [tell(0, session(false)), tell(0, paid(365))], undefined],
    [
      'a year from the purchase before the first invoice',
      [tell(0, session())],
      { expiresAt: Date.parse('2027-11-21T09:30:00Z'), tier: 'pro', renews: true, graceDays: 14 },
    ],
    [
      'the period of the latest invoice',
      [tell(0, session()), tell(0, paid(365)), tell(365, paid(730))],
      { expiresAt: START + 730 * DAY_MS },
    ],
    [
      'lifetime for a single payment, whatever the period on its invoice',
      [tell(0, { ...session(), interval: 'once', quantity: 3 } as Fact), tell(0, paid(0))],
      { expiresAt: NEVER, renews: false, graceDays: 0, quantity: 3 },
    ],
    [
      'past due after a failed renewal',
      [
        tell(0, session()),
        tell(0, paid(30)),
        tell(30, { kind: 'invoice_failed', invoice: 'in_2' }),
      ],
      {
        failedAt: START + 30 * DAY_MS,
        expiresAt: START + 30 * DAY_MS,
        graceDays: 14,
        suspension: null,
      },
    ],
    [
      'no longer past due after a later payment',
      [
        tell(0, session()),
        tell(30, { kind: 'invoice_failed', invoice: 'in_2' }),
        tell(32, paid(60)),
      ],
      { failedAt: null, expiresAt: START + 60 * DAY_MS },
    ],
    [
      'the paid period without grace when cancelled',
      [tell(0, session()), tell(0, paid(30)), tell(9, { kind: 'subscription_ended' })],
      { expiresAt: START + 30 * DAY_MS, graceDays: 0, renews: false, suspension: null },
    ],
    [
      'the same when it is cancelled at the end of the period',
      [tell(0, session()), tell(0, paid(30)), tell(9, subscription('active', false))],
      { graceDays: 0, renews: false, suspension: null },
    ],
    [
      'renewing while its end is later than the paid period',
      [tell(0, session()), tell(0, paid(30)), tell(9, endsOn(60))],
      { graceDays: 14, renews: true, expiresAt: START + 30 * DAY_MS },
    ],
    [
      'the paid period without grace once the last period before its end is paid',
      [
        tell(0, session()),
        tell(0, period(0, 30)),
        tell(9, endsOn(60)),
        tell(30, period(30, 60), payment(2)),
      ],
      { graceDays: 0, renews: false, expiresAt: START + 60 * DAY_MS },
    ],
    [
      'not renewing if it ends with its trial',
      [
        tell(0, session()),
        tell(0, trial('trialing', 14, { hasPaymentMethod: true, cancelAt: START + 14 * DAY_MS })),
      ],
      { graceDays: 0, renews: false },
    ],
    [
      'renewing again when the cancellation is withdrawn',
      [
        tell(0, session()),
        tell(9, subscription('active', false)),
        tell(10, subscription('active')),
      ],
      { graceDays: 14, renews: true },
    ],
    [
      'suspended while unpaid',
      [tell(0, session()), tell(0, paid(30)), tell(44, subscription('unpaid'))],
      { suspension: 'unpaid' },
    ],
    [
      'no longer renewing once Stripe has ended a subscription that was never paid',
      [tell(0, session()), tell(1, subscription('incomplete_expired'))],
      { renews: false, suspension: 'unpaid' },
    ],
    [
      'not suspended after the payment',
      [tell(0, session()), tell(44, subscription('unpaid')), tell(50, paid(80))],
      { suspension: null },
    ],
    [
      'ended, although an update arrives after the end',
      [
        tell(0, session()),
        tell(5, { kind: 'subscription_ended' }),
        tell(6, subscription('active')),
      ],
      { renews: false, graceDays: 0 },
    ],
    [
      'of the tier of the subscription',
      [
        tell(0, session()),
        tell(3, subscription('active', true, 'agency')),
        tell(4, subscription('active')),
      ],
      { tier: 'agency' },
    ],
    [
      'revoked by a full refund',
      [tell(0, session()), tell(1, { kind: 'refund', isFull: true })],
      { revocation: 'refunded' },
    ],
    [
      'unchanged by a partial refund',
      [tell(0, session()), tell(1, { kind: 'refund', isFull: false })],
      { revocation: null, suspension: null },
    ],
    [
      'suspended by a dispute',
      [tell(0, session()), tell(1, dispute('open'))],
      { suspension: 'disputed', revocation: null },
    ],
    [
      'active when the dispute is won',
      [tell(0, session()), tell(9, dispute('won')), tell(1, dispute('open'))],
      { suspension: null, revocation: null },
    ],
    [
      'revoked when the dispute is lost',
      [tell(0, session()), tell(9, dispute('lost')), tell(1, dispute('open'))],
      { suspension: null, revocation: 'dispute_lost' },
    ],
    [
      'suspended by a second dispute after a first was won',
      [
        tell(0, session()),
        tell(1, dispute('open')),
        tell(2, dispute('won')),
        tell(3, dispute('open', 'dp_2')),
      ],
      { suspension: 'disputed' },
    ],
    [
      'unchanged when the difference of an upgrade is refunded',
      [
        tell(0, session()),
        tell(0, period(0, 365)),
        tell(90, period(90, 365, { isDifference: true, charged: 900, paid: 900 }), payment(2)),
        tell(91, refund(900, 900), ['ch_1', 'pi_2']),
      ],
      { revocation: null, suspension: null, expiresAt: START + 365 * DAY_MS },
    ],
    [
      'revoked when the year of an upgrade is refunded',
      [
        tell(0, session()),
        tell(0, period(0, 365)),
        tell(90, period(90, 365, { isDifference: true, charged: 900, paid: 900 }), payment(2)),
        tell(91, refund(4_900)),
      ],
      { revocation: 'refunded' },
    ],
    [
      'unchanged when a past period is refunded',
      [
        tell(0, session()),
        tell(0, period(0, 30)),
        tell(30, period(30, 60), payment(2)),
        tell(31, refund(4_900)),
      ],
      { revocation: null, expiresAt: START + 60 * DAY_MS },
    ],
    [
      'revoked when the current period is refunded',
      [
        tell(0, session()),
        tell(0, period(0, 30)),
        tell(30, period(30, 60), payment(2)),
        tell(31, refund(4_900), ['ch_1', 'pi_2']),
      ],
      { revocation: 'refunded' },
    ],
    [
      'restored by the payment for the next period',
      [
        tell(0, session()),
        tell(0, period(0, 30)),
        tell(1, refund(4_900)),
        tell(30, period(30, 60), payment(2)),
      ],
      { revocation: null, expiresAt: START + 60 * DAY_MS },
    ],
    [
      'unchanged when one of two payments of an invoice is refunded',
      [
        tell(0, session()),
        tell(0, period(0, 365, { paid: 9_800 })),
        tell(0, { kind: 'link' }, ['in_1', 'pi_b']),
        tell(1, refund(4_900)),
      ],
      { revocation: null },
    ],
    [
      'revoked when all payments of an invoice are refunded',
      [
        tell(0, session()),
        tell(0, period(0, 365, { paid: 9_800 })),
        tell(0, { kind: 'link' }, ['in_1', 'pi_b']),
        tell(1, refund(4_900)),
        tell(2, { ...refund(4_900), charge: 'ch_b' } as Fact, ['ch_b', 'pi_b']),
      ],
      { revocation: 'refunded' },
    ],
    [
      'restored when the refund fails',
      [
        tell(0, session()),
        tell(0, period(0, 365)),
        tell(1, refund(4_900)),
        tell(3, { kind: 'refund_failed', refund: 're_1', charge: 'ch_1', amount: 4_900 }),
        tell(3, { kind: 'refund_failed', refund: 're_1', charge: 'ch_1', amount: 4_900 }),
      ],
      { revocation: null },
    ],
    [
      'revoked by a second refund after a first has failed',
      [
        tell(0, session()),
        tell(0, period(0, 365)),
        tell(1, refund(4_900)),
        tell(3, { kind: 'refund_failed', refund: 're_1', charge: 'ch_1', amount: 4_900 }),
        tell(5, refund(4_900)),
      ],
      { revocation: 'refunded' },
    ],
    [
      'revoked by the refund of a single payment, and restored when the refund fails',
      [
        tell(0, { ...session(), interval: 'once' } as Fact, ['cs_1', 'pi_1']),
        tell(1, refund(4_900), ['ch_1', 'pi_1']),
      ],
      { revocation: 'refunded', expiresAt: NEVER },
    ],
    [
      'unchanged by an inquiry, under review and closed',
      [tell(0, session()), tell(1, dispute('inquiry')), tell(4, dispute('inquiry'))],
      { suspension: null, revocation: null },
    ],
    [
      'suspended once an inquiry becomes a dispute',
      [tell(0, session()), tell(1, dispute('inquiry')), tell(4, dispute('open'))],
      { suspension: 'disputed' },
    ],
    [
      'suspended while a lost dispute is under appeal',
      [
        tell(0, session()),
        tell(1, dispute('open')),
        tell(9, dispute('lost')),
        tell(12, dispute('open')),
      ],
      { suspension: 'disputed', revocation: null },
    ],
    [
      'restored when the appeal is won',
      [
        tell(0, session()),
        tell(1, dispute('open')),
        tell(9, dispute('lost')),
        tell(12, dispute('open')),
        tell(20, dispute('won')),
      ],
      { suspension: null, revocation: null },
    ],
    [
      'the end of the month after a change from a year to a month',
      [
        tell(0, session()),
        tell(0, period(0, 365)),
        tell(100, period(100, 130, { paid: 0 }), payment(2)),
      ],
      { expiresAt: START + 130 * DAY_MS },
    ],
    [
      'the end of the year after a change from a month to a year',
      [tell(0, session()), tell(0, period(0, 30)), tell(10, period(10, 375), payment(2))],
      { expiresAt: START + 375 * DAY_MS },
    ],
    [
      'the end of the latest period although an earlier one is paid late',
      [
        tell(0, session()),
        tell(0, period(0, 30)),
        tell(60, period(60, 90), payment(3)),
        tell(61, period(30, 60), payment(2)),
      ],
      { expiresAt: START + 90 * DAY_MS },
    ],
    [
      'the end of the trial without grace while there is no payment method',
      [
        tell(0, session()),
        tell(0, trial('trialing', 14)),
        tell(0, period(0, 14, { charged: 0, paid: 0 })),
      ],
      { expiresAt: START + 14 * DAY_MS, graceDays: 0, renews: true },
    ],
    [
      'the same before the invoice over 0 arrives',
      [tell(0, session()), tell(0, trial('trialing', 14))],
      { expiresAt: START + 14 * DAY_MS, graceDays: 0 },
    ],
    [
      'a day of grace after a trial with a card',
      [
        tell(0, session()),
        tell(0, trial('trialing', 14, { hasPaymentMethod: true })),
        tell(0, period(0, 14, { charged: 0, paid: 0 })),
      ],
      { expiresAt: START + 14 * DAY_MS, graceDays: 1 },
    ],
    [
      'without grace once the charge has failed',
      [
        tell(0, session()),
        tell(0, trial('trialing', 14, { hasPaymentMethod: true })),
        tell(0, period(0, 14, { charged: 0, paid: 0 })),
        tell(14, trial('past_due', 14, { hasPaymentMethod: true })),
        tell(14, { kind: 'invoice_failed', invoice: 'in_2' }),
      ],
      { expiresAt: START + 14 * DAY_MS, graceDays: 0 },
    ],
    [
      'paused when a trial ends without a payment method',
      [
        tell(0, session()),
        tell(0, period(0, 14, { charged: 0, paid: 0 })),
        tell(14, trial('paused', 14)),
      ],
      { expiresAt: START + 14 * DAY_MS, graceDays: 0, suspension: 'paused' },
    ],
    [
      'ended when a trial is cancelled for lack of a payment method',
      [
        tell(0, session()),
        tell(0, period(0, 14, { charged: 0, paid: 0 })),
        tell(14, { kind: 'subscription_ended' }),
      ],
      { expiresAt: START + 14 * DAY_MS, graceDays: 0, renews: false },
    ],
    [
      'the paid period after a trial',
      [
        tell(0, session()),
        tell(0, trial('trialing', 14, { hasPaymentMethod: true })),
        tell(0, period(0, 14, { charged: 0, paid: 0 })),
        tell(14, period(14, 379), payment(2)),
        tell(14, trial('active', 14, { hasPaymentMethod: true })),
      ],
      { expiresAt: START + 379 * DAY_MS, graceDays: 14, suspension: null },
    ],
    [
      'paused until Stripe resumes it, whatever earlier invoices are paid',
      [
        tell(0, session()),
        tell(0, period(0, 30)),
        tell(5, subscription('paused')),
        tell(6, period(-30, 0), payment(2)),
      ],
      { suspension: 'paused' },
    ],
    [
      'active when it is resumed',
      [tell(0, session()), tell(5, subscription('paused')), tell(9, subscription('active'))],
      { suspension: null },
    ],
    [
      'valid when a dispute about an earlier period is opened or lost',
      [
        tell(0, session()),
        tell(0, period(0, 30)),
        tell(30, period(30, 60), payment(2)),
        tell(31, dispute('open')),
        tell(40, dispute('lost', 'dp_2')),
      ],
      { suspension: null, revocation: null },
    ],
    [
      'valid again once the period after a lost dispute is paid',
      [
        tell(0, session()),
        tell(0, period(0, 30)),
        tell(5, dispute('lost')),
        tell(30, period(30, 60), payment(2)),
      ],
      { revocation: null },
    ],
    [
      'revoked when the dispute about the current period is lost',
      [
        tell(0, session()),
        tell(0, period(0, 30)),
        tell(30, period(30, 60), payment(2)),
        tell(40, dispute('lost'), ['ch_2', 'pi_2']),
      ],
      { revocation: 'dispute_lost' },
    ],
    [
      'valid when the difference of an upgrade is disputed',
      [
        tell(0, session()),
        tell(0, period(0, 30)),
        tell(10, period(10, 30, { isDifference: true }), payment(2)),
        tell(12, dispute('lost'), ['ch_2', 'pi_2']),
      ],
      { revocation: null },
    ],
    [
      'disputed rather than unpaid if both apply',
      [tell(0, session()), tell(5, subscription('unpaid')), tell(6, dispute('open'))],
      { suspension: 'disputed' },
    ],
    [
      'still unpaid when only the dispute is over',
      [
        tell(0, session()),
        tell(5, subscription('unpaid')),
        tell(6, dispute('open')),
        tell(9, dispute('won')),
      ],
      { suspension: 'unpaid' },
    ],
    [
      'of its tier with the new quantity on an unknown price',
      [
        tell(0, session()),
        tell(5, { ...subscription('active'), price: 'price_new', quantity: 5 } as Fact),
      ],
      { tier: 'pro', quantity: 5, unknownPrice: 'price_new' },
    ],
  ])('is %s', (_what, facts, expected) => {
    if (expected) expect(getPaymentState(facts)).toMatchObject(expected);
    else expect(getPaymentState(facts)).toBeUndefined();
  });

  it('has the tier of a price that was added to the price list later', () => {
    const told = [
      tell(0, session()),
      tell(5, { ...subscription('active'), price: 'price_new' } as Fact),
    ];
    const tierOf = (price: string) => (price === 'price_new' ? ('agency' as const) : undefined);
    expect(getPaymentState(told, tierOf)).toMatchObject({ tier: 'agency', unknownPrice: null });
  });

  it('keeps its tier on a price of another product', () => {
    const other = { ...subscription('active', true, 'agency'), product: 'forms', price: 'price_f' };
    const told = [tell(0, session()), tell(5, other as Fact)];
    expect(getPaymentState(told)).toMatchObject({ tier: 'pro', unknownPrice: 'price_f' });
  });

  it('follows the update of two subscription events in one second, not the creation', () => {
    const first = { ...subscription('incomplete', true, 'agency'), isNew: true } as Fact;
    for (const [a, b] of [
      ['evt_a', 'evt_b'],
      ['evt_b', 'evt_a'],
    ] as const) {
      const told = [
        tell(0, session()),
        { ...tell(1, first), eventId: a },
        { ...tell(1, { ...subscription('unpaid'), tier: 'pro' } as Fact), eventId: b },
      ];
      expect(getPaymentState(told)).toMatchObject({ tier: 'pro', suspension: 'unpaid' });
    }
  });

  it('follows what was read from Stripe last of several subscription events in one second', () => {
    const read = (readAt: number, tier: string) =>
      ({ ...subscription('active', true, 'agency'), tier, readAt }) as Fact;
    const told = [
      tell(0, session()),
      { ...tell(1, subscription('active', true, 'agency')), eventId: 'evt_c' },
      { ...tell(1, read(8, 'starter')), eventId: 'evt_a' },
      { ...tell(1, read(7, 'pro')), eventId: 'evt_b' },
    ];
    expect(getPaymentState(told)).toMatchObject({ tier: 'starter' });
  });

  it('is revoked by a full refund in the same second as a partial one without amounts, in any order', () => {
    const partial = tell(1, { kind: 'refund', isFull: false });
    const full = tell(1, { kind: 'refund', isFull: true });
    for (const refunds of [
      [partial, full],
      [full, partial],
    ]) {
      expect(getPaymentState([tell(0, session()), ...refunds])?.revocation).toBe('refunded');
    }
  });

  it('is the same for every order of the events, also within one second', () => {
    const facts = fc.oneof(
      fc.boolean().map(session),
      fc.integer({ min: 1, max: 900 }).map(paid),
      fc.constant<Fact>({ kind: 'invoice_failed', invoice: 'in_9' }),
      fc.constant<Fact>({ kind: 'subscription_ended' }),
      fc
        .tuple(fc.constantFrom('active', 'unpaid', 'past_due'), fc.boolean())
        .map(([status, renews]) => subscription(status, renews)),
      fc
        .tuple(fc.integer({ min: 0, max: 400 }), fc.integer({ min: 1, max: 400 }), fc.boolean())
        .map(([from, days, isDifference]) => period(from, from + days, { isDifference })),
      fc.integer({ min: 1, max: 900 }).map(endsOn),
      fc.constantFrom('trialing', 'active', 'paused').map((status) => trial(status, 14)),
      fc.boolean().map<Fact>((isFull) => ({ kind: 'refund', isFull })),
      fc.constantFrom(0, 900, 4_900).map((refunded) => refund(refunded)),
      fc
        .constantFrom('re_1', 're_2')
        .map<Fact>((id) => ({ kind: 'refund_failed', refund: id, charge: 'ch_1', amount: 900 })),
      fc
        .tuple(
          fc.constantFrom('inquiry' as const, 'open' as const, 'won' as const, 'lost' as const),
          fc.constantFrom('dp_1', 'dp_2'),
        )
        .map(([outcome, id]) => dispute(outcome, id)),
    );
    /** Periods and disputes of two payments. */
    const ofTurn = ({ kind }: Fact, turn: number) => {
      if (kind === 'invoice_paid') return payment(turn);
      return kind === 'dispute' ? [`ch_${turn}`, `pi_${turn}`] : undefined;
    };
    const stories = fc
      .array(fc.tuple(fc.integer({ min: 0, max: 3 }), facts, fc.integer({ min: 1, max: 2 })), {
        maxLength: 10,
      })
      .chain((story) => {
        const all = story.map(([day, fact, turn]) =>
          tell(day, fact, ofTurn(fact, turn) ?? REFS[fact.kind]),
        );
        return fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }));
      });
    fc.assert(
      fc.property(stories, ([all, shuffled]) => {
        expect(getPaymentState(shuffled)).toEqual(getPaymentState(all));
      }),
    );
  });
});

describe('Billing intervals', () => {
  it.each([
    ['2026-01-31T10:00:00.000Z', 'month', '2026-02-28T10:00:00.000Z'],
    ['2028-02-29T23:59:59.999Z', 'year', '2029-02-28T23:59:59.999Z'],
    ['2026-12-15T00:00:00.000Z', 'month', '2027-01-15T00:00:00.000Z'],
    ['2026-11-21T09:30:00.000Z', 'year', '2027-11-21T09:30:00.000Z'],
  ] as const)('%s and a %s is %s', (from, interval, to) => {
    expect(new Date(addInterval(Date.parse(from), interval)).toISOString()).toBe(to);
  });
});

describe('Price list', () => {
  it('keeps its order', () => {
    expect(parsePrices('pro/year=price_1, agency/month=price_2')).toEqual({
      prices: [
        { tier: 'pro', interval: 'year', price: 'price_1' },
        { tier: 'agency', interval: 'month', price: 'price_2' },
      ],
    });
  });

  it.each([
    '',
    'pro=price_1',
    'pro/week=price_1',
    'pro/year=prod_1',
    'pro/year=price_1,pro/month=price_1',
    'pro/year=price_1,pro/year=price_1',
    'pro/year/EUR=price_1',
    'pro/year/euro=price_1',
    'pro/year/eur=price_1,agency/year/usd=price_1',
    'toString/year=price_1',
  ])('rejects %j', (text) => {
    expect(parsePrices(text)).toHaveProperty('wrong');
  });

  it('may hold former prices and other currencies, and sells the first of each', () => {
    const read = parsePrices(
      'pro/year=price_new,pro/year=price_old,pro/year/usd=price_usd,pro/year/usd=price_old_usd,pro/year/chf=price_new',
    );
    const prices = 'prices' in read ? read.prices : [];
    expect(listSold(prices).map(({ price }) => price)).toEqual([
      'price_new',
      'price_usd',
      'price_new',
    ]);
    for (const { price } of prices) expect(findPrice(prices, price)?.tier).toBe('pro');
    expect(findPrice(prices, 'price_x')).toBeUndefined();
    const chosen = (currency?: string) => choosePrice(listSold(prices), { currency });
    expect(chosen()).toMatchObject({ price: 'price_new' });
    expect(chosen('usd')).toMatchObject({ price: 'price_usd', currency: 'usd' });
    expect(chosen('chf')).toMatchObject({ price: 'price_new', currency: 'chf' });
    expect(chosen('sek')).toBeUndefined();
  });

  it('names a tier that the default product does not have', () => {
    const read = parsePrices('pro/year=price_1,gold/year=price_2');
    const prices = 'prices' in read ? read.prices : [];
    const product = { slug: 'pavis', plans: [{ tier: 'starter' }, { tier: 'pro' }] };
    const catalogue = [product] as unknown as Parameters<typeof findUnknownTier>[1];
    expect(findUnknownTier(prices, catalogue)).toEqual({
      tier: 'gold',
      known: ['starter', 'pro'],
    });
    expect(findUnknownTier(prices.slice(0, 1), catalogue)).toBeUndefined();
  });

  it('is replaced by prices of a plan, and leaves out archived plans except to renew their licences', () => {
    const plan = (tier: string, prices: object, archivedAt: number | null = null) => ({
      tier,
      prices,
      archivedAt,
    });
    const pavis = {
      slug: 'pavis',
      plans: [plan('pro', { year: 'price_own' }), plan('agency', {}, 1)],
    } as unknown as Product;
    const list: Price[] = [
      { tier: 'pro', interval: 'year', price: 'price_year' },
      { tier: 'pro', interval: 'month', price: 'price_month' },
      { tier: 'agency', interval: 'year', price: 'price_agency' },
    ];
    const names = (...of: Parameters<typeof listSoldPrices>) =>
      listSoldPrices(...of).map(({ price }) => price);
    expect(names(list, pavis)).toEqual(['price_month', 'price_own']);
    expect(names(list, pavis, 'agency')).toEqual(['price_month', 'price_agency', 'price_own']);
    const forms = { slug: 'forms', plans: [plan('pro', { once: 'price_forms' })] };
    expect(listSoldPrices(list, forms as unknown as Product)).toEqual([
      { product: 'forms', tier: 'pro', interval: 'once', price: 'price_forms' },
    ]);
  });

  it('prefers tier pro and yearly billing', () => {
    const TEST_PRICES: Price[] = ['starter', 'pro', 'agency'].flatMap((tier) =>
      INTERVALS.map((interval) => ({ tier, interval, price: '' })),
    );
    expect(choosePrice(TEST_PRICES, {})).toMatchObject({ tier: 'pro', interval: 'year' });
    expect(choosePrice(TEST_PRICES, { interval: 'month' })).toMatchObject({
      tier: 'pro',
      interval: 'month',
    });
    expect(choosePrice(TEST_PRICES, { tier: 'agency' })).toMatchObject({
      tier: 'agency',
      interval: 'year',
    });
    const few = TEST_PRICES.filter(
      ({ tier, interval }) => tier === 'starter' && interval === 'month',
    );
    expect(choosePrice(few, {})).toMatchObject({ tier: 'starter', interval: 'month' });
    expect(choosePrice(few, { interval: 'year' })).toBeUndefined();
  });

  it.each([
    [['starter/year', 'pro/once'], 'starter/year'],
    [['starter/once', 'starter/month', 'pro/month'], 'starter/once'],
    [['solo/month', 'solo/year', 'team/year'], 'solo/year'],
    [['agency/year', 'pro/year'], 'pro/year'],
  ])('sells of %j the price %s without a choice', (names, name) => {
    const prices = names.map((each) => {
      const [tier = '', interval] = each.split('/');
      return { tier, interval: interval as Price['interval'], price: '' };
    });
    const chosen = choosePrice(prices, {});
    expect(chosen && `${chosen.tier}/${chosen.interval}`).toBe(name);
  });
});

describe('Redirect URLs', () => {
  const origins = ['https://shop.example'];
  it.each([
    [
      'https://shop.example/thanks?id={CHECKOUT_SESSION_ID}',
      'https://shop.example/thanks?id={CHECKOUT_SESSION_ID}',
    ],
    ['https://shop.example/{CHECKOUT_SESSION_ID}', 'https://shop.example/{CHECKOUT_SESSION_ID}'],
    ['HTTPS://SHOP.example:443', 'https://shop.example/'],
  ])('accept %s', (text, target) => {
    expect(parseRedirect(text, origins)).toBe(target);
  });

  it.each([
    'https://evil.example/',
    'https://shop.example.evil.example',
    'https://shop.example@evil.example',
    'https://user:pw@shop.example/',
    'http://shop.example/',
    '//shop.example',
    '/thanks',
    'javascript:alert(1)',
    'https:\\\\evil.example',
    'https://shop.example\t@evil.example',
    'data:text/html,x',
  ])('reject %s', (text) => {
    expect(parseRedirect(text, origins)).toBeUndefined();
  });
});

describe('Webhook signatures', () => {
  const SECRETS = ['whsec_old_secret', 'whsec_new_secret'];
  const payload = '{"id":"evt_1","é":true}';
  const body = Buffer.from(payload);
  const header = (at = START, secret = 'whsec_new_secret') => createSignature(payload, at, secret);

  it('of Stripe’s own library are valid with either secret', () => {
    expect(isSigned(header(), body, SECRETS, START)).toBe(true);
    expect(isSigned(header(START, 'whsec_old_secret'), body, SECRETS, START)).toBe(true);
    expect(isSigned(`${header()},v1=${'0'.repeat(64)},v0=x`, body, SECRETS, START)).toBe(true);
  });

  it('are valid for five minutes before and after', () => {
    for (const seconds of [-300, 0, 300]) {
      expect(isSigned(header(START + seconds * 1_000), body, SECRETS, START)).toBe(true);
    }
    for (const seconds of [-301, 301, 3_600]) {
      expect(isSigned(header(START + seconds * 1_000), body, SECRETS, START)).toBe(false);
    }
  });

  it('are invalid for other bytes, another secret or another format', () => {
    const good = header();
    expect(isSigned(good, Buffer.from(`${payload} `), SECRETS, START)).toBe(false);
    expect(isSigned(good, body, ['whsec_another'], START)).toBe(false);
    expect(isSigned(good, body, [], START)).toBe(false);
    for (const wrong of [
      '',
      't=,v1=',
      good.replace('v1=', 'v0='),
      good.replace(/t=\d+/, 't=1'),
      good.slice(0, -1),
      't=NaN,v1=x',
    ]) {
      expect(isSigned(wrong, body, SECRETS, START)).toBe(false);
    }
  });
});

describe('PAYMENT_EVENTS', () => {
  it('has no more types than the 20 that Stripe lists at once', () => {
    expect(PAYMENT_EVENTS.length).toBeLessThanOrEqual(20);
  });
});

describe('The payments guide', () => {
  it('lists exactly the events that Stripe has to send', () => {
    const guide = new URL('../../../docs/guides/payments.md', import.meta.url);
    const listed = readFileSync(guide, 'utf8').matchAll(/^ {3}- `([a-z_.]+)`$/gm);
    expect([...listed].map(([, name]) => name).toSorted()).toEqual(PAYMENT_EVENTS.toSorted());
  });
});
