import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { damage } from '../support/damage.ts';
import { dataFolder, pavis, pavisJson } from '../support/process.ts';

describe('doctor', () => {
  let folder: ReturnType<typeof dataFolder>;
  let env: Record<string, string>;
  beforeEach(() => {
    folder = dataFolder();
    env = { PAVIS_DATA_DIR: folder.path, PAVIS_CHROMIUM: 'off', PAVIS_PORT: '9' };
  });
  afterEach(() => folder.remove());

  /** The line of a check. */
  async function find(name: string, more: Record<string, string> = {}) {
    const { stdout } = await pavis(['doctor'], { ...env, ...more });
    return stdout.split('\n').find((line) => line.includes(`  ${name}: `));
  }

  it('fails with settings that the server refuses', async () => {
    const nowhere = join(folder.path, 'no-such.mmdb');
    expect(await find('country database', { PAVIS_COUNTRY_DATABASE: nowhere })).toMatch(
      /^FAIL {2}country database: PAVIS_COUNTRY_DATABASE is ".*no-such\.mmdb", which cannot be read/,
    );
    expect(await find('country database')).toBeUndefined();
    expect(await find('browser', { PAVIS_CHROMIUM: '/bin/false' })).toMatch(
      /^FAIL {2}browser: \/bin\/false does not start; in its place: .*\. Correct PAVIS_CHROMIUM, or remove it$/,
    );
    const prices = (tier: string) => ({ PAVIS_STRIPE_PRICES: `${tier}/year=price_1` });
    const name = 'tiers of PAVIS_STRIPE_PRICES';
    expect(await find(name, prices('gold'))).toBe(
      `ok    ${name}: checked when no migrations are pending`,
    );
    await pavisJson(['migrate'], env);
    expect(await find(name, prices('gold'))).toMatch(
      /^FAIL {2}.*: PAVIS_STRIPE_PRICES names the tier "gold", .* Create it with "pavis plan create gold"$/,
    );
    expect(await find(name, prices('pro'))).toBe(`ok    ${name}: all known`);
  });

  it('fails with extensions that do not load', async () => {
    const write = (name: string, text: string): string => {
      const path = join(folder.path, name);
      writeFileSync(path, text);
      return path;
    };
    // The command ends although its timer goes on.
    const sound = write('sound.mjs', 'export default () => { setInterval(() => {}, 1_000); };');
    const bare = write('bare.mjs', 'export const nothing = 1;');
    const broken = write('broken.mjs', 'throw new Error("no configuration");');
    expect(await find('extensions', { PAVIS_EXTENSIONS: sound })).toBe(
      `ok    extensions: ${sound}`,
    );
    const line = await find('extensions', { PAVIS_EXTENSIONS: [sound, bare, broken].join(',') });
    expect(line).toMatch(/^FAIL {2}extensions: /);
    expect(line).toContain(`${bare}: has no function as default export; ${broken}: `);
    expect(line).toContain('no configuration. Correct the extension, or remove it');
  });

  it('says what to do about servers that do not respond', async () => {
    const closed = 'http://127.0.0.1:3';
    expect(await find('WordPress', { PAVIS_WORDPRESS_URL: `${closed}/wp-json` })).toMatch(
      /^FAIL {2}WordPress: http:\/\/127\.0\.0\.1:3\/wp-json is not usable: .*ECONNREFUSED.*\. Check PAVIS_WORDPRESS_URL, and whether this machine may connect to the server$/,
    );
    expect(await find('site', { PAVIS_SITE_URL: closed })).toBe(
      'FAIL  site: 127.0.0.1:3 refused the connection. Check PAVIS_SITE_URL, and whether this machine may connect to the server',
    );
    const provider = { PAVIS_OIDC_ISSUER: closed, PAVIS_OIDC_CLIENT_ID: 'pavis' };
    expect(await find('single sign-on', provider)).toMatch(
      /^FAIL {2}single sign-on: http:\/\/127\.0\.0\.1:3 is not usable: .*\. Check PAVIS_OIDC_ISSUER, and whether this machine may connect to the server$/,
    );
  });

  it('says what to do about a damaged database, and about a folder in its place', async () => {
    await pavisJson(['migrate'], env);
    const file = join(folder.path, 'pavis.db');
    const advice =
      /\. The database file is damaged\. Stop the server, then restore a backup with "pavis restore FILE --force"\.$/;
    damage(file, 'pavis_migrations');
    for (const name of ['schema', 'mail queue']) {
      const line = await find(name);
      expect(line).toMatch(new RegExp(`^FAIL {2}${name}: cannot use the database sqlite:`));
      expect(line).toMatch(advice);
    }
    const listed = await pavis(['user', 'list'], env);
    expect([listed.code, listed.stdout]).toEqual([1, '']);
    expect(listed.stderr.trimEnd()).toMatch(advice);

    writeFileSync(file, 'damaged '.repeat(1_000));
    const unreadable = await pavis(['user', 'list'], env);
    expect(unreadable.stderr.trimEnd()).toMatch(advice);

    const other = join(folder.path, 'other');
    mkdirSync(join(other, 'pavis.db'), { recursive: true });
    const refused = await pavis(['user', 'list'], { PAVIS_DATA_DIR: other });
    expect([refused.code, refused.stderr]).toEqual([
      2,
      `pavis: PAVIS_DATA_DIR has a folder ${join(other, 'pavis.db')}: a file is needed there: move the folder away\n`,
    ]);
  });
});
