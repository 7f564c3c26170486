import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { listShipped, type ShippedPackage } from './shipped.ts';

const PROJECT = join(import.meta.dirname, '..');
const LICENCE_FILE = /^(licen[cs]e|notice|copying)/i;
const RULE = '-'.repeat(80);

/** The licences of all packages, with the texts of those whose code is in the files of Pavis, as their authors require. */
function formatLicences(packages: ShippedPackage[]): string {
  const bundled = packages.filter(({ isBundled }) => isBundled);
  const installed = packages.filter(({ isBundled }) => !isBundled);
  return [
    'Pavis is published under the MIT licence (LICENSE). It uses packages of others.',
    '',
    'Installed by npm beside Pavis, each with its own licence text:',
    '',
    ...installed.map(formatLine),
    '',
    'In the files of Pavis (dist and web/dist), as a whole or in part:',
    '',
    ...bundled.map(formatLine),
    ...bundled.flatMap((each) => ['', RULE, formatLine(each), RULE, '', readText(each)]),
    '',
  ].join('\n');
}

const formatLine = ({ name, version, licence }: ShippedPackage): string =>
  `${name} ${version}: ${licence}`;

function readText({ path, licence }: ShippedPackage): string {
  const folder = join(PROJECT, path);
  const files = readdirSync(folder).filter((name) => LICENCE_FILE.test(name));
  if (files.length === 0) return `The package contains no licence text; it states "${licence}".`;
  return files.map((name) => readFileSync(join(folder, name), 'utf8').trim()).join('\n\n');
}

/** The last step of `npm run build`. */
writeFileSync(join(PROJECT, 'dist/THIRD-PARTY-LICENCES.txt'), formatLicences(listShipped()));
