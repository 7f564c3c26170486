import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InvalidFieldError } from '../../platform/errors.ts';
import { acceptanceRate, CONSENT_ACTIONS, completeChoice } from './rules.ts';

const CATEGORIES = [
  { id: 'functional', required: true },
  { id: 'analytics', required: false },
  { id: 'marketing', required: false },
];
const lists = (categories_accepted: string[], categories_rejected: string[]) => ({
  categories_accepted,
  categories_rejected,
});

describe('completeChoice', () => {
  it.each([
    ['accept_all', lists([], []), lists(['functional', 'analytics', 'marketing'], [])],
    ['accept_all', lists(['analytics'], []), lists(['functional', 'analytics', 'marketing'], [])],
    ['reject_all', lists([], []), lists(['functional'], ['analytics', 'marketing'])],
    [
      'reject_all',
      lists(['functional'], ['marketing']),
      lists(['functional'], ['analytics', 'marketing']),
    ],
    [
      'reject_all',
      lists([], ['functional', 'analytics']),
      lists(['functional'], ['analytics', 'marketing']),
    ],
    [
      'manage',
      lists(['marketing'], ['analytics']),
      lists(['functional', 'marketing'], ['analytics']),
    ],
    ['manage', lists(['marketing'], []), lists(['functional', 'marketing'], [])],
    ['manage', lists([], []), lists(['functional'], [])],
  ] as const)('completes %s with %j to %j', (action, given, complete) => {
    expect(completeChoice(action, given, CATEGORIES)).toEqual(complete);
  });

  it.each([
    ['accept_all', lists([], ['analytics']), 'categories_rejected'],
    ['reject_all', lists(['analytics'], []), 'categories_accepted'],
    ['manage', lists(['nonsense'], []), 'categories_accepted'],
    ['manage', lists([], ['nonsense']), 'categories_rejected'],
    ['manage', lists(['analytics'], ['analytics']), 'categories_rejected'],
  ] as const)('rejects %s with %j because of %s', (action, given, parameter) => {
    expect(() => completeChoice(action, given, CATEGORIES)).toThrow(
      expect.objectContaining({
        name: 'DomainError',
        kind: 'invalid',
        details: expect.objectContaining({ params: { [parameter]: expect.any(String) } }),
      }),
    );
  });

  it('returns each category once, accepts required ones and is idempotent', () => {
    const some = fc.subarray(CATEGORIES.map(({ id }) => id));
    fc.assert(
      fc.property(fc.constantFrom(...CONSENT_ACTIONS), some, some, (action, accepted, rejected) => {
        try {
          const choice = completeChoice(action, lists(accepted, rejected), CATEGORIES);
          const all = [...choice.categories_accepted, ...choice.categories_rejected];
          expect(new Set(all).size).toBe(all.length);
          expect(choice.categories_accepted).toContain('functional');
          expect(completeChoice(action, choice, CATEGORIES)).toEqual(choice);
        } catch (error) {
          if (!(error instanceof InvalidFieldError)) throw error;
        }
      }),
    );
  });
});

describe('acceptanceRate', () => {
  it('returns the share of acceptances, and 0 without choices', () => {
    expect([acceptanceRate(0, 0), acceptanceRate(3, 1), acceptanceRate(0, 5)]).toEqual([
      0, 0.75, 0,
    ]);
  });
});
