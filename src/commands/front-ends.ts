import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { createLogger, type Logger } from '../platform/log.ts';
import { PROJECT_ROOT } from '../platform/project-root.ts';

const WEB = join(PROJECT_ROOT, 'web');
const BUILDERS = ['build.ts', 'client-package.ts'];
const BUILDER = join(WEB, 'build.ts');
/** Where the sources of each are. It is built into the folder of its name in `web/dist`. */
const FRONT_ENDS = {
  banner: join(WEB, 'banner'),
  console: join(WEB, 'console'),
  client: join(PROJECT_ROOT, 'packages/client'),
};
type FrontEnd = keyof typeof FRONT_ENDS;
const STAMP = 'sources.sha256';

/**
 * Builds the front-ends that are missing or of other sources; the next start finds them built. A
 * published package brings them, and no builder.
 */
export async function buildFrontEnds(log: Logger): Promise<void> {
  if (!existsSync(BUILDER)) return;
  for (const name of Object.keys(FRONT_ENDS) as FrontEnd[]) {
    const sources = hashOfSources(name);
    if (builtFrom(name) === sources) continue;
    log.info({ frontEnd: name }, 'building a front-end, once');
    await buildFrontEnd(name, sources);
  }
}

/** Beside its place and then into it, so that nobody ever sees half of one. */
async function buildFrontEnd(name: FrontEnd, sources: string): Promise<void> {
  const place = join(WEB, 'dist', name);
  const draft = `${place}.${process.pid}`;
  try {
    // A process of its own: what building takes is given back with its end.
    await promisify(execFile)(process.execPath, [BUILDER, name, draft]);
    mkdirSync(draft, { recursive: true });
    writeFileSync(join(draft, STAMP), sources);
    rmSync(place, { recursive: true, force: true });
    renameSync(draft, place);
  } catch (error) {
    // Another process that started at the same time may have been first.
    if (builtFrom(name) !== sources) throw error;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

function builtFrom(name: string): string | undefined {
  const stamp = join(WEB, 'dist', name, STAMP);
  return existsSync(stamp) ? readFileSync(stamp, 'utf8') : undefined;
}

function hashOfSources(name: FrontEnd): string {
  const hash = createHash('sha256');
  for (const file of BUILDERS) hash.update(readFileSync(join(WEB, file)));
  const entries = readdirSync(FRONT_ENDS[name], { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  for (const path of files.map((file) => join(file.parentPath, file.name)).sort()) {
    hash.update(relative(WEB, path)).update(readFileSync(path));
  }
  return hash.digest('hex');
}

if (import.meta.main) await buildFrontEnds(await createLogger('info'));
