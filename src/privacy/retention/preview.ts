import {
  countDueRecords,
  countRecordsUnderLegalHold,
  type DueRecords,
  findCursor,
  listFirstIds,
  partition,
} from '../../personal-data/index.ts';
import type { Platform } from '../../platform/deps.ts';
import { DAY_MS } from '../../platform/durations.ts';
import { EARLIEST, getDueBefore } from './rules.ts';
import type { RetentionScope } from './run.ts';
import { listDatedTypes } from './service.ts';
import type { Policy } from './store.ts';

/** Days that records have been due. */
const AGES = [0, 30, 90, 365] as const;
const SAMPLES = 10;

/** The records that are due by a policy on its own, active or not. Moments are epoch milliseconds. */
export interface Preview {
  asOf: number;
  dueBefore: number;
  recordsAffected: number;
  recordsHeld: number;
  oldest: number | null;
  /** The last range has no end. */
  ages: { fromDays: number; toDays: number | null; records: number }[];
  sampleIds: number[];
}

/** Reads ids and ages only, no personal data. */
export async function previewPolicy(
  { datastore, clock }: Pick<Platform, 'datastore' | 'clock'>,
  { personalData, timeZone }: RetentionScope,
  policy: Policy,
): Promise<Preview> {
  const { db } = datastore;
  const asOf = clock.now();
  const before = getDueBefore(asOf, policy, timeZone);
  const preview: Preview = {
    asOf,
    dueBefore: before,
    recordsAffected: 0,
    recordsHeld: 0,
    oldest: null,
    ages: [],
    sampleIds: [],
  };
  const type = listDatedTypes(personalData).find(
    ({ category }) => category === policy.dataCategory,
  );
  if (!type) return preview;
  const due: DueRecords = { type, action: policy.action, from: EARLIEST, before };
  for (const [at, fromDays] of AGES.entries()) {
    const toDays = AGES[at + 1] ?? null;
    const records = await countDueRecords(db, {
      ...due,
      from: toDays === null ? EARLIEST : before - toDays * DAY_MS,
      before: before - fromDays * DAY_MS,
      keptAt: before,
    });
    preview.ages.push({ fromDays, toDays, records });
    preview.recordsAffected += records;
  }
  preview.recordsHeld = await countRecordsUnderLegalHold(db, due);
  for (const part of partition(due)) {
    const first = await findCursor(db, due, part, 1);
    if (first) preview.oldest = Math.min(first.due, preview.oldest ?? first.due);
    preview.sampleIds.push(...(await listFirstIds(db, due, part, SAMPLES)));
  }
  preview.sampleIds.splice(SAMPLES);
  return preview;
}
