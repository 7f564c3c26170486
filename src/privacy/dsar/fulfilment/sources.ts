import {
  type Erasure,
  erasePerson,
  type Identity,
  KEEPING_GROUNDS,
  type KeepingGround,
  listPersonRecords,
  type PersonalDataDeclaration,
} from '../../../personal-data/index.ts';
import type { Db, Trx } from '../../../platform/db/index.ts';
import type { Platform } from '../../../platform/deps.ts';
import type { Dsar } from '../context.ts';
import { toShownRecord } from './shown-record.ts';
import { type Kept, NOTHING_DONE, type Outcome } from './store.ts';

const PAGE = 500;

/** How sources find the person. */
export interface Subject {
  email: string;
  visitorIds: readonly string[];
}

interface Page {
  records: Record<string, unknown>[];
  next: string | null;
}

/** Holds personal data: a kind of record of our own, or a source that an extension has registered. */
export interface Source {
  id: string;
  label: string;
  /** The cursor of the first page of what the n-th visitor id finds, from 0; undefined if a person is found by email address only. */
  visitorPage?: (at: number) => string;
  /** Whether the person provided the data (GDPR Art. 20). */
  portable: boolean;
  /** @param onlyGiven only the data that the person provided */
  collect?(subject: Subject, cursor: string | null, onlyGiven: boolean): Promise<Page>;
  /** Erases records of this database, in the transaction that completes the task. */
  eraseWithin?(trx: Trx, subject: Subject): Promise<Outcome>;
  /** Whether an administrator decides on the records that an erasure kept. */
  needsDecision?: boolean;
  erase?(subject: Subject): Promise<Outcome>;
  preview?(subject: Subject): Promise<Outcome>;
}

export function listSources(dsar: Pick<Dsar, 'platform' | 'site' | 'formatDay'>): Source[] {
  const { platform, site } = dsar;
  const own = site.personalData.filter(({ person }) => person);
  return [
    ...own.map((type) => toRecordSource(type, dsar)),
    ...platform.extensions.dsarSources.map(({ item }) => toExtensionSource(item)),
  ];
}

type ExtensionItem = Platform['extensions']['dsarSources'][number]['item'];

function toExtensionSource(item: ExtensionItem): Source {
  const { id, label, collect, erase, preview, portable = false } = item;
  return {
    id,
    label,
    portable,
    ...(collect && {
      collect: async ({ email }, cursor) => readPage(await collect({ email, cursor })),
    }),
    ...(preview && { preview: async ({ email }) => readOutcome(await preview({ email })) }),
    ...(erase && { erase: async ({ email }) => readOutcome(await erase({ email })) }),
  };
}

/** Extensions are not type checked. */
function readPage(answer: unknown): Page {
  const { records, next = null } = (answer ?? {}) as { records?: unknown; next?: unknown };
  const isPage =
    Array.isArray(records) &&
    records.every((each) => typeof each === 'object' && each !== null) &&
    (next === null || typeof next === 'string');
  if (!isPage) throw new Error('collect gave no { records: [objects], next: text or null }');
  return { records, next };
}

