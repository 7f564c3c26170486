import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { toCsv } from '../../../platform/csv.ts';
import type { Db } from '../../../platform/db/index.ts';
import { packagePage } from '../package-page/index.ts';
import type { Dsar, ProcessingEntry } from '../site.ts';
import type { Case } from '../store.ts';
import { newFileName, writePackage } from './packages/files.ts';
import type { StoredPackage } from './packages/store.ts';
import { listPages } from './pages/store.ts';
import { listTasks, type Task } from './store.ts';

const PAGES_AT_ONCE = 50;

type Records = Record<string, unknown>[];

interface Collected {
  task: Task;
  records: Records;
}

/** Puts together what was collected for a case: a ZIP in the data folder, readable by its owner only. */
export async function buildPackage(dsar: Dsar, dsarCase: Case): Promise<StoredPackage> {
  const { platform, site } = dsar;
  const { db } = platform.datastore;
  const tasks = await listTasks(db, dsarCase.id);
  const collected: Collected[] = [];
  for (const task of tasks.filter(({ kind }) => kind !== 'package')) {
    collected.push({ task, records: await recordsOf(db, task.id) });
  }
  // GDPR Art. 15(1) asks for it, Art. 20 does not.
  const processing = dsarCase.requestType === 'access' ? await site.processing() : [];
  const createdAt = platform.clock.now();
  const content = await zip(filesOf(dsar, dsarCase, collected, processing, createdAt));
  const fileName = newFileName(dsarCase.reference);
  await writePackage(site, fileName, content);
  return { fileName, sha256: sha256(content), bytes: content.length, createdAt };
}

async function recordsOf(db: Db, taskId: number): Promise<Records> {
  const records: Records = [];
  for (let after = 0; ; ) {
    const pages = await listPages(db, taskId, { after, limit: PAGES_AT_ONCE });
    for (const page of pages) records.push(...page.records);
    const last = pages.at(-1);
    if (!last) return records;
    after = last.id;
  }
}

function filesOf(
  { site, dayOf }: Dsar,
  dsarCase: Case,
  collected: readonly Collected[],
  processing: readonly ProcessingEntry[],
  createdAt: number,
): [path: string, content: string][] {
  const { reference, requestType, language } = dsarCase;
  const facts = { reference, request_type: requestType, created_at: iso(createdAt) };
  const sources = collected.map(({ task, records }) => ({
    id: task.source,
    label: task.label,
    status: task.status,
    ...(task.reason !== null && { reason: task.reason }),
    records,
  }));
  const index = packagePage(language, {
    reference,
    site: new URL(site.siteUrl()).host,
    day: dayOf(createdAt),
    sources: collected.map(({ task, records }) => ({
      id: task.source,
      label: task.label,
      leftOut: task.status === 'skipped' ? (task.reason ?? '') : undefined,
      columns: columnsOf(records),
      rows: records.map(flat),
    })),
    processing,
  });
  const files: [string, string][] = [
    ['index.html', index],
    ['data.json', json({ ...facts, ...processingIn(processing), sources })],
  ];
  for (const { id, records } of sources) {
    files.push([`sources/${id}.json`, json(records)]);
    files.push([`sources/${id}.csv`, toCsv(columnsOf(records), records.map(flat))]);
  }
  const manifest = files.map(([path, content]) => ({
    path,
    bytes: Buffer.byteLength(content),
    sha256: sha256(content),
  }));
  return [...files, ['manifest.json', json({ ...facts, files: manifest })]];
}

const processingIn = (processing: readonly ProcessingEntry[]) =>
  processing.length > 0 && {
    processing: processing.map((entry) => ({
      purpose: entry.purpose,
      legal_basis: entry.legalBasis,
      data_categories: entry.dataCategories,
      data_subjects: entry.dataSubjects,
      recipients: entry.recipients,
      third_countries: entry.thirdCountries,
      safeguards: entry.safeguards,
      retention_period: entry.retentionPeriod,
      data_source: entry.dataSource,
      automated_decisions: entry.automatedDecisions,
    })),
  };

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
const iso = (at: number): string => new Date(at).toISOString();
const sha256 = (content: string | Buffer): string =>
  createHash('sha256').update(content).digest('hex');

const columnsOf = (records: Records): string[] => [...new Set(records.flatMap(Object.keys))];

/** With what is nested as JSON, for tables. */
const flat = (record: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, textOf(value)]));

const textOf = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '');

async function zip(files: readonly [path: string, content: string][]): Promise<Buffer> {
  const { ZipFile } = (await import('yazl')).default;
  const archive = new ZipFile();
  for (const [path, content] of files) archive.addBuffer(Buffer.from(content), path);
  archive.end();
  return buffer(archive.outputStream);
}
