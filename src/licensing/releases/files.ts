import type { Platform } from '../../platform/deps.ts';
import { DAY_MS } from '../../platform/durations.ts';
import { DomainError, InvalidFieldError, NotFoundError } from '../../platform/errors.ts';
import {
  countParts,
  deleteUnusedFiles,
  insertFile,
  lockFile,
  type ReleaseFile,
  readParts,
  sealFile,
  unsealUnusedFile,
  writePart,
} from './store.ts';

/** Most bytes of a part. In base64 it fits into a request. */
export const PART_BYTES = 128 * 1024;
/** A file that no release has by then is deleted. */
const UNUSED_MS = DAY_MS;

export interface FileLimits {
  /** Bytes. */
  maxBytes: number;
}

const assertSize = (bytes: number, { maxBytes }: FileLimits): void => {
  if (bytes > maxBytes)
    throw new InvalidFieldError(
      'file',
      `The file is larger than ${Math.floor(maxBytes / 2 ** 20)} MB. PAVIS_RELEASE_MAX_MB sets the limit.`,
    );
};

/** A name without folders that is safe in headers. */
const FILE_NAME = /^[A-Za-z0-9][\w.+-]{0,127}$/;

/**
 * Starts an upload. Deletes former ones that led to no release.
 * @param file.bytes the size, if it is known
 * @returns the id of the file
 * @throws InvalidFieldError for an unusual name and for a size above the limit
 */
export async function createFile(
  { datastore, clock }: Platform,
  { productId, name, bytes = 0 }: { productId: number; name: string; bytes?: number | undefined },
  limits: FileLimits,
): Promise<number> {
  assertSize(bytes, limits);
  if (!FILE_NAME.test(name))
    throw new InvalidFieldError(
      'name',
      'Use up to 128 letters, digits and . _ + - in the file name, for example forms-pro-2.5.0.zip.',
    );
  return datastore.transaction(async (trx) => {
    await deleteUnusedFiles(trx, clock.now() - UNUSED_MS);
    return insertFile(trx, { product_id: productId, name, created_at: clock.now() });
  });
}

/**
 * Writes a part of a file that is being uploaded. Writing it again replaces it, so a failed request can be repeated.
 * @param position of the part, from 0
 * @throws NotFoundError; InvalidFieldError if the file gets too large; DomainError `not_possible` once it is published
 */
export async function writeFilePart(
  { datastore }: Platform,
  { id, position, content }: { id: number; position: number; content: Uint8Array },
  limits: FileLimits,
): Promise<void> {
  if (content.length === 0 || content.length > PART_BYTES)
    throw new InvalidFieldError('data', `A part has 1 to ${PART_BYTES} bytes.`);
  assertSize(position * PART_BYTES + content.length, limits);
  await datastore.transaction(async (trx) => {
    const file = await lockFile(trx, id);
    if (!file) throw new NotFoundError('The file');
    assertOpen(file);
    await writePart(trx, { file_id: id, position, content });
  });
}

function assertOpen({ sealedAt }: ReleaseFile): void {
  if (sealedAt === null) return;
  const message = 'The file is being published or is part of a release. Upload another one.';
  throw new DomainError('conflict', 'not_possible', message);
}

/**
 * Uploads a whole file.
 * @returns its id
 */
export async function storeFile(
  platform: Platform,
  { productId, name, content }: { productId: number; name: string; content: Uint8Array },
  limits: FileLimits,
): Promise<number> {
  const id = await createFile(platform, { productId, name, bytes: content.length }, limits);
  for (let position = 0; position * PART_BYTES < content.length; position++) {
    const start = position * PART_BYTES;
    const part = content.subarray(start, start + PART_BYTES);
    await writeFilePart(platform, { id, position, content: part }, limits);
  }
  return id;
}

/**
 * Reads a file that was uploaded, which nobody can change meanwhile. If the work fails, it can be changed and
 * published again.
 * @throws NotFoundError; InvalidFieldError if parts are missing; DomainError `not_possible` if it is in use
 */
export async function withSealedFile<T>(
  { datastore, clock }: Platform,
  { id, productId }: { id: number; productId: number },
  work: (file: { name: string; content: Buffer }) => Promise<T>,
): Promise<T> {
  const { name } = await datastore.transaction(async (trx) => {
    const file = await lockFile(trx, id);
    if (file?.productId !== productId) throw new NotFoundError('The file');
    assertOpen(file);
    await sealFile(trx, id, clock.now());
    return file;
  });
  try {
    const parts: Uint8Array[] = [];
    for await (const part of readParts(datastore.db, id)) parts.push(part);
    if (parts.length === 0 || parts.length < (await countParts(datastore.db, id)))
      throw new InvalidFieldError('file', 'Parts of the file are missing. Upload it again.');
    return await work({ name, content: Buffer.concat(parts) });
  } catch (error) {
    await datastore.transaction((trx) => unsealUnusedFile(trx, id));
    throw error;
  }
}
