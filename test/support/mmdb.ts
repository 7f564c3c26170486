/** A small MaxMind DB file, by https://maxmind.github.io/MaxMind-DB/. */

const MARKER = Buffer.from('abcdef4d61784d696e642e636f6d', 'hex');

/** The next node, or a country. */
type Target = number | string | undefined;

/** @param countries by IPv4 address of one client each */
export function makeCountryDatabase(
  countries: Record<string, string>,
  shape: (code: string) => object,
): Buffer {
  const nodes: [Target, Target][] = [[undefined, undefined]];
  for (const [address, code] of Object.entries(countries)) {
    const bits = address
      .split('.')
      .map((part) => Number(part).toString(2).padStart(8, '0'))
      .join('');
    let node = 0;
    for (const [index, bit] of [...bits].entries()) {
      const side = Number(bit) as 0 | 1;
      const record = nodes[node] as [unknown, unknown];
      if (index === 31) record[side] = code;
      else if (typeof record[side] !== 'number')
        record[side] = nodes.push([undefined, undefined]) - 1;
      node = record[side] as number;
    }
  }
  const data: Buffer[] = [];
  let size = 0;
  const toRecord = (target: Target): Buffer => {
    let value = nodes.length;
    if (typeof target === 'number') value = target;
    if (typeof target === 'string') {
      value = nodes.length + 16 + size;
      const encoded = encode(shape(target));
      data.push(encoded);
      size += encoded.length;
    }
    const bytes = Buffer.alloc(3);
    bytes.writeUIntBE(value, 0, 3);
    return bytes;
  };
  const tree = nodes.flatMap(([left, right]) => [toRecord(left), toRecord(right)]);
  const metadata = {
    node_count: nodes.length,
    record_size: 24,
    ip_version: 4,
    database_type: 'Test',
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: 1,
    languages: 'en',
    description: 'Test',
  };
  return Buffer.concat([...tree, Buffer.alloc(16), ...data, MARKER, encode(metadata)]);
}

/** Maps, short texts and 32-bit numbers. */
function encode(value: unknown): Buffer {
  if (typeof value === 'string') {
    return Buffer.concat([Buffer.from([(2 << 5) | value.length]), Buffer.from(value)]);
  }
  if (typeof value === 'number') {
    const bytes = Buffer.from([(6 << 5) | 4, 0, 0, 0, 0]);
    bytes.writeUInt32BE(value, 1);
    return bytes;
  }
  const entries = Object.entries(value as object);
  const pairs = entries.flatMap(([key, each]) => [encode(key), encode(each)]);
  return Buffer.concat([Buffer.from([(7 << 5) | entries.length]), ...pairs]);
}
