/** Reads the file of an archive. @throws if it is damaged */
export type ReadFile = () => Promise<Uint8Array<ArrayBuffer>>;

const END = 0x06054b50;
const END_BYTES = 22;
const COMMENT_MAX = 0xffff;
const CENTRAL = 0x02014b50;
const LOCAL_BYTES = 30;
const DEFLATED = 8;

/**
 * The files of a ZIP by path, in the order of its central directory. Each is read when it is asked for.
 * @returns undefined if it is not a ZIP, or one of more than 4 GB or 65,534 files
 */
export async function readZip(file: Blob): Promise<Map<string, ReadFile> | undefined> {
  const tailStart = Math.max(0, file.size - END_BYTES - COMMENT_MAX);
  const tail = await toView(file.slice(tailStart));
  let end = tail.byteLength - END_BYTES;
  while (end >= 0 && tail.getUint32(end, true) !== END) end--;
  if (end < 0) return undefined;
  const [count, size, start] = [
    tail.getUint16(end + 10, true),
    tail.getUint32(end + 12, true),
    tail.getUint32(end + 16, true),
  ];
  const directory = await toView(file.slice(start, start + size));
  if (count === 0xffff || directory.byteLength !== size) return undefined;
  const files = new Map<string, ReadFile>();
  for (let left = count, at = 0; left > 0; left--) {
    if (at + 46 > size || directory.getUint32(at, true) !== CENTRAL) return undefined;
    const method = directory.getUint16(at + 10, true);
    const packed = directory.getUint32(at + 20, true);
    const [name = 0, extra = 0, comment = 0] = [28, 30, 32].map((offset) =>
      directory.getUint16(at + offset, true),
    );
    if (at + 46 + name > size) return undefined;
    const local = directory.getUint32(at + 42, true);
    const path = new TextDecoder().decode(new Uint8Array(directory.buffer, at + 46, name));
    // Which of two a program unpacks differs from program to program.
    if (files.has(path)) return undefined;
    files.set(path, () => readFile(file, local, packed, method === DEFLATED));
    at += 46 + name + extra + comment;
  }
  return files;
}

const toView = async (part: Blob): Promise<DataView<ArrayBuffer>> =>
  new DataView(await part.arrayBuffer());

async function readFile(file: Blob, local: number, packed: number, isDeflated: boolean) {
  const head = await toView(file.slice(local, local + LOCAL_BYTES));
  const start = local + LOCAL_BYTES + head.getUint16(26, true) + head.getUint16(28, true);
  const content = file.slice(start, start + packed);
  const stream = isDeflated
    ? content.stream().pipeThrough(new DecompressionStream('deflate-raw'))
    : content.stream();
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
