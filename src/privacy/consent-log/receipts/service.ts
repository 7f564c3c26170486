import { isRandomId } from '../../../platform/crypto/random-id.ts';
import type { Platform } from '../../../platform/deps.ts';
import { DomainError, NotFoundError } from '../../../platform/errors.ts';
import { createSigner } from '../../../platform/transparency-log/index.ts';
import type { EntryColumns } from '../entries/columns.ts';
import { encodeRow, type RawRow } from '../entries/encoding.ts';
import { formatEntry, hashFacts, hashPersonal } from '../entries/hashing.ts';
import type { ConsentLog } from '../log/open.ts';
import { findCheckpointOf, proveEntry } from '../proofs/service.ts';
import { formatReceipt } from './format.ts';
import { renderReceipt } from './page.ts';
import { createStatement, type ReceiptController, type ShownNotice } from './statement.ts';
import { findRecord, listRecords } from './store.ts';

export interface ReceiptScope {
  log: ConsentLog;
  columns: EntryColumns;
  siteUrl: () => string;
  readController: () => Promise<ReceiptController>;
  /** Undefined if no version was stated with the choice. */
  findNotice: (version: number | undefined, language: string) => Promise<ShownNotice | undefined>;
  /** The categories that were required at a moment, in epoch milliseconds. */
  listRequiredAt: (at: number) => Promise<string[]>;
}

/** A receipt, and the language of the banner with which it began. */
export interface Receipt {
  recordId: number;
  /** A C2SP tlog-proof. */
  proof: string;
  language: string;
}

type ReceiptPlatform = Pick<Platform, 'datastore' | 'secret'>;

/** Why there is no receipt, by the code of the error. */
const MISSING: Record<string, 'not_logged' | 'unproven'> = {
  receipt_not_ready: 'not_logged',
  log_damaged: 'unproven',
};

const RECORDS_AT_ONCE = 200;

/** Seconds until a choice is logged, on a server that keeps up. */
const LOGGED_WITHIN_SECONDS = 2;

/**
 * Makes the receipt of a consent record.
 * @param asked the visitor id, and the id of the record if it is not the newest
 * @throws NotFoundError if there is no such record or its personal data was removed; DomainError `receipt_not_ready`
 * while the log does not have it, `receipt_unavailable` if the record is no longer what was logged, and
 * `log_damaged` if the log cannot prove it
 */
export async function createReceipt(
  platform: ReceiptPlatform,
  scope: ReceiptScope,
  asked: { visitorId: string; id: number | undefined },
): Promise<Receipt> {
  const row = isRandomId(asked.visitorId)
    ? await findRecord(platform.datastore.db, scope.columns, asked)
    : undefined;
  if (!row) throw new NotFoundError('The receipt');
  return formReceipt(platform, scope, row);
}

/** A record of a visitor, with its receipt, also as a page in the language of the banner, or the reason why there is none. */
export type RecordReceipt =
  | { recordId: number; proof: string; page: string }
  | { recordId: number; missing: 'not_logged' | 'altered' | 'unproven' };

/**
 * The receipts of all records of a person that are not anonymised, oldest first.
 * @param visitorId of a person whose identity was confirmed in another way, so it may be one that can be guessed
 */
export async function* listReceipts(
  platform: ReceiptPlatform,
  scope: ReceiptScope,
  visitorId: string,
): AsyncGenerator<RecordReceipt> {
  for (let after = 0; ; ) {
    const page = { visitorId, after, limit: RECORDS_AT_ONCE };
    const rows = await listRecords(platform.datastore.db, scope.columns, page);
    for (const row of rows) {
      after = Number(row.id);
      try {
        const { proof, language } = await formReceipt(platform, scope, row);
        yield { recordId: after, proof, page: renderReceipt(proof, language) };
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        yield { recordId: after, missing: MISSING[error.code] ?? 'altered' };
      }
    }
    if (rows.length < RECORDS_AT_ONCE) return;
  }
}

async function formReceipt(
  platform: ReceiptPlatform,
  { log, columns, siteUrl, readController, findNotice, listRequiredAt }: ReceiptScope,
  row: RawRow,
): Promise<Receipt> {
  // Only a record that was altered lacks it.
  if (!(row.salt instanceof Uint8Array)) throw new NotFoundError('The receipt');
  const recordId = Number(row.id);
  const index = await log.findIndex(1, recordId);
  const head = await log.readHead();
  const checkpoint =
    index === undefined ? undefined : await findCheckpointOf(platform.datastore.db, log, index);
  if (index === undefined || !head || !checkpoint) {
    const message = `The choice is not in the consent log yet. Try again in ${LOGGED_WITHIN_SECONDS} s.`;
    throw new DomainError('unavailable', 'receipt_not_ready', message, {
      details: { retry_after: LOGGED_WITHIN_SECONDS },
    });
  }
  const { entry, path } = await proveEntry(log, index, checkpoint);
  const kind = entry[1] ?? 0;
  const personal = encodeRow(row, columns.personal);
  const facts = encodeRow(row, columns.facts);
  const salt = Buffer.from(row.salt);
  if (!formatEntry(kind, hashPersonal(salt, personal), hashFacts(facts)).equals(entry)) {
    const message = 'The consent log commits to other content for this record. Tell the operator.';
    throw new DomainError('conflict', 'receipt_unavailable', message);
  }
  const signer = createSigner(head.origin, platform.secret.key('consent log'));
  const values = { ...JSON.parse(personal), ...JSON.parse(facts) };
  // Without a language, clients show the first one of the site.
  const stated = typeof values.language === 'string' ? values.language : '';
  const notice = await findNotice(values.config_version, stated);
  const required =
    notice?.categories.filter((each) => each.required).map(({ id }) => id) ??
    (await listRequiredAt(Date.parse(values.created_at)));
  const statement = createStatement({
    recordId,
    visitorId: values.visitor_id,
    createdAt: values.created_at,
    expiresAt: values.expires_at,
    accepted: values.categories_accepted,
    rejected: values.categories_rejected,
    vendorsAccepted: values.vendors_accepted,
    vendorsRejected: values.vendors_rejected,
    notice,
    required,
    controller: await readController(),
    siteUrl: siteUrl(),
    entry: { kind, personal, facts, salt: salt.toString('base64') },
    key: signer.verifierKey,
  });
  const proof = formatReceipt(statement, { index, path, checkpoint: checkpoint.note }, signer);
  return { recordId, proof, language: stated || notice?.language || 'en' };
}
