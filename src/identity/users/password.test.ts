import { describe, expect, it } from 'vitest';
import { hashPassword, isPassword } from './password.ts';

describe('a login password', () => {
  it('is stored as argon2id with 19 MiB, 2 passes and a random salt', async () => {
    const [one, other] = [await hashPassword('correct horse'), await hashPassword('correct horse')];
    expect(one).toMatch(
      /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/,
    );
    expect(other).not.toBe(one);
    expect(await isPassword('correct horse', one)).toBe(true);
    expect(await isPassword('correct horse', other)).toBe(true);
  });

  it('matches in composed and decomposed Unicode form only', async () => {
    const stored = await hashPassword('caf\u00e9 au lait');
    expect(await isPassword('cafe\u0301 au lait', stored)).toBe(true);
    for (const wrong of ['cafe au lait', 'caf\u00e9 au lait ', 'Caf\u00e9 au lait', '']) {
      expect(await isPassword(wrong, stored), wrong).toBe(false);
    }
  });

  it('never matches for an unknown user or an invalid hash', async () => {
    expect(await isPassword('correct horse', undefined)).toBe(false);
    for (const stored of ['', 'correct horse', '$argon2id$v=19$m=1,t=1,p=1$$']) {
      expect(await isPassword('correct horse', stored), stored).toBe(false);
    }
  });

  it('takes as long to check for an unknown user as for a known one', async () => {
    const stored = await hashPassword('correct horse');
    async function time(of: string | undefined): Promise<number> {
      const start = performance.now();
      await isPassword('wrong horse', of);
      return performance.now() - start;
    }
    // Alternating, and the fastest of each: a busy machine slows both down.
    let [somebody, nobody] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    for (let n = 0; n < 10; n++) {
      somebody = Math.min(somebody, await time(stored));
      nobody = Math.min(nobody, await time(undefined));
    }
    expect(nobody / somebody).toBeGreaterThan(0.4);
    expect(nobody / somebody).toBeLessThan(2.5);
  });
});
