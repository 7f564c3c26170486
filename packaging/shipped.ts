import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const PROJECT = join(import.meta.dirname, '..');
/** Where code is that is built into files of the package. */
const SOURCES = '{src/**,web/*/**,packages/client}/*.{ts,tsx}';
const IMPORT =
  /\bimport(?:\s+(type)\b)?(?:[^';]*\bfrom)?\s*\(?\s*'((?:@[\w.-]+\/)?\w[\w.-]*)(?:\/[^']*)?'/g;

/** A package of others of which Pavis ships code. */
export interface ShippedPackage {
  name: string;
  version: string;
  /** SPDX expression as its author states it. */
  licence: string;
  /** Whether it is built into the files of Pavis. Otherwise npm installs it; a few are both. */
  isBundled: boolean;
  /** Its folder, below the project. */
  path: string;
  /** SRI hash of the published package. */
  integrity: string;
}

interface LockedPackage {
  version: string;
  license?: string;
  integrity?: string;
  link?: boolean;
  optional?: boolean;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}

/**
 * The packages of others that a user of the published package runs, by name: those that npm installs with it, and those
 * that are built into its files with all that they depend on, also where only parts of it are used.
 */
export function listShipped(): ShippedPackage[] {
  const locked: Record<string, LockedPackage> = JSON.parse(
    readFileSync(join(PROJECT, 'package-lock.json'), 'utf8'),
  ).packages;
  const { dependencies, devDependencies, optionalDependencies } = locked[''] as LockedPackage;
  const installed = findAll(locked, Object.keys({ ...dependencies, ...optionalDependencies }));
  const imported = listImports().filter((name) => name in (devDependencies ?? {}));
  // Types and native programs are not built into a file.
  const bundled = new Set(
    [...findAll(locked, imported)].filter(
      (path) => !path.includes('/@types/') && !locked[path]?.optional,
    ),
  );
  return [...new Set([...installed, ...bundled])]
    .map((path) => describe(path, locked[path] as LockedPackage, bundled.has(path)))
    .toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

function describe(path: string, found: LockedPackage, isBundled: boolean): ShippedPackage {
  const { version, license = 'not stated', integrity = '' } = found;
  return { name: toName(path), version, licence: license, isBundled, path, integrity };
}

const toName = (path: string): string =>
  path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

/** The names of packages that the code of the server, the front-ends and the client imports. */
function listImports(): string[] {
  const names = new Set<string>();
  for (const file of globSync(SOURCES, { cwd: PROJECT })) {
    if (file.endsWith('.test.ts') || file.startsWith(join('web', 'dist'))) continue;
    const text = readFileSync(join(PROJECT, file), 'utf8');
    for (const [, type, name] of text.matchAll(IMPORT)) if (!type && name) names.add(name);
  }
  return [...names];
}

/** The paths of packages in the lock file, with all that they need. */
function findAll(locked: Record<string, LockedPackage>, names: string[]): Set<string> {
  const found = new Set<string>();
  const open = names.map((name) => ({ name, from: '' }));
  for (let next = open.pop(); next; next = open.pop()) {
    const path = resolve(locked, next.name, next.from);
    const entry = path === undefined ? undefined : locked[path];
    if (path === undefined || !entry || entry.link || found.has(path)) continue;
    found.add(path);
    const needed = {
      ...entry.dependencies,
      ...entry.optionalDependencies,
      ...entry.peerDependencies,
    };
    for (const name of Object.keys(needed)) open.push({ name, from: path });
  }
  return found;
}

/** As Node finds a package: beside the one that imports it, or in a folder further up. */
function resolve(
  locked: Record<string, LockedPackage>,
  name: string,
  from: string,
): string | undefined {
  for (
    let folder = from;
    ;
    folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))
  ) {
    const path = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    if (path in locked) return path;
    if (folder === '') return undefined;
  }
}
