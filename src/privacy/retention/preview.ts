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
import { dueBefore } from './rules.ts';
import type { RetentionScope } from './run.ts';
import { listDatedTypes } from './service.ts';
import type { Policy } from './store.ts';

const EARLIEST = -8_640_000_000_000_000;
/** Days that records have been due. */
const AGES = [0, 30, 90, 365] as const;
const SAMPLES = 10;

/** What a policy would find on its own, active or not; moments in epoch milliseconds. */
export interface Preview {
  asOf: number;
  dueBefore: number;
  recordsAffected: number;
  recordsHeld: number;
  oldest: number | null;
  /** How many have been due for so many days, the last bound open. */
  ages: { fromDays: number; toDays: number | null; records: number }[];
  sampleIds: number[];
}

/** Looks at what is due by a policy, by ids and ages only: nothing personal leaves the database. */
export async function previewPolicy(
  { datastore, clock }: Pick<Platform, 'datastore' | 'clock'>,
  { personalData, timeZone }: RetentionScope,
  policy: Policy,
): Promise<Preview> {
  const { db } = datastore;
  const asOf = clock.now();
  const before = dueBefore(asOf, policy, timeZone);
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
  const claim: DueRecords = { type, action: policy.action, from: EARLIEST, before };
  for (const [at, fromDays] of AGES.entries()) {
    const toDays = AGES[at + 1] ?? null;
    const records = await countDueRecords(db, {
      ...claim,
      from: toDays === null ? EARLIEST : before - toDays * DAY_MS,
      before: before - fromDays * DAY_MS,
    });
    preview.ages.push({ fromDays, toDays, records });
    preview.recordsAffected += records;
  }
  preview.recordsHeld = await countRecordsUnderLegalHold(db, claim);
  for (const half of partition(claim)) {
    const { due } = (await findCursor(db, claim, half, 1)) ?? {};
    if (due !== undefined) preview.oldest = Math.min(due, preview.oldest ?? due);
    preview.sampleIds.push(...(await listFirstIds(db, claim, half, SAMPLES)));
  }
  preview.sampleIds.splice(SAMPLES);
  return preview;
}
