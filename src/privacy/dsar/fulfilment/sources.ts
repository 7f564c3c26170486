import type { Trx } from '../../../platform/db/index.ts';
import type { Platform } from '../../../platform/deps.ts';
import {
  erasePerson,
  type Identity,
  listOfPerson,
  type RecordType,
} from '../../../platform/records/index.ts';
import type { Dsar } from '../site.ts';
import type { Outcome } from './store.ts';

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
  /** Whether the person provided the data. */
  portable: boolean;
  /** One page of what is held about somebody; only what they provided, if so asked. */
  collect?(subject: Subject, cursor: string | null, onlyGiven: boolean): Promise<Page>;
  /** Erases within the transaction that notes it. */
  eraseWithin?(trx: Trx, subject: Subject): Promise<Outcome>;
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

function sourceOfExtension({ id, label, collect, erase, portable = false }: ExtensionItem): Source {
  return {
    id,
    label,
    portable,
    ...(collect && {
      collect: async ({ email }, cursor) => readPage(await collect({ email, cursor })),
    }),
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
  return { erased, anonymised, kept: kept.map(({ count, reason }) => ({ count, reason })) };
}

/** What looks for a person in records, as far as the request knows it. */
const identitiesOf = ({ email, visitorId }: Subject): [Identity, string][] => [
  ['email', email],
  ...(visitorId === null ? [] : [['visitor_id', visitorId] as [Identity, string]]),
];

function sourceOfRecords(type: RecordType, { datastore, clock }: Platform): Source {
  const identities = (subject: Subject) =>
    identitiesOf(subject).filter(([identity]) => type.person?.[identity]);
  return {
    id: type.category,
    label: type.label,
    portable: type.given !== undefined,
    // The cursor names the identity that is being looked for, and the last id.
    async collect(subject, cursor, onlyGiven) {
      const list = identities(subject);
      const [at = 0, after = 0] = (cursor ?? '0:0').split(':').map(Number);
      const current = list[at];
      if (!current) return { records: [], next: null };
      const [identity, value] = current;
      const rows = await listOfPerson(datastore.db, type, identity, value, {
        after,
        limit: PAGE,
      });
      const last = rows.at(-1)?.id;
      const next = rows.length === PAGE ? `${at}:${last}` : `${at + 1}:0`;
      const isEnd = rows.length < PAGE && at + 1 >= list.length;
      const columns = onlyGiven ? type.given : undefined;
      return { records: rows.map((row) => shown(row, columns)), next: isEnd ? null : next };
    },
    async eraseWithin(trx, subject) {
      const outcome: Outcome = { erased: 0, anonymised: 0, kept: [] };
      for (const [identity, value] of identities(subject)) {
        const done = await erasePerson(trx, type, identity, value, clock.now());
        outcome.anonymised += done.anonymised;
        if (done.inUse > 0) outcome.kept.push({ count: done.inUse, reason: 'still in use' });
        if (done.held > 0) outcome.kept.push({ count: done.held, reason: 'under a legal hold' });
      }
      return outcome;
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
