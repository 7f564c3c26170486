import { createHash } from 'node:crypto';
import type { Db } from '../../../../platform/db/index.ts';
import { ENTRY_KINDS } from '../../entries/kinds.ts';
import { RowDigest } from '../../records/row-digest.ts';
import type { RowProblem, Tally } from '../result.ts';
import { listFacts } from '../store.ts';
import {
  findBannerVersion,
  findPictureFile,
  listBannerVersions,
  listEvents,
  listPictures,
} from './store.ts';

/** What identifies a picture, with the hash of its file. */
interface PictureFacts {
  language: string;
  layer: string;
  viewport: string;
  scheme: string;
  build_hash: string;
  sha256: string;
}

/** The hash of events of a log about users or licences. */
interface AuditHead {
  log: string;
  columns: string[];
  first_id: number;
  last_id: number;
  count: number;
  sha256: string;
}

/**
 * Compares banner versions, their pictures and audit logs with the facts that were logged about them.
 * @param problems of the rows with these facts; nothing is compared with those
 * @param isDeep whether picture files and audit logs are read
 */
export async function checkSubjects(
  db: Db,
  problems: readonly RowProblem[],
  isDeep: boolean,
  tally: Tally,
): Promise<void> {
  const { bannerVersion, bannerPictures, auditHeads } = ENTRY_KINDS;
  // Read before the facts: a version that is saved meanwhile has its facts.
  const stored = await listBannerVersions(db);
  const versions = new Set<number>();
  for (const { id, kind, facts } of await listFacts(db, [
    bannerVersion,
    bannerPictures,
    auditHeads,
  ])) {
    if (problems.some(({ first, last }) => first <= id && id <= last)) continue;
    const stated = JSON.parse(facts);
    const addAltered = (what: RowProblem['what'], name: string) =>
      tally.problems.push({ source: 2, state: 'altered', what, first: id, last: id, name });
    if (kind === bannerVersion) {
      versions.add(stated.version);
      if (!(await isSameVersion(db, stated)))
        addAltered('banner text', `Banner version ${stated.version}`);
    } else if (kind === bannerPictures) {
      if (!(await hasPictures(db, stated, isDeep)))
        addAltered('banner picture', `A picture of banner version ${stated.version}`);
    } else if (isDeep) {
      for (const head of stated.logs as AuditHead[]) {
        if (!(await isSameLog(db, head)))
          addAltered('audit log', `${head.log}, events ${head.first_id} to ${head.last_id}`);
      }
    }
  }
  for (const version of stored) {
    if (versions.has(version)) continue;
    const problem = { source: 2, state: 'unlogged', what: 'no entry' } as const;
    tally.problems.push({
      ...problem,
      first: version,
      last: version,
      name: `Banner version ${version}`,
    });
  }
}

async function isSameVersion(
  db: Db,
  { version, config_hash }: { version: number; config_hash: string },
): Promise<boolean> {
  const row = await findBannerVersion(db, version);
  return (
    row !== undefined && row.hash === config_hash && sha256(String(row.config)) === config_hash
  );
}

async function hasPictures(
  db: Db,
  { version, pictures }: { version: number; pictures: PictureFacts[] },
  isDeep: boolean,
): Promise<boolean> {
  const describe = ({
    language,
    layer,
    viewport,
    scheme,
    build_hash,
    sha256: file,
  }: PictureFacts) => JSON.stringify([language, layer, viewport, scheme, build_hash, file]);
  const found = new Set((await listPictures<PictureFacts>(db, version)).map(describe));
  if (found.size !== pictures.length || !pictures.every((each) => found.has(describe(each))))
    return false;
  if (!isDeep) return true;
  for (const { sha256: name } of pictures) {
    const png = await findPictureFile(db, name);
    if (!png || sha256(png) !== name) return false;
  }
  return true;
}

/** Events that retention deletes cannot be compared, nor those beside them. */
async function isSameLog(
  db: Db,
  { log, columns, first_id, last_id, count, sha256: hash }: AuditHead,
): Promise<boolean> {
  if (count === 0) return true;
  const digest = new RowDigest();
  for await (const row of listEvents(db, { table: log, columns, first_id, last_id }))
    digest.add(row);
  return digest.count < count || (digest.count === count && digest.finish() === hash);
}

const sha256 = (data: string | Uint8Array): string =>
  createHash('sha256').update(data).digest('hex');
