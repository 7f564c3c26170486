import { createLocalJWKSet, jwtVerify } from 'jose';
import { describe, expect, it } from 'vitest';
import { ENGINES } from '../../../test/support/engines.ts';
import { makeLicence } from '../../../test/support/makers.ts';
import { useTestApp } from '../../../test/support/test-app.ts';
import { Secret } from '../../platform/crypto/secret.ts';
import { createLicenceFile } from '../licence-file/index.ts';
import { rotateSigningKey } from './index.ts';
import { deriveFirstKey } from './rules.ts';

describe('The first signing key', () => {
  it('is derived from the secret', () => {
    const readId = (secret: string) =>
      deriveFirstKey(new Secret(Buffer.from(secret.repeat(32)))).kid;
    expect(readId('a')).toBe(readId('a'));
    expect(readId('a')).not.toBe(readId('b'));
  });
});

describe.each(ENGINES)('Signing keys on %s', (engine) => {
  const app = useTestApp(engine);
  const list = async () => (await app.http.get('/licence/public-key')).json.keys;

  it('are rotated: the old key stays, vouches for the new one, and licence files follow', async () => {
    const [first] = await list();
    expect(first).toMatchObject({ created_at: null, retired_at: null, endorsement: null });
    const { id } = await makeLicence(app.platform);
    const old = await createLicenceFile(app.platform, id, 30);
    const now = new Date(app.clock.now()).toISOString();

    const { kid } = await rotateSigningKey(app.platform, false, 'grace');
    const keys = await list();
    expect(keys.map((key: Record<string, unknown>) => [key.kid, key.created_at, key.retired_at]))
      // The current key comes first.
      .toEqual([
        [kid, now, null],
        [first.kid, null, now],
      ]);
    const vouched = await jwtVerify(keys[0].endorsement, createLocalJWKSet({ keys: [first] }), {
      issuer: 'pavis',
      typ: 'pavis-key+jwt',
    });
    expect(vouched.payload).toMatchObject({ sub: kid, x: keys[0].x });

    const created = await createLicenceFile(app.platform, id, 30);
    for (const [file, signer] of [
      [old, first.kid],
      [created, kid],
    ]) {
      const { protectedHeader } = await jwtVerify(file.file, createLocalJWKSet({ keys }), {
        currentDate: new Date(app.clock.now()),
      });
      expect(protectedHeader.kid).toBe(signer);
    }
    const events = await app.platform.datastore.db
      .selectFrom('security_events')
      .select(['actor', 'details'])
      .where('event', '=', 'signing_key_rotated')
      .execute();
    expect(events.map(({ actor, details }) => [actor, JSON.parse(details)])).toEqual([
      ['grace', { key: kid, previous: first.kid, revoked: false }],
    ]);
  });

  it('are removed when they are revoked, and then vouch for nothing', async () => {
    const { kid } = await rotateSigningKey(app.platform, true, 'test');
    const keys = await list();
    expect(keys).toHaveLength(1);
    expect(keys[0]).toMatchObject({ kid, endorsement: null, retired_at: null });
  });

  it('form one chain when they are rotated at the same time', async () => {
    const rotations = await Promise.all(
      Array.from({ length: 4 }, () => rotateSigningKey(app.platform, false, 'test')),
    );
    const keys = await list();
    expect(keys.filter((key: { retired_at: unknown }) => key.retired_at === null)).toHaveLength(1);
    expect(new Set(rotations.map(({ previous }) => previous)).size).toBe(4);
  });
});
