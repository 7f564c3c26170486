import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import {
  access,
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  statfs,
  writeFile,
} from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliDecompress, createBrotliDecompress } from 'node:zlib';
import { createFolder } from '../../../platform/durable-file.ts';
import { MINUTE_MS } from '../../../platform/durations.ts';
import { listUnpacked, type Unpacked } from './bundled.ts';

const TAR_BLOCK = 512;
const DRAFT = 'unpacking-';
/** It takes 204 MB; the database is often on the same disk. */
const NEEDED_MB = 256;
/** Unpacking takes seconds. */
const ABANDONED_MS = 10 * MINUTE_MS;

/**
 * Unpacks the bundled Chromium once per version into `<dataDir>/browser`. `executablePath()` of the package would
 * run any file at a fixed path in the temporary folder.
 * @returns undefined if the package is not installed or for another platform
 */
export async function unpackBrowser(dataDir: string): Promise<Unpacked | undefined> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined;
  const packed = packageFolder();
  if (!packed) return undefined;
  const files = {
    browser: join(packed, 'bin/chromium.br'),
    libraries: join(packed, 'bin/al2023.tar.br'),
    fonts: join(packed, 'bin/fonts.tar.br'),
  };
  const { version } = JSON.parse(await readFile(join(packed, 'package.json'), 'utf8'));
  const hash = createHash('sha256');
  for (const file of Object.values(files)) {
    for await (const chunk of createReadStream(file)) hash.update(chunk);
  }
  const shelf = join(dataDir, 'browser');
  const folder = join(shelf, `${version}-${hash.digest('hex').slice(0, 16)}`);
  const unpacked = listUnpacked(folder);
  if (await exists(folder)) return unpacked;

  createFolder(shelf);
  await removeAbandoned(shelf);
  await assertSpace(shelf);
  const draft = await mkdtemp(join(shelf, DRAFT));
  try {
    await Promise.all([
      pipeline(
        createReadStream(files.browser),
        createBrotliDecompress(),
        createWriteStream(join(draft, 'chromium'), { mode: 0o755, flush: true }),
      ),
      unpackFiles(files.libraries, listUnpacked(draft).libraries),
      unpackFiles(files.fonts, listUnpacked(draft).fonts),
    ]);
    await chmod(draft, 0o700);
    // What has this name is complete, also after a power failure: each file was flushed.
    await rename(draft, folder);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    // Another process was faster.
    if (!(await exists(folder))) throw error;
  }
  return unpacked;
}

/** @throws before anything is written, because a full disk would stop the database */
async function assertSpace(shelf: string): Promise<void> {
  const { blocks, bavail, bsize } = await statfs(shelf);
  const freeMb = Math.floor((bavail * bsize) / 1_000_000);
  // Some file systems do not report their size.
  if (blocks === 0 || freeMb >= NEEDED_MB) return;
  throw new Error(`${shelf} needs ${NEEDED_MB} MB of free space for it and has ${freeMb} MB`);
}

/** Removes what killed processes left, 200 MB each. */
async function removeAbandoned(shelf: string): Promise<void> {
  for (const name of await readdir(shelf)) {
    if (!name.startsWith(DRAFT)) continue;
    const folder = join(shelf, name);
    // Another process may be removing it as well.
    const { mtimeMs } = await stat(folder).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs > ABANDONED_MS) await rm(folder, { recursive: true, force: true });
  }
}

function packageFolder(): string | undefined {
  try {
    return dirname(dirname(fileURLToPath(import.meta.resolve('@sparticuz/chromium'))));
  } catch {
    return undefined;
  }
}

/** Extracts regular files into one flat folder, so that no entry can escape it. */
async function unpackFiles(archive: string, folder: string): Promise<void> {
  await mkdir(folder, { mode: 0o755 });
  const tar = await promisify(brotliDecompress)(await readFile(archive));
  for (let at = 0; at + TAR_BLOCK <= tar.length && tar[at] !== 0; ) {
    const name = tar.toString('utf8', at, at + 100).replace(/\0.*$/s, '');
    const size = Number.parseInt(tar.toString('latin1', at + 124, at + 136), 8);
    const isFile = '0\0'.includes(String.fromCharCode(tar[at + 156] ?? 0));
    const start = at + TAR_BLOCK;
    if (isFile) {
      const content = tar.subarray(start, start + size);
      await writeFile(join(folder, basename(name)), content, { mode: 0o755, flush: true });
    }
    at = start + Math.ceil(size / TAR_BLOCK) * TAR_BLOCK;
  }
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
