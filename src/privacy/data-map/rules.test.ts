import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { getRecipients, LEGAL_BASES, parseLegalBasis, parseRetentionDays } from './rules.ts';

const BASES: [string, (typeof LEGAL_BASES)[number]][] = [
  ['Consent', 'consent'],
  ['  legitimate interest ', 'legitimate_interests'],
  ['Legitimate-Interests', 'legitimate_interests'],
  ['LEGAL OBLIGATION', 'legal_obligation'],
  ['vital interest', 'vital_interests'],
  ['public interest', 'public_task'],
  ['performance of a contract', 'contract'],
  ['contractual', 'contract'],
  ['Contractual necessity', 'contract'],
  ['legal', 'legal_obligation'],
  ['vital', 'vital_interests'],
  ['public', 'public_task'],
  ['legitimate', 'legitimate_interests'],
  ['legitimate_interest', 'legitimate_interests'],
  ['contractual_obligation', 'contract'],
  ['contracts', 'contract'],
  ['legal_obligations', 'legal_obligation'],
  ['Legal requirement', 'legal_obligation'],
  ['public_tasks', 'public_task'],
  ['Art. 6(1)(a)', 'consent'],
  ['Art. 6 (1) (b) GDPR', 'contract'],
  ['Article 6(1)(c)', 'legal_obligation'],
  ['art 6(1) lit. d', 'vital_interests'],
  ['GDPR Art. 6(1)(e)', 'public_task'],
  ['6(1)(f)', 'legitimate_interests'],
];

describe('parseLegalBasis', () => {
  it.each(BASES)('parses %j as %s', (text, basis) => {
    expect(parseLegalBasis(text)).toBe(basis);
  });

  it.each([
    '',
    'because',
    'Art. 6(1)(g)',
    'Art. 9(1)(a)',
    'Art. 6',
    'constructor',
    'consent, contract',
  ])('returns undefined for %j', (text) => {
    expect(parseLegalBasis(text)).toBeUndefined();
  });

  it('returns one of the six legal bases or undefined for any text', () => {
    for (const basis of LEGAL_BASES) expect(parseLegalBasis(basis)).toBe(basis);
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect([undefined, ...LEGAL_BASES]).toContain(parseLegalBasis(text));
      }),
    );
  });
});

const PERIODS: [string, number | null][] = [
  ['14 months', 420],
  ['2 years', 730],
  ['30 days', 30],
  ['26 weeks', 182],
  ['24 hours', 1],
  ['90 hours', 4],
  ['10 hours', 1],
  ['1 year 6 months', 545],
  ['1 year, 6 months and 3 days', 548],
  ['One year', 365],
  ['a month', 30],
  ['13-months', 390],
  ['1.5 years', 548],
  ['Up to 6 months.', 180],
  ['3 years after the last order', 1_095],
  ['0 days', 0],
  ['session', 0],
  ['', null],
  ['until withdrawn', null],
  ['30', null],
  ['1 to 2 years', null],
  ['30 days or until withdrawn', null],
  ['6 months 1 year', null],
  ['1 year 2 years', null],
  ['14 monthss', null],
  ['-3 days', null],
];

describe('parseRetentionDays', () => {
  it.each(PERIODS)('parses %j as %s days', (text, days) => {
    expect(parseRetentionDays(text)).toBe(days);
  });

  it('adds up the parts, regardless of spaces and case', () => {
    const count = fc.integer({ min: 0, max: 9_999 });
    fc.assert(
      fc.property(
        count,
        count,
        count,
        fc.constantFrom(' ', '  ', ', ', ' and '),
        (y, m, d, gap) => {
          const text = [`${y} years`, `${m} months`, `${d} days`].join(gap);
          expect(parseRetentionDays(text)).toBe(y * 365 + m * 30 + d);
          expect(parseRetentionDays(` ${text.toUpperCase()} `)).toBe(y * 365 + m * 30 + d);
        },
      ),
    );
  });

  it('returns a non-negative integer or null for any text', () => {
    const words = fc.constantFrom(
      '1',
      '999999.999',
      'year',
      'months',
      'd',
      ',',
      ' ',
      'and',
      'one',
      'after',
      '.',
    );
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(words).map((list) => list.join('')),
    );
    fc.assert(
      fc.property(text, (written) => {
        const days = parseRetentionDays(written);
        expect(days === null || (Number.isSafeInteger(days) && days >= 0)).toBe(true);
      }),
    );
  });
});

describe('getRecipients', () => {
  it.each([
    ['Google', null, ['Google']],
    ['Google', 'Hetzner', ['Google', 'Hetzner']],
    ['Google', 'google ; Hetzner', ['Google', 'Hetzner']],
    ['Google', 'Google, Hetzner', ['Google, Hetzner']],
    ['Google', 'Google Ireland Ltd., Dublin', ['Google', 'Google Ireland Ltd., Dublin']],
    ['', 'Our mail provider\n\nOur mail provider', ['Our mail provider']],
    ['', null, []],
  ])('returns for the vendor %j and the recipients %j: %j', (vendor_name, recipients, expected) => {
    expect(getRecipients({ vendor_name, vendor_slug: 'vendor', recipients })).toEqual(expected);
  });

  it('leaves out the site itself', () => {
    const own = { vendor_name: 'Pavis (this site)', vendor_slug: 'pavis-self' };
    expect(getRecipients({ ...own, recipients: 'Hetzner' })).toEqual(['Hetzner']);
    expect(getRecipients({ ...own, recipients: null })).toEqual([]);
  });
});
