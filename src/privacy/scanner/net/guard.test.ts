import { describe, expect, it, vi } from 'vitest';
import { findConnectTo, parseConnectTo } from './connect-to.ts';
import { createGuard, type GuardOptions } from './guard.ts';

const signal = new AbortController().signal;

/** Names that a made-up DNS knows. */
const NAMES: Record<string, string[]> = {
  'public.example': ['93.184.216.34', '2606:4700::1111'],
  'private.example': ['10.0.0.5'],
  'both.example': ['93.184.216.34', '127.0.0.1'],
  'mapped.example': ['::ffff:10.0.0.5'],
  'site.example': ['10.0.0.5'],
  'staging.internal': ['10.9.9.9'],
};

function guard(options: Partial<GuardOptions> = {}) {
  return createGuard({
    siteOrigin: 'https://site.example',
    connectTo: [],
    lookup: async (name) => NAMES[name] ?? [],
    ...options,
  });
}

function connectTo(text: string) {
  const parsed = parseConnectTo(text);
  if ('wrong' in parsed) throw new Error(parsed.wrong);
  return parsed.entries;
}

describe('The guard', () => {
  it('returns the addresses of a public host, IPv4 first', async () => {
    expect(await guard().target('public.example', 443, signal)).toEqual({
      address: '93.184.216.34',
      addresses: ['93.184.216.34', '2606:4700::1111'],
      port: 443,
    });
  });

  it.each([
    'private.example',
    'both.example',
    'mapped.example',
    '127.0.0.1',
    '2130706433',
    '0x7f.1',
    '::1',
    '[::ffff:10.0.0.5]',
    '169.254.169.254',
  ])('denies a host with any address that is not public: %s', async (host) => {
    await expect(guard().target(host, 80, signal)).rejects.toMatchObject({ reason: 'not_public' });
  });

  it("allows the site's own host and port", async () => {
    expect(await guard().target('site.example', 443, signal)).toMatchObject({
      address: '10.0.0.5',
    });
  });

  it('denies other ports and other names of a private site', async () => {
    for (const [host, port] of [
      ['site.example', 5432],
      ['private.example', 443],
      ['10.0.0.5', 443],
    ] as const) {
      await expect(guard().target(host, port, signal)).rejects.toMatchObject({
        reason: 'not_public',
      });
    }
  });

  it('resolves each name once (DNS rebinding)', async () => {
    const answers = [['93.184.216.34'], ['127.0.0.1']];
    const lookup = vi.fn(async () => answers.shift() ?? []);
    const rebinding = guard({ lookup });
    const targets = await Promise.all([
      rebinding.target('rebind.example', 80, signal),
      rebinding.target('rebind.example', 80, signal),
    ]);
    expect(targets.map(({ addresses }) => addresses)).toEqual([
      ['93.184.216.34'],
      ['93.184.216.34'],
    ]);
    expect(lookup).toHaveBeenCalledOnce();
  });

  it('rejects unknown and malformed hosts', async () => {
    await expect(guard().target('nobody.example', 80, signal)).rejects.toMatchObject({
      reason: 'no_such_host',
    });
    await expect(guard().target('a b', 80, signal)).rejects.toMatchObject({ reason: 'malformed' });
    await expect(guard().target('public.example', 0, signal)).rejects.toMatchObject({
      reason: 'malformed',
    });
  });

  it('times out if the name server does not respond', async () => {
    const silent = guard({ lookup: () => new Promise(() => {}) });
    const started = performance.now();
    await expect(silent.target('slow.example', 80, signal)).rejects.toMatchObject({
      reason: 'dns_timeout',
    });
    expect(performance.now() - started).toBeLessThan(10_000);
    const ended = AbortSignal.timeout(20);
    await expect(silent.target('slow.example', 80, ended)).rejects.toMatchObject({
      name: 'TimeoutError',
    });
  });

  it('treats localhost and its subdomains as this machine', async () => {
    const real = createGuard({ siteOrigin: 'https://site.example', connectTo: [] });
    for (const host of ['localhost', 'LOCALHOST.', 'any.localhost']) {
      await expect(real.target(host, 80, signal)).rejects.toMatchObject({ reason: 'not_public' });
    }
  });

  it("denies other ports of this machine's public address", async () => {
    const own = guard({ isOwnAddress: (address) => address === '93.184.216.34' });
    expect(await own.target('public.example', 443, signal)).toMatchObject({ port: 443 });
    await expect(own.target('public.example', 5432, signal)).rejects.toMatchObject({
      reason: 'own_port',
    });
    expect(await guard().target('public.example', 5432, signal)).toMatchObject({ port: 5432 });
  });

  it('connects to configured addresses, private ones included', async () => {
    const entries = connectTo('site.example:443=127.0.0.1:9443,*:80=staging.internal:9080');
    const staged = guard({ connectTo: entries });
    expect(await staged.target('site.example', 443, signal)).toMatchObject({
      address: '127.0.0.1',
      port: 9443,
    });
    expect(await staged.target('cdn.example', 80, signal)).toMatchObject({
      address: '10.9.9.9',
      port: 9080,
    });
    await expect(staged.target('10.0.0.1', 80, signal)).rejects.toMatchObject({
      reason: 'not_public',
    });
    await expect(staged.target('private.example', 8080, signal)).rejects.toMatchObject({
      reason: 'not_public',
    });
  });
});

describe('PAVIS_SCANNER_CONNECT_TO', () => {
  it('uses the first matching entry', () => {
    const entries = connectTo(' WWW.Example:443=127.0.0.1:9443 , *:443=[::1]:9444,');
    expect(entries).toEqual([
      { host: 'www.example', port: 443, toHost: '127.0.0.1', toPort: 9443 },
      { host: '*', port: 443, toHost: '::1', toPort: 9444 },
    ]);
    expect(findConnectTo(entries, 'www.example', 443)?.toPort).toBe(9443);
    expect(findConnectTo(entries, 'other.example', 443)?.toPort).toBe(9444);
    expect(findConnectTo(entries, 'other.example', 80)).toBeUndefined();
  });

  it('matches private addresses only by name, not by *', () => {
    expect(findConnectTo(connectTo('*:80=127.0.0.1:1'), '10.0.0.1', 80)).toBeUndefined();
    expect(findConnectTo(connectTo('10.0.0.1:80=127.0.0.1:1'), '10.0.0.1', 80)).toBeDefined();
  });

  it.each([
    'nonsense',
    'a:1=b',
    'a=b:1',
    'a:0=b:1',
    'a:1=b:65536',
    'a:1=b:x',
    ':1=b:1',
    'a b:1=c:1',
  ])('returns the invalid entry: %j', (item) => {
    expect(parseConnectTo(`x:1=y:1,${item}`)).toEqual({ wrong: item });
  });

  it('may be empty', () => {
    expect(parseConnectTo('')).toEqual({ entries: [] });
  });
});
