import {
  isUnderLegalHold,
  KEEPING_GROUNDS,
  type KeepingGround,
} from '../../../personal-data/index.ts';
import type { Db, Trx } from '../../../platform/db/index.ts';
import { DomainError } from '../../../platform/errors.ts';
import type { Dsar } from '../context.ts';
import {
  findPackage,
  isVisitorAccepted,
  listTasks,
  openTasks,
  type StoredPackage,
  type Task,
} from '../fulfilment/index.ts';
import type { Completion, SourceReport } from '../messages/index.ts';
import { toLinkUrl } from '../messages/links.ts';
import { previewEmail } from '../messages/notify.ts';
import {
  citeArticle,
  findArticle,
  GROUNDS,
  type Ground,
  listTransitions,
  type Regime,
} from '../rules.ts';
import { type Case, getCase } from '../store.ts';
import { readText } from './change.ts';
import { caseRecords } from './retention.ts';

/** The result of a case, and its package if one was created. */
export async function readResult(
  db: Db | Trx,
  { id, regime, requestType }: Case,
  skipReason = '',
): Promise<Omit<Completion, 'downloadUrl'> & { stored: StoredPackage | undefined }> {
  const tasks = await listTasks(db, id);
  // A reopened request may still have an earlier package.
  const isPackaged = tasks.some(({ kind, status }) => kind === 'package' && status === 'done');
  const reported = tasks.filter((task) => !isVisitorAccepted(task));
  const report = reported.map((task) => toReport(task, regime, skipReason));
  const isSkipped = report.some((each) => each.source === caseRecords.category && each.isSkipped);
  return {
    report,
    erasesRequest:
      requestType === 'deletion' && !isSkipped && !(await isUnderLegalHold(db, caseRecords, id)),
    stored: isPackaged ? await findPackage(db, id) : undefined,
  };
}

/** An open task counts as skipped. */
function toReport(task: Task, regime: Regime, skipReason: string): SourceReport {
  const { kind, source, label, status, ground, records, outcome, result } = task;
  const isOpen = openTasks([task]).length > 0;
  const toArticle = (name: string | undefined) => {
    if (name && name in KEEPING_GROUNDS)
      return citeArticle(KEEPING_GROUNDS[name as KeepingGround].article, regime);
    return GROUNDS.some((each) => each === name) ? findArticle(name as Ground, regime) : undefined;
  };
  return {
    ...{ kind, source, label, ground, records, result },
    isSkipped: isOpen || status === 'skipped',
    reason: isOpen ? skipReason : task.reason,
    article: toArticle(ground ?? undefined),
    erased: outcome.erased,
    anonymised: outcome.anonymised,
    kept: outcome.kept.map((each) => ({ ...each, article: toArticle(each.ground) })),
  };
}

export interface CompletionPreview {
  recipient: string | null;
  language: string;
  subject: string;
  text: string;
  open: Task[];
  stored: StoredPackage | undefined;
}

/**
 * The email that completing a case now would send, or the text for a letter without an email address. Writes nothing.
 * @param given the reason for skipping open tasks
 * @throws NotFoundError; DomainError 409 `invalid_transition` if the case cannot be completed
 */
export async function previewCompletion(
  dsar: Dsar,
  id: number,
  given: string | undefined,
): Promise<CompletionPreview> {
  const { db } = dsar.platform.datastore;
  const dsarCase = await getCase(db, id);
  const { status, email, language } = dsarCase;
  if (!listTransitions(status).includes('completed')) {
    const message = `A request that is ${status} cannot be completed.`;
    throw new DomainError('conflict', 'invalid_transition', message);
  }
  const { mail: sender } = await dsar.site.settings();
  const { stored, ...result } = await readResult(db, dsarCase, readText('reason', given));
  const completion: Completion = {
    ...result,
    ...(stored && email !== null && { downloadUrl: toLinkUrl(dsar, 'download', '…') }),
  };
  const { subject, text } = previewEmail({ dsar, sender }, dsarCase, (emails) =>
    emails.completed(completion),
  );
  const open = openTasks(await listTasks(db, id));
  return { recipient: email, language, subject, text, open, stored };
}
