import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { dataFolder, pavis, pavisJson } from '../../test/support/process.ts';

describe('secrets in files', () => {
  const folder = dataFolder();
  const file = join(folder.path, 'url');
  const empty = join(folder.path, 'empty');
  writeFileSync(empty, ' \n');
  const env = { PAVIS_DATA_DIR: folder.path, PAVIS_DATABASE_URL_FILE: file };
  afterAll(() => folder.remove());

  it('are read without the line break at the end', async () => {
    const database = join(folder.path, 'other.db');
    writeFileSync(file, `sqlite:${database}\n`);
    expect((await pavisJson(['config'], env)).PAVIS_DATABASE_URL).toBe(`sqlite:${database}`);
  });

  it('hold each setting that the configuration masks', async () => {
    const secret = 'a-secret-of-more-than-32-characters';
    const values: Record<string, string> = {
      PAVIS_SECRET: secret,
      PAVIS_DATABASE_URL: 'postgres://me:password@127.0.0.1:1/pavis',
      PAVIS_DATABASE_DIRECT_URL: 'postgres://me:password@127.0.0.1:2/pavis',
      PAVIS_SMTP_URL: 'smtp://me:password@127.0.0.1:25',
      PAVIS_METRICS_TOKEN: secret,
      PAVIS_STRIPE_SECRET_KEY: 'sk_test_1234567890',
      PAVIS_STRIPE_WEBHOOK_SECRET: 'whsec_1234567890',
      PAVIS_OIDC_CLIENT_SECRET: secret,
    };
    const others = {
      PAVIS_DATA_DIR: folder.path,
      PAVIS_OIDC_ISSUER: 'https://id.example.com',
      PAVIS_OIDC_CLIENT_ID: 'pavis',
      PAVIS_STRIPE_PRICES: 'pro/year=price_1',
    };
    const files = Object.fromEntries(
      Object.entries(values).map(([name, value]) => {
        writeFileSync(join(folder.path, name), value);
        return [`${name}_FILE`, join(folder.path, name)];
      }),
    );
    const given = await pavisJson(['config'], { ...others, ...values });
    expect(await pavisJson(['config'], { ...others, ...files })).toEqual(given);
    const masked = Object.keys(given).filter((name) => JSON.stringify(given[name]).includes('***'));
    expect(masked.sort()).toEqual(Object.keys(values).sort());
  });

  it.each([
    [
      'given in the environment as well',
      { PAVIS_DATABASE_URL: 'sqlite:/a.db' },
      /PAVIS_DATABASE_URL_FILE is set together with PAVIS_DATABASE_URL/,
    ],
    [
      'in a file that is missing',
      { PAVIS_DATABASE_URL_FILE: join(folder.path, 'none') },
      /PAVIS_DATABASE_URL_FILE names a file that cannot be read \(ENOENT/,
    ],
    [
      'in an empty file',
      { PAVIS_DATABASE_URL_FILE: empty },
      /PAVIS_DATABASE_URL_FILE names an empty file: put the value into it/,
    ],
  ])('are rejected if they are %s', async (_, more, message) => {
    const { code, stderr } = await pavis(['config'], { ...env, ...more });
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });
});
