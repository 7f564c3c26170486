import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { signatureOf } from '../../../test/support/stripe.ts';
import { NEVER } from '../licences/index.ts';
import { PAYMENT_EVENTS } from './events.ts';
import { choosePrice, EVERYTHING, parsePrices } from './prices.ts';
import { addInterval, type Fact, redirectTarget, stateOf, type Told } from './rules.ts';
import { isSigned } from './signature.ts';

const START = Date.parse('2026-11-21T09:30:00Z');
const DAY = 86_400_000;

let told = 0;
const tell = (day: number, fact: Fact): Told => ({
  eventId: `evt_${++told}`,
  at: START + day * DAY,
  fact,
});
const session = (isPaid = true): Fact => ({
  kind: 'session',
  session: 'cs_1',
  isPaid,
  mode: 'live',
  tier: 'pro',
  interval: 'year',
});
const paid = (day: number): Fact => ({ kind: 'invoice_paid', until: START + day * DAY });
const subscription = (status: string, renews = true, tier: 'agency' | null = null): Fact => ({
  kind: 'subscription',
  status,
  renews,
  tier,
});
const dispute = (outcome: 'open' | 'won' | 'lost', id = 'dp_1'): Fact => ({
  kind: 'dispute',
  dispute: id,
  outcome,
});

describe('What facts about payments come to', () => {
  it.each<[string, Told[], object | undefined]>([
    ['nothing while nobody has paid', [tell(0, session(false)), tell(0, paid(365))], undefined],
    [
      'a year from the purchase before an invoice says more',
      [tell(0, session())],
      { expiresAt: Date.parse('2027-11-21T09:30:00Z'), tier: 'pro', renews: true, graceDays: 14 },
    ],
    [
      'what the latest invoice has paid for',
      [tell(0, session()), tell(0, paid(365)), tell(365, paid(730))],
      { expiresAt: START + 730 * DAY },
    ],
    [
      'once and for all, whatever an invoice says of its day',
      [tell(0, { ...session(), interval: 'once', quantity: 3 } as Fact), tell(0, paid(0))],
      { expiresAt: NEVER, renews: false, graceDays: 0, quantity: 3 },
    ],
    [
      'past due when a renewal fails',
      [
        tell(0, session()),
        tell(0, paid(30)),
        tell(30, { kind: 'invoice_failed', invoice: 'in_2' }),
      ],
      { isPastDue: true, expiresAt: START + 30 * DAY, graceDays: 14, isSuspended: false },
    ],
    [
      'all well when it is paid after all',
      [
        tell(0, session()),
        tell(30, { kind: 'invoice_failed', invoice: 'in_2' }),
        tell(32, paid(60)),
      ],
      { isPastDue: false, expiresAt: START + 60 * DAY },
    ],
    [
      'an end at what is paid, without grace, when cancelled',
      [tell(0, session()), tell(0, paid(30)), tell(9, { kind: 'subscription_ended' })],
      { expiresAt: START + 30 * DAY, graceDays: 0, renews: false, isSuspended: false },
    ],
    [
      'the same when it is to be cancelled at its end',
      [tell(0, session()), tell(0, paid(30)), tell(9, subscription('active', false))],
      { graceDays: 0, renews: false, isSuspended: false },
    ],
    [
      'renewal when that is taken back',
      [
        tell(0, session()),
        tell(9, subscription('active', false)),
        tell(10, subscription('active')),
      ],
      { graceDays: 14, renews: true },
    ],
    [
      'a suspension while unpaid',
      [tell(0, session()), tell(0, paid(30)), tell(44, subscription('unpaid'))],
      { isSuspended: true },
    ],
    [
      'none once that is paid',
      [tell(0, session()), tell(44, subscription('unpaid')), tell(50, paid(80))],
      { isSuspended: false },
    ],
    [
      'an end that nothing undoes, though an update is told after it',
      [
        tell(0, session()),
        tell(5, { kind: 'subscription_ended' }),
        tell(6, subscription('active')),
      ],
      { renews: false, graceDays: 0 },
    ],
    [
      'the tier of the subscription',
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
      { isRevoked: true },
    ],
    [
      'untouched by a partial one',
      [tell(0, session()), tell(1, { kind: 'refund', isFull: false })],
      { isRevoked: false, isSuspended: false },
    ],
    [
      'suspended by a dispute',
      [tell(0, session()), tell(1, dispute('open'))],
      { isSuspended: true, isRevoked: false },
    ],
    [
      'back when it is won',
      [tell(0, session()), tell(9, dispute('won')), tell(1, dispute('open'))],
      { isSuspended: false, isRevoked: false },
    ],
    [
      'revoked when it is lost',
      [tell(0, session()), tell(9, dispute('lost')), tell(1, dispute('open'))],
      { isSuspended: false, isRevoked: true },
    ],
    [
      'suspended by a second dispute after a first was won',
      [
        tell(0, session()),
        tell(1, dispute('open')),
        tell(2, dispute('won')),
        tell(3, dispute('open', 'dp_2')),
      ],
      { isSuspended: true },
    ],
  ])('is %s', (_what, facts, expected) => {
    if (expected) expect(stateOf(facts)).toMatchObject(expected);
    else expect(stateOf(facts)).toBeUndefined();
  });

  it('is the same in whatever order they are told, those of one second included', () => {
    const facts = fc.oneof(
      fc.boolean().map(session),
      fc.integer({ min: 1, max: 900 }).map(paid),
      fc.constant<Fact>({ kind: 'invoice_failed', invoice: 'in_9' }),
      fc.constant<Fact>({ kind: 'subscription_ended' }),
      fc
        .tuple(fc.constantFrom('active', 'unpaid', 'past_due'), fc.boolean())
        .map(([status, renews]) => subscription(status, renews)),
      fc.boolean().map<Fact>((isFull) => ({ kind: 'refund', isFull })),
      fc
        .tuple(
          fc.constantFrom('open' as const, 'won' as const, 'lost' as const),
          fc.constantFrom('dp_1', 'dp_2'),
        )
        .map(([outcome, id]) => dispute(outcome, id)),
    );
    const stories = fc
      .array(fc.tuple(fc.integer({ min: 0, max: 3 }), facts), { maxLength: 10 })
      .chain((story) => {
        const all = story.map(([day, fact]) => tell(day, fact));
        return fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }));
      });
    fc.assert(
      fc.property(stories, ([all, shuffled]) => {
        expect(stateOf(shuffled)).toEqual(stateOf(all));
      }),
    );
  });
});

