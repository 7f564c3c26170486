import { type Static, Type } from 'typebox';
import { toIsoMoment } from '../../../platform/clock.ts';
import { parseCsv } from '../../../platform/csv-reader.ts';
import { joinTransaction } from '../../../platform/db/index.ts';
import type { Platform } from '../../../platform/deps.ts';
import { DAY_MS } from '../../../platform/durations.ts';
import { ApiError, DomainError, InvalidFieldError } from '../../../platform/errors.ts';
import { readArgs } from '../../../platform/rest/read-args.ts';
import type { IssueRequest } from '../../licences/index.ts';
import { type Catalogue, readCatalogue, readPlan, readProduct } from '../../products/index.ts';
import { issueOnce } from '../issue-once.ts';
import { days, Issue } from '../schemas.ts';
import { toIssueRequest } from '../service.ts';
import type { BulkIssue, BulkLine, BulkReport } from './schemas.ts';

/** The most licences that one request issues. */
const BULK_MAX = 1_000;

/** A line: the expiry is a moment or a number of days. */
const Line = Type.Object({
  ...Issue.properties,
  expires_at: Type.Optional(Issue.properties.expires_at),
  days: Type.Optional(days),
});

const COLUMNS = Object.keys(Line.properties);

/**
 * Issues all licences, or none if a line is invalid or it is a dry run.
 * @param idempotencyKey see `issueOnce`
 * @throws InvalidFieldError for an invalid table, more than `BULK_MAX` licences, or both an expiry and days for all;
 *   DomainError 409 `key_rotated` as `issueOnce`
 */
export async function issueInBulk(
  platform: Platform,
  { csv, count, dry_run, ...common }: Static<typeof BulkIssue>,
  actor: string,
  idempotencyKey?: string,
): Promise<BulkReport> {
  const wanted =
    csv === undefined
      ? Array.from({ length: count ?? 0 }, (_, at) => ({ line: at + 1, values: common }))
      : readTable(csv, common);
  if (wanted.length === 0)
    throw invalid('Enter a table with a header and at least one line, or a count.');
  if (wanted.length > BULK_MAX)
    throw invalid(
      `You can issue up to ${BULK_MAX} licences at a time. This request has ${wanted.length}.`,
    );
  if (common.expires_at !== undefined && common.days !== undefined)
    throw new InvalidFieldError('days', EITHER);
  const catalogue = await readCatalogue(platform.datastore.db);
  const now = platform.clock.now();
  const read = wanted.map(({ line, values }) => ({
    ...readLine(catalogue, line, values, now),
    // A validity in days is another expiry each time.
    asked: { line, values },
  }));
  const failed = read.filter(({ request }) => !request).length;
  const lines = read.map(({ report }) => report);
  if (dry_run || failed > 0) return { dry_run, issued: 0, failed, lines };

  const issued = await platform.datastore.transaction(async (trx, announce) => {
    const joined = { ...platform, datastore: joinTransaction(platform.datastore, trx, announce) };
    const done: BulkLine[] = [];
    for (const { report, request, mail = false, asked } of read) {
      if (!request) continue;
      const by = { actor, idempotencyKey, asked };
      const { licence, key } = await issueOnce(joined, request, mail, by);
      const expires_at = toIsoMoment(licence.expiresAt);
      done.push({ ...report, expires_at, id: licence.publicId, licence_key: key });
    }
    return done;
  });
  return { dry_run, issued: issued.length, failed, lines: issued };
}

type Values = Readonly<Record<string, unknown>>;

/** @throws InvalidFieldError */
function readTable(csv: string, common: Values): { line: number; values: Values }[] {
  const { columns, rows } = parseTable(csv);
  const isKnown = columns.every((name) => COLUMNS.includes(name));
  if (!isKnown || new Set(columns).size < columns.length)
    throw invalid(
      `The header may contain each of these columns once: ${COLUMNS.join(', ')}. It contains: ${columns.join(', ')}.`,
    );
  return rows.map(({ line, values, cells }) => {
    if (cells > columns.length) return { line, values: { ...values, [TOO_LONG]: true } };
    const given = Object.entries(values).filter(([, value]) => value !== '');
    return { line, values: { ...withoutExpiry(common, given), ...Object.fromEntries(given) } };
  });
}

/** The expiry of a line replaces that of all lines, also if one is a moment and the other a number of days. */
function withoutExpiry(common: Values, given: readonly [string, string][]): Values {
  if (!given.some(([name]) => EXPIRY.includes(name))) return common;
  return Object.fromEntries(Object.entries(common).filter(([name]) => !EXPIRY.includes(name)));
}

function parseTable(csv: string) {
  try {
    return parseCsv(csv);
  } catch (error) {
    if (error instanceof SyntaxError) throw invalid(error.message);
    throw error;
  }
}

const invalid = (message: string) => new InvalidFieldError('csv', message);

const EXPIRY: readonly string[] = ['expires_at', 'days'];
const EITHER = 'Enter either expires_at or days.';

const TOO_LONG = 'too many cells';

function readLine(
  catalogue: Catalogue,
  line: number,
  values: Values,
  now: number,
): { report: BulkLine; request?: IssueRequest; mail?: boolean } {
  const report = {
    line,
    email: String(values.email ?? ''),
    tier: null,
    sites_allowed: null,
    expires_at: null,
    error: null,
    id: null,
    licence_key: null,
  };
  const fail = (error: string) => ({ report: { ...report, error } });
  if (TOO_LONG in values) return fail('The line has more cells than the header has columns.');
  try {
    const asked: Static<typeof Line> = readArgs({ ...values }, Line);
    if (asked.expires_at !== undefined && asked.days !== undefined) return fail(EITHER);
    const expires_at =
      asked.days === undefined ? asked.expires_at : toIsoMoment(now + asked.days * DAY_MS);
    if (expires_at === undefined) return fail('Missing: expires_at or days.');
    const request = toIssueRequest({ ...asked, expires_at });
    const plan = readPlan(readProduct(catalogue, asked.product), asked.tier);
    return {
      report: {
        ...report,
        email: request.email,
        tier: asked.tier,
        sites_allowed: request.sitesAllowed ?? plan.sitesAllowed,
        expires_at: new Date(request.expiresAt).toISOString(),
      },
      request,
      mail: asked.mail,
    };
  } catch (error) {
    // `readArgs` throws the edge's own error, `toIssueRequest` one of the domain.
    if (error instanceof ApiError || error instanceof DomainError)
      return fail(describe(error.message, error.details));
    throw error;
  }
}

/** Which column is wrong, and why. */
function describe(message: string, details: object): string {
  const { params } = details as { params?: Record<string, string> | string[] };
  if (Array.isArray(params)) return `Missing: ${params.join(', ')}.`;
  const reasons = Object.values(params ?? {}).join(' ') || message;
  return reasons.replaceAll(' (inclusive)', '');
}
