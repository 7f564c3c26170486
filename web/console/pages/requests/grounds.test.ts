import { describe, expect, it } from 'vitest';
import { describeHold, listRefusalGrounds } from './grounds.ts';

describe('The grounds of a refusal', () => {
  it('have compelling grounds for an objection, except under the CCPA', () => {
    const has = (regime: 'gdpr' | 'ccpa') =>
      listRefusalGrounds({ request_type: 'objection', regime }).some(
        ({ value }) => value === 'compelling_grounds',
      );
    expect([has('gdpr'), has('ccpa')]).toEqual([true, false]);
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
