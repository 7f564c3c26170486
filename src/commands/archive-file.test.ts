import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { writeArchive } from './archive-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'pavis-archive-'));
const file = join(folder, 'records.zip');
afterAll(() => rmSync(folder, { recursive: true }));

async function* chunks(fault?: Error) {
  yield Buffer.from('first ');
  if (fault) throw fault;
  yield Buffer.from('last');
}
const noSpace = Object.assign(new Error('ENOSPC: no space left on device, write'), {
  syscall: 'write',
});

it('leaves no file when an archive cannot be completed', async () => {
  // Several times, because the file must not be opened after it was removed.
  for (let n = 0; n < 20; n++)
    await expect(writeArchive(file, chunks(noSpace))).rejects.toThrow(
      `cannot write ${file}: ENOSPC: no space left on device, write; name another file with --out`,
    );
  expect(readdirSync(folder)).toEqual([]);
});

it('keeps the earlier file until the archive is complete', async () => {
  const link = join(folder, 'latest.zip');
  writeFileSync(file, 'earlier');
  symlinkSync(file, link);
  await expect(writeArchive(link, chunks(new Error('gone')))).rejects.toThrow('gone');
  expect(readFileSync(file, 'utf8')).toBe('earlier');
  expect((await writeArchive(link, chunks())).bytes).toBe(10);
  expect(readFileSync(file, 'utf8')).toBe('first last');
  expect(readdirSync(folder).toSorted()).toEqual(['latest.zip', 'records.zip']);
});

it('names the file whose folder does not exist', async () => {
  const missing = join(folder, 'none/records.zip');
  await expect(writeArchive(missing, chunks())).rejects.toThrow(
    /^cannot write .*none\/records\.zip: ENOENT: [^;]+; name another file with --out$/,
  );
});

it.skipIf(process.platform === 'win32')('writes to what is no regular file', async () => {
  expect((await writeArchive('/dev/null', chunks())).bytes).toBe(10);
});
