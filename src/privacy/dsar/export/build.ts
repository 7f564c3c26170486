import type { Db } from '../../../platform/db/index.ts';
import { toSnakeCase } from '../../../platform/key-case.ts';
import { noteWritten, type WrittenFile, type ZipFile, zipFiles } from '../../../platform/zip.ts';
import type { Controller, Dsar, ProcessingEntry, RetentionRule } from '../context.ts';
import { listPages } from '../fulfilment/pages/store.ts';
import { listTasks, type Task } from '../fulfilment/store.ts';
import { isVisitorAccepted } from '../fulfilment/visitor-check.ts';
import type { Case } from '../store.ts';
import { createFileName, writePackage } from './files.ts';
import { createPackageWriter } from './package-page/index.ts';
import type { PackageSource } from './package-page/sources.ts';
import { listReceiptFiles, type PackageReceipts } from './receipts.ts';
import type { StoredPackage } from './store.ts';

const PAGES_AT_ONCE = 50;

type Records = Record<string, unknown>[];

interface Collected {
  task: Task;
  records: Records;
}

/**
 * Writes the package of a case, a ZIP file in the data folder.
 * @param visitorIds of the person, for receipts
 */
export async function buildPackage(
  dsar: Dsar,
  dsarCase: Case,
  visitorIds: readonly string[],
): Promise<StoredPackage> {
  const { platform, site } = dsar;
  const { db } = platform.datastore;
  const tasks = await listTasks(db, dsarCase.id);
  const collected: Collected[] = [];
  for (const task of tasks) {
    if (task.kind === 'package' || isVisitorAccepted(task)) continue;
    collected.push({ task, records: await listRecords(db, task.id) });
  }
  const { controller } = await site.settings();
  // Required by GDPR Art. 15(1), but not by Art. 20.
  const about =
    dsarCase.requestType === 'access'
      ? { processing: await site.processing(), rules: await site.retentionRules(db) }
      : undefined;
  const createdAt = platform.clock.now();
  const contents = { collected, controller, about, visitorIds, createdAt };
  const fileName = createFileName(dsarCase.reference);
  const files = listFiles(dsar, dsarCase, contents);
  const written = await writePackage(site, fileName, zipFiles(files, createdAt));
  return { fileName, ...written, createdAt };
}

async function listRecords(db: Db, taskId: number): Promise<Records> {
  const records: Records = [];
  for (let after = 0; ; ) {
    const pages = await listPages(db, taskId, { after, limit: PAGES_AT_ONCE });
    for (const page of pages) records.push(...page.records);
    const last = pages.at(-1);
    if (!last) return records;
    after = last.id;
  }
}

interface Contents {
  collected: readonly Collected[];
  controller: Controller;
  about: { processing: readonly ProcessingEntry[]; rules: readonly RetentionRule[] } | undefined;
  visitorIds: readonly string[];
  createdAt: number;
}

/** Receipts are read one after the other; the files after them say how many there are. */
async function* listFiles(
  dsar: Dsar,
  dsarCase: Case,
  contents: Contents,
): AsyncGenerator<ZipFile, void> {
  const written: WrittenFile[] = [];
  const { site } = dsar;
  const { reference, requestType } = dsarCase;
  const { collected, about, visitorIds, createdAt } = contents;
  const facts = { reference, request_type: requestType, created_at: iso(createdAt) };
  // Not for portability: receipts have data that the person did not provide.
  const hasReceipts =
    about !== undefined &&
    collected.some(
      ({ task }) => task.source === site.receipts.category && getState(task) === 'collected',
    );
  const receipts: PackageReceipts = {
    ...{ issued: 0, not_logged: 0, altered: 0, unproven: 0 },
    verifier: null,
  };
  if (hasReceipts) yield* listReceiptFiles(site.receipts, visitorIds, { receipts, written });
  for (const [path, content] of toFiles(dsar, dsarCase, { ...contents, facts, receipts })) {
    yield noteWritten({ path, chunks: () => [content] }, written);
  }
  const manifest = json({ ...facts, receipts, files: written });
  yield { path: 'manifest.json', chunks: () => [manifest] };
}

function toFiles(
  { site, formatDay }: Dsar,
  { reference, requestType, regime, language }: Case,
  {
    collected,
    controller,
    about,
    createdAt,
    facts,
    receipts,
  }: Contents & { facts: object; receipts: PackageReceipts },
): [path: string, content: string][] {
  const writer = createPackageWriter(language, site.timeZone);
  const findType = (id: string) => site.personalData.find(({ category }) => category === id);
  const sources = collected.map(
    ({ task, records }): PackageSource => ({
      id: task.source,
      label: task.label,
      state: getState(task),
      reason: task.reason,
      retention:
        about && findType(task.source) ? writer.retention(task.source, about.rules) : undefined,
      records,
    }),
  );
  const requestUrl = `${site.publicUrl()}/privacy/`;
  const index = writer.page({
    reference,
    organisation: controller.name || new URL(site.siteUrl()).host,
    day: formatDay(createdAt),
    controller,
    sources,
    receipts,
    about: about && { processing: about.processing, regime, requestUrl },
  });
  const data = {
    ...facts,
    language: writer.language,
    controller,
    ...(about && {
      processing: about.processing.map(({ hasTransfers: _, ...entry }) => toSnakeCase(entry)),
      rights: writer.rights(regime).list,
      complaint: writer.rights(regime).complaint(controller.email),
    }),
    sources: sources.map(({ id, label, state, reason, retention, records }) => ({
      id,
      label: writer.title({ id, label }),
      state,
      ...(reason !== null && { reason }),
      ...(retention !== undefined && { retention_period: retention }),
      records,
    })),
  };
  const files: [string, string][] = [
    ['index.html', index],
    ['data.json', json(data)],
  ];
  for (const source of sources) {
    files.push([`sources/${source.id}.json`, json(source.records)]);
    const type = findType(source.id);
    const columns = requestType === 'portability' ? type?.given : type?.shown;
    // The columns of a source by hand, or of an extension, are not known without records.
    if (columns || source.records.length > 0)
      files.push([`sources/${source.id}.csv`, writer.csv(source, columns)]);
  }
  return files;
}

function getState({ kind, status }: Task): PackageSource['state'] {
  if (status === 'skipped') return 'left_out';
  return kind === 'manual' ? 'by_hand' : 'collected';
}

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
const iso = (at: number): string => new Date(at).toISOString();
