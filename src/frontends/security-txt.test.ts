import { describe, expect, it } from 'vitest';
import { useTestApp } from '../../test/support/test-app.ts';

const PATH = '/.well-known/security.txt';
const CONTACT = { PAVIS_SECURITY_CONTACT: 'security@example.com, https://example.com/report?a=1' };

describe('security.txt', () => {
  const app = useTestApp('sqlite', {
    ...CONTACT,
    PAVIS_BASE_URL: 'https://pavis.example.com/licences',
    PAVIS_REST_ROOT: 'https://pavis.example.com/wp-json',
  });

  it('has the fields of RFC 9116, and expires in less than a year', async () => {
    const { status, text, headers } = await app.http.get(PATH);
    expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
    expect(headers.get('cache-control')).toBe('public, max-age=86400');
    expect(text.split('\n')).toEqual([
      'Contact: mailto:security@example.com',
      'Contact: https://example.com/report?a=1',
      'Expires: 2027-05-20T00:00:00.000Z',
      'Preferred-Languages: en, de',
      `Canonical: https://pavis.example.com${PATH}`,
      '',
    ]);
  });

  it('stays the same for a day, and never expires while the server runs', async () => {
    const read = async () => (await app.http.get(PATH)).text;
    app.clock.set('2026-11-25T00:00:00.000Z');
    const first = await read();
    app.clock.set('2026-11-25T23:59:59.999Z');
    expect(await read()).toBe(first);
    app.clock.set('2026-11-26T00:00:00.000Z');
    expect(await read()).toContain('Expires: 2027-05-25T00:00:00.000Z\n');
  });
});

describe('security.txt at two addresses', () => {
  const app = useTestApp('sqlite', {
    ...CONTACT,
    PAVIS_BASE_URL: 'https://licences.example.com',
    PAVIS_REST_ROOT: 'https://privacy.example.com/wp-json',
  });

  it('lists both', async () => {
    const { text } = await app.http.get(PATH);
    expect(text.match(/^Canonical: .*$/gm)).toEqual([
      `Canonical: https://licences.example.com${PATH}`,
      `Canonical: https://privacy.example.com${PATH}`,
    ]);
  });
});

describe('security.txt beside WordPress', () => {
  const app = useTestApp('sqlite', {
    ...CONTACT,
    PAVIS_BASE_URL: 'https://licences.example.com',
    PAVIS_REST_ROOT: 'https://www.example.com/wp-json',
    PAVIS_WORDPRESS_URL: 'https://www.example.com/wp-json',
  });

  it('does not list the address of WordPress', async () => {
    const { text } = await app.http.get(PATH);
    expect(text.match(/^Canonical: .*$/gm)).toEqual([
      `Canonical: https://licences.example.com${PATH}`,
    ]);
  });
});

describe('security.txt over http', () => {
  const app = useTestApp('sqlite', { ...CONTACT, PAVIS_SERVICES: 'licence' });

  it('lists no address, which would have to be https', async () => {
    const { status, text } = await app.http.get(PATH);
    expect(status).toBe(200);
    expect(text).not.toContain('Canonical');
  });
});

describe('security.txt without a contact', () => {
  const app = useTestApp('sqlite');

  it('is not found, as any other address', async () => {
    const [lost, other] = await Promise.all([app.http.get(PATH), app.http.get('/nothing')]);
    expect(lost.status).toBe(404);
    expect(lost.json).toEqual(other.json);
  });
});
