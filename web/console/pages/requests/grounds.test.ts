import { describe, expect, it } from 'vitest';
import { describeHold, listRefusalGrounds } from './grounds.ts';

describe('The grounds of a refusal', () => {
  it.each(['compelling_grounds', 'identity'])(
    'have %s for an objection, except under the CCPA',
    (ground) => {
      const has = (regime: 'gdpr' | 'ccpa') =>
        listRefusalGrounds({ request_type: 'objection', regime }).some(
          ({ value }) => value === ground,
        );
      expect([has('gdpr'), has('ccpa')]).toEqual([true, false]);
    },
  );

  it('have the identity for other requests under the CCPA', () => {
    const grounds = listRefusalGrounds({ request_type: 'access', regime: 'ccpa' });
    expect(grounds.map(({ value }) => value)).toContain('identity');
  });
});

describe('The description of a hold', () => {
  it('does not announce a pause of a deadline that has passed', () => {
    const describe = (overdue: boolean) =>
      describeHold('identity', '', { regime: 'gdpr', overdue });
    expect(describe(false)).toContain('The deadline is paused.');
    expect(describe(true)).toContain('The deadline has passed and is not paused.');
  });
});
