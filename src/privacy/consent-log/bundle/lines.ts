import { LRUCache } from 'lru-cache';
import { proveInclusion, type ReadTile } from '../../../platform/transparency-log/index.ts';
import type { EntryColumns } from '../entries/columns.ts';
import { encodeRow, type RawRow } from '../entries/encoding.ts';
import { commitPersonal } from '../entries/entries.ts';
import { formatEntry, hashFacts, hashPersonal } from '../entries/hashing.ts';
import { LogDamagedError } from '../log/damage.ts';
import type { ConsentLog } from '../log/open.ts';
import { BUNDLE_WIDTH, ENTRY_BYTES } from '../log/rules.ts';
import type { LogRange, LogSource } from '../log/tables.ts';
import { assertIncluded, type ProvenCheckpoint } from '../proofs/service.ts';

const TILES_KEPT = 64;
const BUNDLES_KEPT = 4;
const HASHES_KEPT = 10_000;

/** What a bundle says of a row: what its entry is computed from, and where the log has it. */
export interface BundleLine {
  facts: string;
  /** Personal data, with the salt in Base64. */
  personal?: string;
  salt?: string;
  /** Base64; in place of personal data that was removed. */
  personal_hash?: string;
  /** Absent if the log does not have the row at the checkpoint, or cannot prove it because it is damaged. */
  index?: number;
  kind?: number;
  /** The inclusion proof (RFC 6962), from the leaf to the root, each hash in Base64. */
  proof?: string[];
}

export type LineState = 'proven' | 'not_logged' | 'altered' | 'unproven';

/** Makes lines whose proofs lead to the root of a checkpoint. */
export function createLines(log: ConsentLog, checkpoint: Pick<ProvenCheckpoint, 'size' | 'root'>) {
  const { size } = checkpoint;
  const readTile = keepTiles(log.readTile);
  const spans = new LRUCache<string, Buffer>({ max: HASHES_KEPT });
  const readEntry = keepEntries(log, size);
  const findIndex = keepRange(log);

  async function prove(
    source: LogSource,
    id: number,
    line: BundleLine,
    personalHash: Uint8Array,
  ): Promise<{ line: BundleLine; state: LineState }> {
    const index = await findIndex(source, id);
    if (index === undefined || index >= size) return { line, state: 'not_logged' };
    try {
      const entry = await readEntry(index);
      const path = await proveInclusion(readTile, index, size, spans);
      assertIncluded({ entry, index, path }, checkpoint);
      const kind = entry[1] ?? 0;
      const isSame = formatEntry(kind, personalHash, hashFacts(line.facts)).equals(entry);
      const proof = path.map((hash) => hash.toString('base64'));
      return { line: { index, kind, ...line, proof }, state: isSame ? 'proven' : 'altered' };
    } catch (error) {
      if (error instanceof LogDamagedError) return { line, state: 'unproven' };
      throw error;
    }
  }

  return {
    ofRecord(row: RawRow, columns: EntryColumns) {
      const { salt, personal_hash: kept } = row;
      const facts = encodeRow(row, columns.facts);
      const isKept = salt === null && kept instanceof Uint8Array;
      const line: BundleLine = isKept
        ? { facts, personal_hash: Buffer.from(kept).toString('base64') }
        : {
            facts,
            personal: encodeRow(row, columns.personal),
            salt: salt instanceof Uint8Array ? Buffer.from(salt).toString('base64') : '',
          };
      return prove(1, Number(row.id), line, commitPersonal(row, columns));
    },
    ofFacts: (id: number, facts: string) => prove(2, id, { facts }, hashPersonal()),
  };
}

/** Neighbouring records have most tiles in common. */
function keepTiles(read: ReadTile): ReadTile {
  const kept = new LRUCache<string, Promise<Buffer>>({ max: TILES_KEPT });
  return (level, number, width) => {
    const key = `${level}/${number}/${width}`;
    const tile = kept.get(key) ?? read(level, number, width);
    kept.set(key, tile);
    return tile;
  };
}

/** Neighbouring records are in few ranges. */
function keepRange(log: ConsentLog) {
  let range: LogRange | undefined;
  return async (source: LogSource, id: number): Promise<number | undefined> => {
    const isWithin =
      range?.source === source && id >= range.first_id && id < range.first_id + range.count;
    if (!isWithin) range = await log.findRange(source, id);
    return range && range.first_index + id - range.first_id;
  };
}

/** Neighbouring records have neighbouring entries. */
function keepEntries(log: ConsentLog, size: number) {
  const kept = new LRUCache<number, Promise<Buffer>>({ max: BUNDLES_KEPT });
  return async (index: number): Promise<Buffer> => {
    const start = index - (index % BUNDLE_WIDTH);
    const bundle = kept.get(start) ?? log.readEntries(start, Math.min(BUNDLE_WIDTH, size - start));
    kept.set(start, bundle);
    const at = (index - start) * ENTRY_BYTES;
    return (await bundle).subarray(at, at + ENTRY_BYTES);
  };
}
