import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';

const WEB = import.meta.dirname;
const BUILDERS = [
  'build.ts',
  'client-package.ts',
  'guide-text.ts',
  'guides.ts',
  'receipt-verifier-page.ts',
];
const BUILDER = join(WEB, 'build.ts');
/** The sources of each front-end, relative to this folder; it is built into the folder of its name in `web/dist`. */
const FRONT_ENDS = {
  banner: ['banner'],
  declaration: ['declaration'],
  'receipt-verifier': ['receipt-verifier', 'pages/shield.svg'],
  console: ['console', 'pages/shield.svg'],
  client: ['../packages/client'],
  docs: ['docs', '../docs', '../SECURITY.md', '../CHANGELOG.md'],
};
type FrontEnd = keyof typeof FRONT_ENDS;
const STAMP = 'sources.sha256';

/** Builds the front-ends whose sources have changed since they were built. */
export async function buildChangedFrontEnds(): Promise<void> {
  for (const name of Object.keys(FRONT_ENDS) as FrontEnd[]) {
    const sources = hashSources(name);
    if (readStamp(name) === sources) continue;
    process.stderr.write(`building web/dist/${name}\n`);
    await buildFrontEnd(name, sources);
  }
}

/** Builds into a folder of its own and then renames it, so that a running server never serves half a build. */
async function buildFrontEnd(name: FrontEnd, sources: string): Promise<void> {
  const place = join(WEB, 'dist', name);
  const draft = `${place}.${process.pid}`;
  try {
    // In a process of its own, so that its memory is freed.
    await promisify(execFile)(process.execPath, [BUILDER, name, draft]);
    mkdirSync(draft, { recursive: true });
    writeFileSync(join(draft, STAMP), sources);
    rmSync(place, { recursive: true, force: true });
    renameSync(draft, place);
  } catch (error) {
    // Another process may have built it at the same time.
    if (readStamp(name) !== sources) throw error;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

function readStamp(name: string): string | undefined {
  const stamp = join(WEB, 'dist', name, STAMP);
  return existsSync(stamp) ? readFileSync(stamp, 'utf8') : undefined;
}

function hashSources(name: FrontEnd): string {
  const hash = createHash('sha256');
  for (const file of BUILDERS) hash.update(readFileSync(join(WEB, file)));
  for (const path of FRONT_ENDS[name].flatMap((source) => listFiles(join(WEB, source)))) {
    hash.update(relative(WEB, path)).update(readFileSync(path));
  }
  return hash.digest('hex');
}

function listFiles(path: string): string[] {
  if (statSync(path).isFile()) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((file) => join(file.parentPath, file.name))
    .sort();
}

if (import.meta.main) {
  try {
    await buildChangedFrontEnds();
  } catch (error) {
    process.stderr.write(`The front-ends could not be built: ${(error as Error).message}\n`);
    // `npm start` goes on: the APIs work without the console and the banner.
    if (!process.argv.includes('--keep-going')) process.exitCode = 1;
  }
}
