import { describe, expect, it } from 'vitest';
import { isEasyToGuess } from './password-strength.ts';

const check = (password: string) =>
  isEasyToGuess({ password, personal: ['grace', 'grace.hopper@example.com'] });

describe('isEasyToGuess', () => {
  it('returns true for a common password, a pattern, a name and a date', async () => {
    for (const password of [
      'password1234',
      'passwort12345',
      'P@ssw0rd1234',
      'Passwort2026!',
      'ChangeMe123!',
      'Admin123456!',
      'adminadminadmin',
      'qwertzuiop12',
      'abcdefghijkl',
      '12345678901234',
      'Willkommen123',
      'GraceGrace1906',
    ]) {
      expect([password, await check(password)]).toEqual([password, true]);
    }
  }, 120_000);

  it('returns false for random words or characters', async () => {
    for (const password of [
      'correct horse battery',
      'a chosen one',
      'vier zufällige Wörter',
      'kbylTpjcFMpc',
      `kbylTpjcFMpc${'ab1!'.repeat(47)}`,
    ]) {
      expect([password, await check(password)]).toEqual([password, false]);
    }
  }, 120_000);
});
