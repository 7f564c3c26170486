type Scalar = string | number | boolean | null;

/**
 * Reads a flat array that PHP's `serialize` wrote, for example `a:2:{s:4:"text";s:2:"OK";s:4:"show";i:1;}`. Lengths of
 * texts are in bytes of UTF-8. Undefined for anything else: nested arrays and objects are not needed here.
 */
export function readSerialisedArray(text: string): Record<string, Scalar> | undefined {
  const bytes = Buffer.from(text.trim());
  const head = /^a:(\d{1,4}):\{/.exec(bytes.toString('latin1'));
  if (!head) return undefined;
  const reader = { bytes, at: head[0].length };
  const read: [string, Scalar][] = [];
  for (let left = Number(head[1]); left > 0; left -= 1) {
    const key = readScalar(reader);
    const value = readScalar(reader);
    if (key === undefined || value === undefined) return undefined;
    read.push([String(key), value]);
  }
  const isComplete = bytes.toString('latin1', reader.at) === '}';
  return isComplete ? Object.fromEntries(read) : undefined;
}

/** From the latin1 view, where a character is a byte. */
function readScalar(reader: { bytes: Buffer; at: number }): Scalar | undefined {
  const { bytes, at } = reader;
  const start = bytes.toString('latin1', at, at + 40);
  const text = /^s:(\d{1,7}):"/.exec(start);
  if (text) {
    const from = at + text[0].length;
    const to = from + Number(text[1]);
    if (bytes.toString('latin1', to, to + 2) !== '";') return undefined;
    reader.at = to + 2;
    return bytes.toString('utf8', from, to);
  }
  const other = /^(?:([idb]):(-?[\d.]{1,24})|(N));/.exec(start);
  if (!other) return undefined;
  reader.at = at + other[0].length;
  if (other[3]) return null;
  return other[1] === 'b' ? other[2] === '1' : Number(other[2]);
}
