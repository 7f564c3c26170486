import { buffer as readAll } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl';
import { InvalidFieldError } from '../../platform/errors.ts';
import { HEADER_BYTES, type PluginHeader, readPluginHeader, readReadme } from './plugin-header.ts';

const ENTRIES_MAX = 50_000;
/** The maximum size of all files of a ZIP together, unpacked. */
const UNPACKED_MAX_BYTES = 500 * 2 ** 20;
const README_MAX_BYTES = 2 ** 20;
/** The maximum number of PHP files in the plugin's folder, where WordPress searches for headers. */
const PHP_FILES_MAX = 100;

export interface PluginPackage extends PluginHeader {
  testedWp: string | null;
  changelog: string;
}

const refuse = (reason: string) => new InvalidFieldError('file', reason);

const isZip = (file: Buffer): boolean =>
  file.subarray(0, 4).toString('latin1') === 'PK\u0003\u0004';

/**
 * What a WordPress plugin says about itself in its ZIP; undefined if the file is no ZIP, or one without plugin.
 * @param slug of the product: WordPress installs a plugin in the folder that its ZIP contains, so it must be this one
 * @throws InvalidFieldError for a ZIP that cannot be read, or must not be unpacked
 */
export async function readPluginPackage(
  file: Buffer,
  slug: string,
): Promise<PluginPackage | undefined> {
  if (!isZip(file)) return undefined;
  try {
    const archive = await fromBufferPromise(file, {
      lazyEntries: true,
      autoClose: false,
      strictFileNames: true,
    });
    const entries = await listEntries(archive);
    for (const entry of entries) await assertIntact(archive, entry);
    return await readPlugin(archive, entries, slug);
  } catch (error) {
    if (error instanceof InvalidFieldError) throw error;
    const [reason] = (error as Error).message.split('. ');
    throw refuse(`The ZIP cannot be read: ${reason}. Pack it again.`);
  }
}

/** yauzl refuses absolute paths, `..` and backslashes; links would lead out of the folder as well. */
async function listEntries(archive: ZipFile): Promise<Entry[]> {
  if (archive.entryCount > ENTRIES_MAX)
    throw refuse(`The ZIP contains ${archive.entryCount} files; ${ENTRIES_MAX} are allowed.`);
  const entries: Entry[] = [];
  let unpacked = 0;
  for await (const entry of archive.eachEntry()) {
    unpacked += entry.uncompressedSize;
    if (unpacked > UNPACKED_MAX_BYTES)
      throw refuse(`The ZIP unpacks to more than ${UNPACKED_MAX_BYTES / 2 ** 20} MB.`);
    if (isLink(entry)) throw refuse(`The ZIP contains a symbolic link: ${entry.fileName}.`);
    if (entry.isEncrypted()) throw refuse(`The ZIP is encrypted: ${entry.fileName}.`);
    entries.push(entry);
  }
  return entries;
}

/** The file type of Unix is in the upper half (APPNOTE.TXT 4.4.15). */
const isLink = ({ externalFileAttributes: attributes }: Entry): boolean =>
  ((attributes >>> 16) & 0o170000) === 0o120000;

/** A damaged file would break the sites that install it, and yauzl compares sizes only. Rare compressions are not checked. */
async function assertIntact(archive: ZipFile, entry: Entry): Promise<void> {
  if (!entry.canDecodeFileData()) return;
  let checksum = 0;
  try {
    for await (const chunk of await archive.openReadStreamPromise(entry)) {
      checksum = crc32(chunk, checksum);
      // Files that are not compressed are read without waiting, up to 500 MB.
      await setImmediate();
    }
  } catch {
    checksum = -1;
  }
  if (checksum !== entry.crc32)
    throw refuse(`The ZIP cannot be read: ${entry.fileName} is damaged. Pack it again.`);
}

async function readPlugin(
  archive: ZipFile,
  entries: readonly Entry[],
  slug: string,
): Promise<PluginPackage | undefined> {
  const mainFiles = entries.filter(({ fileName }) => /^[^/]+\/[^/]+\.php$/i.test(fileName));
  for (const entry of mainFiles.slice(0, PHP_FILES_MAX)) {
    const header = readPluginHeader(await read(archive, entry, HEADER_BYTES));
    if (!header) continue;
    assertOneFolder(entries, slug);
    const readme = entries.find(({ fileName }) => fileName.toLowerCase() === `${slug}/readme.txt`);
    const text = readme ? await read(archive, readme, README_MAX_BYTES) : '';
    return { ...header, ...readReadme(text, header.version ?? '') };
  }
  const isInRoot = entries.some(({ fileName }) => /^[^/]+\.php$/i.test(fileName));
  if (isInRoot) assertOneFolder(entries, slug);
  return undefined;
}

function assertOneFolder(entries: readonly Entry[], slug: string): void {
  const found = new Set(entries.map(({ fileName }) => fileName.replace(/(?<=\/).*/s, '')));
  if (found.size === 1 && found.has(`${slug}/`)) return;
  throw refuse(
    `The ZIP must contain one folder ${slug}/, because WordPress installs the plugin in it. It contains: ${[...found].slice(0, 5).join(', ')}.`,
  );
}

/** The start of a text file, without NULs, which PostgreSQL cannot store. */
const read = async (archive: ZipFile, entry: Entry, most: number): Promise<string> =>
  (await readStart(archive, entry, most)).toString().replaceAll('\u0000', '');

/** What is unpacked is limited by what is read, whatever size the ZIP says. */
async function readStart(archive: ZipFile, entry: Entry, most: number): Promise<Buffer> {
  const stream = await archive.openReadStreamPromise(entry);
  if (entry.uncompressedSize <= most) return readAll(stream);
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= most) break;
  }
  return Buffer.concat(chunks).subarray(0, most);
}
