import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { acceptanceRate, CONSENT_ACTIONS, completeChoice, InvalidChoice } from './rules.ts';

const CATEGORIES = [
  { id: 'functional', required: true },
  { id: 'analytics', required: false },
  { id: 'marketing', required: false },
];
const lists = (accepted: string[], rejected: string[]) => ({ accepted, rejected });

describe('A choice', () => {
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
  ] as const)('of %s with %j is %j', (action, given, complete) => {
    expect(completeChoice(action, given, CATEGORIES)).toEqual(complete);
  });

  it.each([
    ['accept_all', lists([], ['analytics']), 'categories_rejected'],
    ['reject_all', lists(['analytics'], []), 'categories_accepted'],
    ['manage', lists(['nonsense'], []), 'categories_accepted'],
    ['manage', lists([], ['nonsense']), 'categories_rejected'],
    ['manage', lists(['analytics'], ['analytics']), 'categories_rejected'],
  ] as const)('of %s with %j contradicts itself in %s', (action, given, parameter) => {
    expect(() => completeChoice(action, given, CATEGORIES)).toThrow(InvalidChoice);
    try {
      completeChoice(action, given, CATEGORIES);
    } catch (error) {
      expect((error as InvalidChoice).parameter).toBe(parameter);
    }
  });

  it('never has a category twice, always has what is required, and is its own completion', () => {
    const some = fc.subarray(CATEGORIES.map(({ id }) => id));
    fc.assert(
      fc.property(fc.constantFrom(...CONSENT_ACTIONS), some, some, (action, accepted, rejected) => {
        try {
          const choice = completeChoice(action, { accepted, rejected }, CATEGORIES);
          const all = [...choice.accepted, ...choice.rejected];
          expect(new Set(all).size).toBe(all.length);
          expect(choice.accepted).toContain('functional');
          expect(completeChoice(action, choice, CATEGORIES)).toEqual(choice);
        } catch (error) {
          if (!(error instanceof InvalidChoice)) throw error;
        }
      }),
    );
  });
});

describe('The acceptance rate', () => {
  it('is the share of those who decided, and 0 when nobody did', () => {
    expect([acceptanceRate(0, 0), acceptanceRate(3, 1), acceptanceRate(0, 5)]).toEqual([
      0, 0.75, 0,
    ]);
  });
});
