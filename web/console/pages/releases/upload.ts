import { ApiError, write } from '../../api/client.ts';
import { ADMIN_PATH } from '../licences/queries.ts';
import { PRODUCTS } from '../products/queries.ts';
import type { ReleaseFile } from './queries.ts';

/** What the server has of a file. */
interface Upload extends Pick<ReleaseFile, 'id' | 'part_bytes'> {
  parts: number;
}

/** The waits before a part is sent again, in milliseconds. */
const RETRY_DELAYS_MS = [1_000, 3_000, 9_000];
/** No answer, too many requests, and what a proxy answers while the server restarts. */
const TRANSIENT = new Set([0, 429, 502, 503, 504]);

const isTransient = (error: unknown): boolean =>
  error instanceof ApiError && TRANSIENT.has(error.status);

async function toBase64(part: Blob): Promise<string> {
  const url = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(part);
  });
  return url.slice(url.indexOf(',') + 1);
}

/** Sends a part until it arrives: the server replaces one that it has already. */
async function sendPart(id: number, position: number, data: string): Promise<void> {
  const send = () => write('POST', `${ADMIN_PATH}/release-files/${id}/parts`, { position, data });
  for (const delay of RETRY_DELAYS_MS) {
    try {
      await send();
      return;
    } catch (error) {
      if (!isTransient(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, delay));
    }
  }
  await send();
}

/**
 * The uploads of a form. A file that was uploaded is not uploaded again if publishing it fails, and an upload that was
 * interrupted continues where it stopped.
 */
export class Uploads {
  readonly #uploads = new Map<File, Upload>();

  /**
   * Uploads a file in parts.
   * @param field of the form, at which a refused file is reported
   * @param onProgress called with the share of the file that is uploaded, from 0 to 1
   * @returns the id of the file
   * @throws ApiError
   */
  async send(
    slug: string,
    { file, field }: { file: File; field: string },
    onProgress: (share: number) => void = () => {},
  ): Promise<number> {
    try {
      const upload = this.#uploads.get(file) ?? (await this.#start(slug, file));
      const size = upload.part_bytes;
      for (; upload.parts * size < file.size; upload.parts++) {
        const start = upload.parts * size;
        await sendPart(upload.id, upload.parts, await toBase64(file.slice(start, start + size)));
        onProgress(Math.min(1, (start + size) / file.size));
      }
      return upload.id;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const { status, code, message, params } = error;
      const [reason] = Object.values(params);
      throw reason ? new ApiError(status, code, message, { [field]: reason }) : error;
    }
  }

  /** After a refusal that is not about the fields: the server may have deleted the files. */
  clear(): void {
    this.#uploads.clear();
  }

  async #start(slug: string, file: File): Promise<Upload> {
    const body = { name: file.name, bytes: file.size };
    const created = await write<ReleaseFile>('POST', `${PRODUCTS}/${slug}/release-files`, body);
    const upload = { ...created, parts: 0 };
    this.#uploads.set(file, upload);
    return upload;
  }
}
