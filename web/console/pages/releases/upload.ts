import { write } from '../../api/client.ts';
import { ADMIN_PATH } from '../licences/queries.ts';
import { PRODUCTS } from '../products/queries.ts';
import type { ReleaseFile } from './queries.ts';

async function toBase64(part: Blob): Promise<string> {
  const url = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(part);
  });
  return url.slice(url.indexOf(',') + 1);
}

/**
 * Uploads a file in parts.
 * @param onProgress called with the share of the file that is uploaded, from 0 to 1
 * @returns the id of the file
 * @throws ApiError
 */
export async function uploadFile(
  slug: string,
  file: File,
  onProgress: (share: number) => void,
): Promise<number> {
  const created = await write<ReleaseFile>('POST', `${PRODUCTS}/${slug}/release-files`, {
    name: file.name,
  });
  const size = created.part_bytes;
  for (let position = 0; position * size < file.size; position++) {
    const data = await toBase64(file.slice(position * size, (position + 1) * size));
    await write('POST', `${ADMIN_PATH}/release-files/${created.id}/parts`, { position, data });
    onProgress(Math.min(1, ((position + 1) * size) / file.size));
  }
  return created.id;
}
