import { describe, expect, it } from 'vitest';
import { describeHold } from './grounds.ts';

describe('The description of a hold', () => {
  it('does not announce a pause of a deadline that has passed', () => {
    const describe = (overdue: boolean) =>
      describeHold('identity', '', { regime: 'gdpr', overdue });
    expect(describe(false)).toContain('The deadline is paused.');
    expect(describe(true)).toContain('The deadline has passed and is not paused.');
  });
});
