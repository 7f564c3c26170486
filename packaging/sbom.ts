import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listShipped, type ShippedPackage } from './shipped.ts';

interface Manifest {
  name: string;
  version: string;
  license: string;
}

/**
 * A bill of materials in CycloneDX 1.6 (ECMA-424): the packages that npm installs with Pavis and those that are built into
 * its files. `npm sbom` does not know the latter, because for npm they are tools of development.
 * @param at when it was made
 */
export function toSbom({ name, version, license }: Manifest, packages: ShippedPackage[], at: Date) {
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${randomUUID()}`,
    version: 1,
    metadata: {
      timestamp: at.toISOString(),
      component: {
        'bom-ref': `${name}@${version}`,
        type: 'application',
        name,
        version,
        purl: toPurl(name, version),
        licenses: [{ license: { id: license } }],
      },
    },
    components: packages.map(toComponent),
  };
}

function toComponent({ name, version, licence, isBundled, path, integrity }: ShippedPackage) {
  const [algorithm, hash = ''] = integrity.split('-', 2);
  return {
    // A package can be there twice in the same version.
    'bom-ref': path,
    type: 'library',
    name,
    version,
    // Of native packages, npm installs the one of the platform.
    scope: 'required',
    purl: toPurl(name, version),
    licenses: [{ expression: licence }],
    ...(algorithm === 'sha512' && {
      hashes: [{ alg: 'SHA-512', content: Buffer.from(hash, 'base64').toString('hex') }],
    }),
    properties: [{ name: 'pavis:delivery', value: isBundled ? 'built in' : 'installed by npm' }],
  };
}

/** The address of an npm package (purl-spec): the @ of a scope is escaped. */
const toPurl = (name: string, version: string): string =>
  `pkg:npm/${name.replace('@', '%40')}@${version}`;

/** `npm run sbom > pavis.cdx.json` at a release. */
if (import.meta.main) {
  const manifest = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'));
  process.stdout.write(`${JSON.stringify(toSbom(manifest, listShipped(), new Date()), null, 2)}\n`);
}
