import { createHash } from 'node:crypto';
import {
  existsSync,
  globSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { bundleServer } from './bundle-server.ts';
import { BUNDLES, type Bundle, CURRENT, isInUse, readCurrent } from './fresh-bundle.js';

const PROJECT = join(import.meta.dirname, '..');
const SOURCES = ['src/**/*.{ts,json}', 'packaging/bundle-server.ts', 'package-lock.json'];
/** npm writes it at each installation. */
const INSTALLED = 'node_modules/.package-lock.json';

/**
 * Bundles the server if its sources have changed since it was bundled. Each bundle has a folder of its own, so that a
 * running server finds its files.
 * @param project the folder with the sources
 */
export async function bundleChangedServer(
  project: string = PROJECT,
  bundle: (folder: string) => Promise<unknown> = bundleServer,
): Promise<void> {
  const bundles = join(project, BUNDLES);
  const previous = readCurrent(project)?.folder;
  const current = describeSources(project);
  const place = join(bundles, current.folder);
  if (!existsSync(place)) {
    process.stderr.write('bundling the server\n');
    const draft = `${place}.${process.pid}`;
    try {
      await bundle(draft);
      // A source that was changed meanwhile: its bundle would have the hash of the old one.
      if (describeSources(project).folder !== current.folder)
        return await bundleChangedServer(project, bundle);
      renameSync(draft, place);
    } catch (error) {
      // Another process may have bundled it at the same time.
      if (!existsSync(place)) throw error;
    } finally {
      rmSync(draft, { recursive: true, force: true });
    }
  }
  const stamp = join(bundles, CURRENT);
  writeFileSync(`${stamp}.${process.pid}`, JSON.stringify(current));
  renameSync(`${stamp}.${process.pid}`, stamp);
  removeOthers(bundles, [current.folder, previous]);
}

function describeSources(project: string): Bundle {
  const hash = createHash('sha256');
  const files = globSync(SOURCES, { cwd: project }).filter((file) => !file.endsWith('.test.ts'));
  const sources: Bundle['sources'] = [];
  for (const file of files.sort()) {
    // Before it is read: a change in between makes the stamp stale.
    sources.push(stamp(project, file));
    hash.update(`${file}\0`).update(readFileSync(join(project, file)));
  }
  if (existsSync(join(project, INSTALLED))) sources.push(stamp(project, INSTALLED));
  return { folder: hash.digest('hex').slice(0, 16), sources };
}

function stamp(project: string, file: string): Bundle['sources'][number] {
  const { mtimeMs, size } = statSync(join(project, file));
  return [file, mtimeMs, size];
}

/** Of the bundle before the current one a server may just be starting. */
function removeOthers(bundles: string, kept: (string | undefined)[]): void {
  for (const entry of readdirSync(bundles, { withFileTypes: true })) {
    const folder = join(bundles, entry.name);
    if (!entry.isDirectory() || kept.includes(entry.name) || isInUse(folder)) continue;
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Before `npm start`, `npm test` and `npm run bench`. */
if (import.meta.main) {
  try {
    await bundleChangedServer();
  } catch (error) {
    process.stderr.write(`The server could not be bundled: ${(error as Error).message}\n`);
    // `npm start` goes on: it runs the sources then.
    if (!process.argv.includes('--keep-going')) process.exitCode = 1;
  }
}
