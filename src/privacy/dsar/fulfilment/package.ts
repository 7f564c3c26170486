import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { toCsv } from '../../../platform/csv.ts';
import type { Db } from '../../../platform/db/index.ts';
import { escapeHtml } from '../../../platform/html.ts';
import type { Dsar, ProcessingEntry } from '../site.ts';
import type { Case } from '../store.ts';
import { newFileName, writePackage } from './packages/files.ts';
import type { StoredPackage } from './packages/store.ts';
import { listPages } from './pages/store.ts';
import { listTasks, type Task } from './store.ts';

const PAGES_AT_ONCE = 50;
/** How much of a source the readable page shows; the files beside it have all. */
const ROWS_SHOWN = 1_000;

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
  const content = await zip(filesOf(dsarCase, collected, processing, createdAt));
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
  dsarCase: Case,
  collected: readonly Collected[],
  processing: readonly ProcessingEntry[],
  createdAt: number,
): [path: string, content: string][] {
  const { reference, requestType } = dsarCase;
  const facts = { reference, request_type: requestType, created_at: iso(createdAt) };
  const sources = collected.map(({ task, records }) => ({
    id: task.source,
    label: task.label,
    status: task.status,
    ...(task.reason !== null && { reason: task.reason }),
    records,
  }));
  const files: [string, string][] = [
    ['index.html', page(facts, collected, processing)],
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
      recipient: entry.recipient,
      retention_period: entry.retentionPeriod,
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

function page(
  facts: { reference: string; request_type: string; created_at: string },
  collected: readonly Collected[],
  processing: readonly ProcessingEntry[],
): string {
  const title = `Your data, ${facts.reference}`;
  const sections = collected.map(({ task, records }) => {
    const more =
      records.length > ROWS_SHOWN
        ? `<p>The first ${ROWS_SHOWN} of ${records.length}; the files have them all.</p>`
        : '';
    const body =
      task.status === 'skipped'
        ? `<p>Left out: ${escapeHtml(task.reason ?? '')}</p>`
        : table(columnsOf(records), records.slice(0, ROWS_SHOWN).map(flat));
    return `<h2>${escapeHtml(task.label)}</h2>\n${body}${more}`;
  });
  const article15 =
    processing.length > 0
      ? `<h2>What we process and why</h2>\n${table(
          ['Purpose', 'Legal basis', 'Data', 'Recipient', 'Kept for'],
          processing.map((entry) => ({
            Purpose: entry.purpose,
            'Legal basis': inWords(entry.legalBasis),
            Data: inWords(entry.dataCategories.join(', ')),
            Recipient: entry.recipient,
            'Kept for': entry.retentionPeriod || 'not stated; ask us',
          })),
        )}\n<p>You may ask for correction, deletion or restriction, object, and complain to a data protection authority.</p>`
      : '';
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title>
<style>body{font:16px/1.5 system-ui,sans-serif;margin:2em auto;max-width:60em;padding:0 1em}table{border-collapse:collapse;font-size:.85em}th,td{border:1px solid #999;padding:.3em .5em;text-align:left;vertical-align:top;overflow-wrap:anywhere}</style></head>
<body><h1>${escapeHtml(title)}</h1><p>Made on ${escapeHtml(facts.created_at)}.</p>
${sections.join('\n')}
${article15}
</body></html>
`;
}

/** A slug as people read it. */
const inWords = (slug: string): string => slug.replaceAll('_', ' ');

/** Without the columns in which there is nothing: the files have those too. */
function table(columns: readonly string[], rows: readonly Record<string, string>[]): string {
  if (rows.length === 0) return '<p>Nothing.</p>';
  const filled = columns.filter((column) => rows.some((row) => (row[column] ?? '') !== ''));
  const head = filled.map((column) => `<th>${escapeHtml(inWords(column))}</th>`).join('');
  const body = rows.map(
    (row) =>
      `<tr>${filled.map((column) => `<td>${escapeHtml(row[column] ?? '')}</td>`).join('')}</tr>`,
  );
  return `<table><tr>${head}</tr>\n${body.join('\n')}</table>`;
}

async function zip(files: readonly [path: string, content: string][]): Promise<Buffer> {
  const { ZipFile } = (await import('yazl')).default;
  const archive = new ZipFile();
  for (const [path, content] of files) archive.addBuffer(Buffer.from(content), path);
  archive.end();
  return buffer(archive.outputStream);
}
