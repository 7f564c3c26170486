import { describe, expect, it } from 'vitest';
import { makePluginZip, makeZip, pluginFile } from '../../../test/support/plugin-zip.ts';
import { readPluginPackage } from './package-file.ts';

const README = `=== Forms Pro ===
Tested up to: 6.8
Stable tag: 2.5.0

== Changelog ==

= 2.5.0 =
* Adds an export.
* Fixes a typo.

= 2.4.1 =
* Older.

== Upgrade Notice ==

= 2.5.0 =
Not this.
`;

describe('The ZIP of a WordPress plugin', () => {
  const refusal = async (zip: Buffer) => {
    const error = await readPluginPackage(zip, 'forms-pro').catch((reason) => reason);
    return error?.reason;
  };

  it('says its version, its requirements and its changelog', async () => {
    const zip = await makePluginZip('forms-pro', '2.5.0', { 'forms-pro/readme.txt': README });
    expect(await readPluginPackage(zip, 'forms-pro')).toEqual({
      version: '2.5.0',
      requiresWp: '6.2',
      requiresPhp: '7.4',
      updateUri: 'https://licences.example.com/releases/forms-pro',
      testedWp: '6.8',
      changelog: '* Adds an export.\n* Fixes a typo.',
    });
  });

  it('may have any name for its main file, and say nothing but the version', async () => {
    const zip = await makeZip({
      'forms-pro/a.php': '<?php // no header',
      'forms-pro/lib/x.php': pluginFile('9.9.9'),
      'forms-pro/plugin.php': '<?php\r\n# Plugin Name: Forms */\r\n# Version: 1.0.0 */\r\n',
    });
    expect(await readPluginPackage(zip, 'forms-pro')).toEqual({
      version: '1.0.0',
      requiresWp: null,
      requiresPhp: null,
      updateUri: null,
      testedWp: null,
      changelog: '',
    });
  });

  it('is read without NULs, which PostgreSQL cannot store', async () => {
    const zip = await makePluginZip('forms-pro', '2.5.0', {
      'forms-pro/readme.txt': README.replace('an export', 'an\u0000 export'),
    });
    expect(await readPluginPackage(zip, 'forms-pro')).toMatchObject({
      changelog: '* Adds an export.\n* Fixes a typo.',
    });
  });

  it('has its header in the first 8 KB, as WordPress reads it', async () => {
    const late = `<?php\n${'/'.repeat(8_200)}\n/*\n * Plugin Name: Late\n * Version: 1.0.0\n */`;
    expect(
      await readPluginPackage(await makeZip({ 'forms-pro/late.php': late }), 'forms-pro'),
    ).toBeUndefined();
  });

  it('contains one folder with the slug of the product', async () => {
    expect(await refusal(await makePluginZip('other', '1.0.0'))).toBe(
      'The ZIP must contain one folder forms-pro/, because WordPress installs the plugin in it. It contains: other/.',
    );
    const beside = { '__MACOSX/x': '', 'notes.txt': '' };
    expect(await refusal(await makePluginZip('forms-pro', '1.0.0', beside))).toContain(
      'It contains: forms-pro/, __MACOSX/, notes.txt.',
    );
    expect(await refusal(await makeZip({ 'forms-pro.php': pluginFile('1.0.0') }))).toContain(
      'It contains: forms-pro.php.',
    );
  });

  it('is refused with paths out of its folder, links, too much content, or if it is damaged', async () => {
    const zip = await makePluginZip('forms-pro', '1.0.0', { 'forms-pro/aa/x': 'x' });
    const climbing = Buffer.from(
      zip.toString('latin1').replaceAll('forms-pro/aa/x', 'forms-pro/../x'),
      'latin1',
    );
    expect(await refusal(climbing)).toContain('The ZIP cannot be read: invalid relative path');
    const end = zip.lastIndexOf(Buffer.from('PK\u0001\u0002'));
    const linked = Buffer.from(zip);
    linked.writeUInt32LE(0o120777 * 2 ** 16, end + 38);
    expect(await refusal(linked)).toBe('The ZIP contains a symbolic link: forms-pro/aa/x.');
    const bomb = Buffer.from(zip);
    bomb.writeUInt32LE(600 * 2 ** 20, end + 24);
    expect(await refusal(bomb)).toBe('The ZIP unpacks to more than 500 MB.');
    expect(await refusal(zip.subarray(0, 200))).toMatch(/^The ZIP cannot be read: .*Pack it again/);
  });

  it.each(['forms-pro', 'other'])('is refused if any file of it is damaged: %s', async (folder) => {
    const asset = `${folder}/assets/app.js`;
    const zip = await makePluginZip(folder, '1.0.0', { [asset]: 'console.log(1);'.repeat(99) });
    const damage = (by: number) => {
      const damaged = Buffer.from(zip);
      const at = zip.indexOf(asset) + asset.length + by;
      damaged.writeUInt8(damaged.readUInt8(at) ^ 0xff, at);
      return damaged;
    };
    const reason = `The ZIP cannot be read: ${asset} is damaged. Pack it again.`;
    for (const by of [0, 6, 12, 20]) expect(await refusal(damage(by)), `${by}`).toBe(reason);
    const checksum = Buffer.from(zip);
    checksum.writeUInt32LE(1, zip.lastIndexOf('PK\u0001\u0002') + 16);
    expect(await refusal(checksum)).toBe(reason);
  });

  it('is no plugin if it is another file', async () => {
    expect(await readPluginPackage(Buffer.from('plain'), 'forms-pro')).toBeUndefined();
    const tool = await makeZip({ 'tool/run.js': 'x', LICENSE: 'y' });
    expect(await readPluginPackage(tool, 'forms-pro')).toBeUndefined();
  });
});
