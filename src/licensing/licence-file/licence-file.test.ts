import { createPublicKey, verify } from 'node:crypto';
import { createLocalJWKSet, decodeJwt, jwtVerify } from 'jose';
import { describe, expect, it } from 'vitest';
import { makeLicence } from '../../../test/support/makers.ts';
import { useTestApp } from '../../../test/support/test-app.ts';
import { DAY_MS } from '../../platform/durations.ts';
import { revokeLicence } from '../licences/index.ts';
import { createLicenceFile } from './index.ts';

describe('Licence files', () => {
  const app = useTestApp('sqlite');
  const keys = async () => (await app.http.get('/licence/public-key')).json;
  const checked = async (file: string) =>
    jwtVerify(file, createLocalJWKSet(await keys()), {
      issuer: 'pavis',
      typ: 'pavis-licence+jwt',
      algorithms: ['EdDSA'],
      currentDate: new Date(app.clock.now()),
    });

  it('contain the licence and are verified with the public key', async () => {
    const { id, key, email } = await makeLicence(app.platform, { tier: 'agency' });
    const { file, validUntil } = await createLicenceFile(app.platform, id, 30);
    expect(validUntil).toBe(app.clock.now() + 30 * DAY_MS);
    expect((await checked(file)).payload).toEqual({
      iss: 'pavis',
      sub: id,
      iat: app.clock.now() / 1_000,
      exp: validUntil / 1_000,
      product: 'pavis',
      tier: 'agency',
      mode: 'live',
      features: ['dsar', 'retention', 'reporting', 'advanced_integrations', 'white_label'],
      sites_allowed: 25,
    });
    const said = Buffer.from(file.split('.')[1] ?? '', 'base64url').toString();
    expect(said).not.toContain(email);
    expect(said).not.toContain(key.slice(-4));
  });

  it('are verified without a library', async () => {
    const { id } = await makeLicence(app.platform);
    const { file } = await createLicenceFile(app.platform, id, 1);
    const [head = '', body = '', signature = ''] = file.split('.');
    const [jwk] = (await keys()).keys;
    const publicKey = createPublicKey({ key: jwk, format: 'jwk' });
    const isGood = (text: string) =>
      verify(null, Buffer.from(text), publicKey, Buffer.from(signature, 'base64url'));
    expect(isGood(`${head}.${body}`)).toBe(true);
    expect(isGood(`${head}.${body.slice(0, -2)}AA`)).toBe(false);
  });

  it('expire with the licence, and are rejected for inactive licences', async () => {
    const expiresAt = app.clock.now() + 3 * DAY_MS;
    const { id } = await makeLicence(app.platform, { expiresAt, graceDays: 2 });
    const { file } = await createLicenceFile(app.platform, id, 365);
    expect((decodeJwt(file).exp ?? 0) * 1_000).toBe(expiresAt + 2 * DAY_MS);
    app.clock.advance(6 * DAY_MS);
    await expect(checked(file)).rejects.toThrow('"exp"');
    await expect(createLicenceFile(app.platform, id, 1)).rejects.toThrow('is expired');
    const { id: revoked } = await makeLicence(app.platform);
    await revokeLicence(app.platform, revoked, 'test');
    await expect(createLicenceFile(app.platform, revoked, 1)).rejects.toThrow('is revoked');
    await expect(createLicenceFile(app.platform, 'lic_x', 1)).rejects.toThrow('was not found');
  });
});