function readOutcome(answer: unknown): Outcome {
  const { erased = 0, anonymised = 0, kept = [] } = (answer ?? {}) as Partial<Outcome>;
  const isCount = (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 0;
  const isOutcome =
    isCount(erased) &&
    isCount(anonymised) &&
    Array.isArray(kept) &&
    kept.every((each) => isCount(each?.count) && typeof each?.reason === 'string');
  if (!isOutcome) throw new Error('erase gave no { erased, anonymised, kept: [{count, reason}] }');
  const known = kept.map(({ count, reason, ground }) => ({
    ...{ count, reason },
    ...(typeof ground === 'string' && { ground }),
  }));
  return { erased, anonymised, kept: known };
}

/** What a kind of record finds the person by. No record has both an email address and a visitor id. */
function findIdentities(
  { person }: PersonalDataDeclaration,
  { email, visitorIds }: Subject,
): [Identity, string][] {
  const identities: [Identity, string][] = [];
  if (person?.email) identities.push(['email', email]);
  if (person?.visitor_id) {
    for (const visitorId of visitorIds) identities.push(['visitor_id', visitorId]);
  }
  return identities;
}

/** The categories of records whose person is found by way of the records of a category. */
export function listSourcesFoundBy(
  types: readonly PersonalDataDeclaration[],
  category: string,
): string[] {
  const table = types.find((type) => type.category === category)?.table;
  const isFound = ({ person = {} }: PersonalDataDeclaration) =>
    Object.values(person).some((path) => path.some((step) => step.startsWith(`${table}.`)));
  return types.filter(isFound).map((type) => type.category);
}

/** `<identity> <last id>`. */
function formatCursor(identity: number, after: unknown = 0): string {
  return `${identity} ${after}`;
}

/** A last id alone, as a page before an update wrote it, is of the first identity. */
function parseCursor(cursor: string | null): { at: number; after: number } {
  const [after = 0, at = 0] = (cursor ?? '0').split(' ').map(Number).reverse();
  return { at, after };
}

function toRecordSource(
  type: PersonalDataDeclaration,
  dsar: Pick<Dsar, 'platform' | 'site' | 'formatDay'>,
): Source {
  const { datastore, clock } = dsar.platform;
  return {
    id: type.category,
    label: type.label,
    ...(type.person?.visitor_id && {
      visitorPage: (at: number) => formatCursor(at + (type.person?.email ? 1 : 0)),
    }),
    portable: type.given !== undefined,
    needsDecision: type.needsDecision === true,
    async collect(subject, cursor, onlyGiven) {
      const identities = findIdentities(type, subject);
      const { at, after } = parseCursor(cursor);
      const identity = identities[at];
      if (!identity) return { records: [], next: null };
      const page = { after, limit: PAGE };
      const rows = await listPersonRecords(datastore.db, type, ...identity, page);
      const columns = onlyGiven ? type.given : type.shown;
      const hasMore = rows.length === PAGE;
      const rest = at + 1 < identities.length ? formatCursor(at + 1) : null;
      return {
        records: rows.map((row) => toShownRecord(type, row, columns ?? [])),
        next: hasMore ? formatCursor(at, rows.at(-1)?.id) : rest,
      };
    },
    async eraseWithin(trx, subject) {
      const at = clock.now();
      const total: Outcome = { ...NOTHING_DONE };
      for (const identity of findIdentities(type, subject)) {
        const done = await erasePerson(trx, type, ...identity, { at, day: dsar.formatDay(at) });
        const { erased, anonymised, kept } = await toOutcome(dsar, trx, type, done);
        total.erased += erased;
        total.anonymised += anonymised;
        total.kept = [...total.kept, ...kept];
      }
      return total;
    },
  };
}

/** The grounds that end with the retention period. */
const TIMED: readonly KeepingGround[] = ['evidence', 'statutory_retention'];

async function toOutcome(
  { site, formatDay }: Pick<Dsar, 'site' | 'formatDay'>,
  db: Db | Trx,
  { category }: PersonalDataDeclaration,
  { kept, ...counts }: Erasure,
): Promise<Outcome> {
  const policies = (await site.retentionRules(db)).filter((each) => each.category === category);
  const entries = kept.map(({ count, ground, lastDue }): Kept => {
    // The due date of others can be the end of a lifetime licence, in the year 10000 where the site is.
    const isTimed = TIMED.includes(ground) && lastDue !== null;
    const days = (isTimed ? policies : []).map(({ periodValue, periodUnit }) =>
      Temporal.PlainDate.from(formatDay(lastDue ?? 0))
        .add({ [periodUnit]: periodValue })
        .toString(),
    );
    const [until] = days.toSorted();
    return { count, reason: KEEPING_GROUNDS[ground].reason, ground, ...(until && { until }) };
  });
  return { ...counts, kept: entries };
}