describe('A month and a year later', () => {
  it.each([
    ['2026-01-31T10:00:00.000Z', 'month', '2026-02-28T10:00:00.000Z'],
    ['2028-02-29T23:59:59.999Z', 'year', '2029-02-28T23:59:59.999Z'],
    ['2026-12-15T00:00:00.000Z', 'month', '2027-01-15T00:00:00.000Z'],
    ['2026-11-21T09:30:00.000Z', 'year', '2027-11-21T09:30:00.000Z'],
  ] as const)('%s and a %s is %s', (from, interval, to) => {
    expect(new Date(addInterval(Date.parse(from), interval)).toISOString()).toBe(to);
  });
});

describe('The price list', () => {
  it('is read in its order', () => {
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
    'gold/year=price_1',
    'pro/week=price_1',
    'pro/year=prod_1',
    'pro/year=price_1,pro/year=price_2',
    'pro/year=price_1,pro/month=price_1',
    'toString/year=price_1',
  ])('is refused as %j', (text) => {
    expect(parsePrices(text)).toHaveProperty('wrong');
  });

  it('offers tier pro and a year before others', () => {
    expect(choosePrice(EVERYTHING, {})).toMatchObject({ tier: 'pro', interval: 'year' });
    expect(choosePrice(EVERYTHING, { interval: 'month' })).toMatchObject({
      tier: 'pro',
      interval: 'month',
    });
    expect(choosePrice(EVERYTHING, { tier: 'agency' })).toMatchObject({
      tier: 'agency',
      interval: 'year',
    });
    const few = EVERYTHING.filter(
      ({ tier, interval }) => tier === 'starter' && interval === 'month',
    );
    expect(choosePrice(few, {})).toMatchObject({ tier: 'starter', interval: 'month' });
    expect(choosePrice(few, { interval: 'year' })).toBeUndefined();
  });
});

describe('A redirect', () => {
  const origins = ['https://shop.example'];
  it.each([
    [
      'https://shop.example/thanks?id={CHECKOUT_SESSION_ID}',
      'https://shop.example/thanks?id={CHECKOUT_SESSION_ID}',
    ],
    ['https://shop.example/{CHECKOUT_SESSION_ID}', 'https://shop.example/{CHECKOUT_SESSION_ID}'],
    ['HTTPS://SHOP.example:443', 'https://shop.example/'],
  ])('goes to %s', (text, target) => {
    expect(redirectTarget(text, origins)).toBe(target);
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
  ])('does not go to %s', (text) => {
    expect(redirectTarget(text, origins)).toBeUndefined();
  });
});

describe('A signature', () => {
  const SECRETS = ['whsec_old_secret', 'whsec_new_secret'];
  const payload = '{"id":"evt_1","é":true}';
  const body = Buffer.from(payload);
  const header = (at = START, secret = 'whsec_new_secret') => signatureOf(payload, at, secret);

  it('made by Stripe’s own library is good, with either secret', () => {
    expect(isSigned(header(), body, SECRETS, START)).toBe(true);
    expect(isSigned(header(START, 'whsec_old_secret'), body, SECRETS, START)).toBe(true);
    expect(isSigned(`${header()},v1=${'0'.repeat(64)},v0=x`, body, SECRETS, START)).toBe(true);
  });

  it('is good for five minutes, either way', () => {
    for (const seconds of [-300, 0, 300]) {
      expect(isSigned(header(START + seconds * 1_000), body, SECRETS, START)).toBe(true);
    }
    for (const seconds of [-301, 301, 3_600]) {
      expect(isSigned(header(START + seconds * 1_000), body, SECRETS, START)).toBe(false);
    }
  });

  it('is not good for other bytes, another secret, or in another form', () => {
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

describe('The guide to payments', () => {
  it('names the events that are to be sent, and no others', () => {
    const guide = new URL('../../../docs/guides/payments.md', import.meta.url);
    const listed = readFileSync(guide, 'utf8').matchAll(/^ {3}- `([a-z_.]+)`$/gm);
    expect([...listed].map(([, name]) => name).toSorted()).toEqual(PAYMENT_EVENTS.toSorted());
  });
});
