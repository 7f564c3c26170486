import {
  isUnderLegalHold,
  KEEPING_GROUNDS,
  type KeepingGround,
} from '../../../personal-data/index.ts';
import type { Db, Trx } from '../../../platform/db/index.ts';
import { notFound, RestError } from '../../../platform/rest/errors.ts';
import type { Dsar } from '../context.ts';
import {
  findPackage,
  listTasks,
  openTasks,
  type StoredPackage,
  type Task,
} from '../fulfilment/index.ts';
import type { Completion, SourceReport } from '../messages/index.ts';
import { previewEmail, toDownloadUrl } from '../messages/notify.ts';
import { findArticle, GROUNDS, type Ground, listTransitions, type Regime } from '../rules.ts';
import { type Case, findCase } from '../store.ts';
import { readText } from './change.ts';
import { caseRecords } from './retention.ts';

/** What was done for a case, and its package if one was made for it. */
export async function readResult(
  db: Db | Trx,
  { id, regime, requestType }: Case,
  leftOutFor = '',
): Promise<Omit<Completion, 'downloadUrl'> & { stored: StoredPackage | undefined }> {
  const tasks = await listTasks(db, id);
  // Of a request that was opened again there may be an older package.
  const isMade = tasks.some(({ kind, status }) => kind === 'package' && status === 'done');
  const report = tasks.map((task) => toReport(task, regime, leftOutFor));
  const isSkipped = report.some((each) => each.source === caseRecords.category && each.isSkipped);
  return {
    report,
    erasesRequest:
      requestType === 'deletion' && !isSkipped && !(await isUnderLegalHold(db, caseRecords, id)),
    stored: isMade ? await findPackage(db, id) : undefined,
  };
}

/** A task that is still open counts as left out. */
function toReport(task: Task, regime: Regime, leftOutFor: string): SourceReport {
  const { kind, source, label, status, ground, records, outcome, result } = task;
  const isOpen = openTasks([task]).length > 0;
  const article = (name: string | undefined) => {
    if (regime === 'gdpr' && name && name in KEEPING_GROUNDS)
      return KEEPING_GROUNDS[name as KeepingGround].article;
    return GROUNDS.some((each) => each === name) ? findArticle(name as Ground, regime) : undefined;
  };
  return {
    ...{ kind, source, label, ground, records, result },
    isSkipped: isOpen || status === 'skipped',
    reason: isOpen ? leftOutFor : task.reason,
    article: article(ground ?? undefined),
    erased: outcome.erased,
    anonymised: outcome.anonymised,
    kept: outcome.kept.map((each) => ({ ...each, article: article(each.ground) })),
  };
}

/** What completing a case would send. */
export interface CompletionPreview {
  recipient: string | null;
  language: string;
  subject: string;
  text: string;
  open: Task[];
  stored: StoredPackage | undefined;
}

/**
 * What completing a case now would send to the requester. Nothing is written.
 * @param given the reason for leaving out what is still open
 * @throws RestError 404; 409 `invalid_transition` where the case cannot be completed
 */
export async function previewCompletion(
  dsar: Dsar,
  id: number,
  given: string | undefined,
): Promise<CompletionPreview> {
  const { db } = dsar.platform.datastore;
  const dsarCase = await findCase(db, id);
  if (!dsarCase) throw notFound('The request');
  const { status, email, language } = dsarCase;
  if (!listTransitions(status).includes('completed')) {
    throw new RestError(
      409,
      'invalid_transition',
      `A request that is ${status} cannot be completed.`,
    );
  }
  const { mail: sender } = await dsar.site.settings();
  const { stored, ...result } = await readResult(db, dsarCase, readText('reason', given));
  const completion: Completion = {
    ...result,
    ...(stored && { downloadUrl: toDownloadUrl(dsar, '…') }),
  };
  const closed = { ...dsarCase, status: 'completed' as const };
  const { subject, text } = previewEmail(dsar, sender, closed, (emails, facts) =>
    emails.completed(facts, completion),
  );
  const open = openTasks(await listTasks(db, id));
  return { recipient: email, language, subject, text, open, stored };
}
