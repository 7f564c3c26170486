import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makePluginZip } from '../support/plugin-zip.ts';
import { pavis, pavisJson } from '../support/process.ts';
import { useServerProcess } from '../support/server-process.ts';

const SITE = 'https://shop.example.org';

describe('pavis release, beside a running server', () => {
  const server = useServerProcess();
  const { folder, env } = server;
  const file = (name: string) => join(folder, name);
  const run = (...args: string[]) => pavisJson(args, env);
  const release = (...args: string[]) => run('release', ...args, '--product', 'forms-pro');
  const refused = async (...args: string[]) => {
    const { code, stderr } = await pavis(['release', ...args, '--product', 'forms-pro'], env);
    return [code, stderr];
  };
  const check = async (key: string) => {
    const url = `/releases/forms-pro/update?site_url=${SITE}&version=2.4.1`;
    return (await server.http.get(url, { headers: { 'x-licence-key': key } })).json;
  };

  it('ships an update: key, signature, release, roll-out, yank', async () => {
    await run('product', 'create', 'forms-pro', '--name', 'Forms Pro');
    await run('plan', 'create', 'solo', '--product', 'forms-pro');
    const keyFile = file('release-key.pem');
    // As a run leaves it that is killed before it writes.
    writeFileSync(keyFile, '');
    const { public_key } = await run('release', 'keygen', '--out', keyFile);
    expect(statSync(keyFile).mode & 0o777).toBe(0o600);
    const again = await pavis(['release', 'keygen', '--out', keyFile], env);
    expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('exists already')]);

    const zip = file('forms-pro-2.5.0.zip');
    writeFileSync(zip, await makePluginZip('forms-pro', '2.5.0'));
    expect(await refused('publish', zip)).toEqual([
      2,
      expect.stringContaining(
        `there is no signature ${zip}.sig. Create it with "pavis release sign`,
      ),
    ]);
    const signed = await run('release', 'sign', zip, '--key', keyFile);
    expect(signed.public_key).toBe(public_key);
    expect(readFileSync(`${zip}.sig`, 'utf8').trim()).toBe(signed.signature);
    expect(await refused('publish', zip)).toEqual([
      1,
      'pavis: The product has no release key. Add the public key of the vendor first.\n',
    ]);
    await release('key', 'add', public_key, '--name', 'Build 2026');
    const changelog = file('changes.txt');
    writeFileSync(changelog, '- Adds an export');
    const published = await release(
      ...['publish', zip, '--changelog', changelog, '--rollout', '0', '--channel', 'stable'],
    );
    expect(published).toMatchObject({
      version: '2.5.0',
      changelog: '- Adds an export',
      rollout_percent: 0,
      signature: signed.signature,
    });

    const issue = ['licence', 'issue', '--product', 'forms-pro', '--tier', 'solo', '--days', '9'];
    const { key } = await run(...issue, '--email', 'ada@example.com');
    expect((await server.http.site('activate', key, SITE)).status).toBe(200);
    expect(await check(key)).toMatchObject({ version: '2.4.1', update_available: false });
    await release('update', '2.5.0', '--rollout', '100');
    const offered = await check(key);
    expect(offered).toMatchObject({ version: '2.5.0', update_available: true });
    const response = await fetch(offered.package);
    const content = Buffer.from(await response.arrayBuffer());
    expect(content.equals(readFileSync(zip))).toBe(true);

    await release('yank', '2.5.0', '--reason', 'Breaks the export');
    expect((await fetch(offered.package)).status).toBe(404);
    expect(await check(key)).toMatchObject({ update_available: false });
    await release('restore', '2.5.0');
    expect((await release('list')).releases).toMatchObject([
      { version: '2.5.0', downloads: 1, yanked_at: null },
    ]);
    expect(await refused('yank', '9.9.9')).toEqual([
      1,
      'pavis: forms-pro has no release 9.9.9. "pavis release list --product forms-pro" lists them\n',
    ]);
  });

  it('refuses a forged ZIP, and publishes another file with its version', async () => {
    const zip = file('forms-pro-2.6.0.zip');
    writeFileSync(zip, await makePluginZip('forms-pro', '2.6.0'));
    await run('release', 'sign', zip, '--key', file('release-key.pem'));
    writeFileSync(zip, await makePluginZip('forms-pro', '2.6.0', { 'forms-pro/evil.php': 'x' }));
    expect(await refused('publish', zip)).toEqual([
      1,
      'pavis: This is not the signature of this file by a release key of the product. Sign the file with "pavis release sign".\n',
    ]);
    const tool = file('tool.bin');
    writeFileSync(tool, 'any bytes');
    await run('release', 'sign', tool, '--key', file('release-key.pem'));
    expect(await refused('publish', tool)).toEqual([
      2,
      expect.stringContaining('Give the version'),
    ]);
    expect(await release('publish', tool, '--version', '2.6.0')).toMatchObject({
      version: '2.6.0',
      file_name: 'tool.bin',
    });
    const { keys } = await release('key', 'list');
    expect(await run('release', 'key', 'retire', String(keys[0].id))).toMatchObject({
      retired_at: expect.any(String),
    });
    expect(await refused('publish', tool, '--version', '2.7.0')).toEqual([
      1,
      'pavis: The key of this signature is retired. Sign the file with a current key.\n',
    ]);
  });

  it.skipIf(!hasOpenssl())('takes signatures that OpenSSL makes', async () => {
    const [pem, hash, sig, tool] = ['o.pem', 'o.sha384', 'o.raw', 'o.bin'].map(file) as [
      string,
      string,
      string,
      string,
    ];
    const openssl = (...args: string[]) => execFileSync('openssl', args);
    openssl('genpkey', '-algorithm', 'ed25519', '-out', pem);
    const der = openssl('pkey', '-in', pem, '-pubout', '-outform', 'DER');
    writeFileSync(tool, 'more bytes');
    openssl('dgst', '-sha384', '-binary', '-out', hash, tool);
    openssl('pkeyutl', '-sign', '-inkey', pem, '-rawin', '-in', hash, '-out', sig);
    writeFileSync(`${tool}.sig`, readFileSync(sig).toString('base64'));
    await release('key', 'add', der.subarray(-32).toString('base64'), '--name', 'OpenSSL');
    expect(await release('publish', tool, '--version', '3.0.0')).toMatchObject({
      version: '3.0.0',
    });
    const { signature } = await run('release', 'sign', tool, '--key', pem);
    expect(signature).toBe(readFileSync(sig).toString('base64'));
    expect(existsSync(`${tool}.sig`)).toBe(true);
  });
});

function hasOpenssl(): boolean {
  try {
    return execFileSync('openssl', ['version']).toString().startsWith('OpenSSL 3');
  } catch {
    return false;
  }
}
