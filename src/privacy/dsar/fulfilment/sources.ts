import type { Trx } from '../../../platform/db/index.ts';
import type { Platform } from '../../../platform/deps.ts';
import {
  erasePerson,
  type Identity,
  listOfPerson,
  type RecordType,
} from '../../../platform/records/index.ts';
import type { Dsar } from '../site.ts';
import { NOTHING_DONE, type Outcome } from './store.ts';

const PAGE = 500;

/** Whom a request is about, as far as that can be looked for. */
export interface Subject {
  email: string;
  visitorId: string | null;
}

interface Page {
  records: Record<string, unknown>[];
  next: string | null;
}

/** Where data about people are: a kind of record of our own, or what an extension has registered. */
export interface Source {
  id: string;
  label: string;
  /** Whether a person is found by visitor id, and not by address. */
  byVisitor?: boolean;
  /** Whether the person provided the data. */
  portable: boolean;
  /** One page of what is held about somebody; only what they provided, if so asked. */
  collect?(subject: Subject, cursor: string | null, onlyGiven: boolean): Promise<Page>;
  /** Erases within the transaction that notes it. */
  eraseWithin?(trx: Trx, subject: Subject): Promise<Outcome>;
  /** What erasing elsewhere would do. */
  preview?(subject: Subject): Promise<Outcome>;
  /** Erases elsewhere. */
  erase?(subject: Subject): Promise<Outcome>;
}

/** Every source, our own first. */
export function sourcesOf({ platform, site }: Pick<Dsar, 'platform' | 'site'>): Source[] {
  const own = site.recordTypes.filter(({ person }) => person);
  return [
    ...own.map((type) => sourceOfRecords(type, platform)),
    ...platform.extensions.dsarSources.map(({ item }) => sourceOfExtension(item)),
  ];
}

type ExtensionItem = Platform['extensions']['dsarSources'][number]['item'];

function sourceOfExtension(item: ExtensionItem): Source {
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

/** What an extension answered, made sure of. */
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

/** By what somebody is looked for in records of a type: by one thing, so that no record is found twice. */
function identityIn(
  { person }: RecordType,
  { email, visitorId }: Subject,
): [Identity, string] | undefined {
  if (person?.email) return ['email', email];
  return person?.visitor_id && visitorId !== null ? ['visitor_id', visitorId] : undefined;
}

function sourceOfRecords(type: RecordType, { datastore, clock }: Platform): Source {
  return {
    id: type.category,
    label: type.label,
    byVisitor: Boolean(type.person?.visitor_id && !type.person.email),
    portable: type.given !== undefined,
    // The cursor is the last id.
    async collect(subject, cursor, onlyGiven) {
      const identity = identityIn(type, subject);
      if (!identity) return { records: [], next: null };
      const page = { after: Number(cursor ?? 0), limit: PAGE };
      const rows = await listOfPerson(datastore.db, type, ...identity, page);
      const columns = onlyGiven ? type.given : undefined;
      return {
        records: rows.map((row) => shown(row, columns)),
        next: rows.length === PAGE ? String(rows.at(-1)?.id) : null,
      };
    },
    async eraseWithin(trx, subject) {
      const identity = identityIn(type, subject);
      if (!identity) return NOTHING_DONE;
      const { anonymised, inUse, held } = await erasePerson(trx, type, ...identity, clock.now());
      const kept = [
        { count: inUse, reason: 'still in use', ground: 'still_needed' },
        { count: held, reason: 'under a legal hold', ground: 'legal_claims' },
      ];
      return { erased: 0, anonymised, kept: kept.filter(({ count }) => count > 0) };
    },
  };
}

/** What secures an account, or only serves to look things up, is no information about a person. */
const INTERNAL = /(?:_hash|_key|session_version|takes_slot|anonymised_at|_html|_text)$/;

/** A row as a person may read it: moments as text, and nothing that opens a door. */
function shown(
  row: Record<string, unknown>,
  columns: readonly string[] | undefined,
): Record<string, unknown> {
  const fields = Object.entries(row).filter(([name]) =>
    columns ? columns.includes(name) : !INTERNAL.test(name),
  );
  return Object.fromEntries(
    fields.map(([name, value]) => {
      const isMoment = /_at$/.test(name) && typeof value === 'number';
      return [name, isMoment ? new Date(value).toISOString() : value];
    }),
  );
}
