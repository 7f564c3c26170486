import { toIsoMoment } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/db/index.ts';
import type { ZipFile } from '../../../platform/zip.ts';
import { toEvidenceRecords } from '../findings/schemas.ts';
import type { SavedFinding } from '../findings/store.ts';
import { findPicture, findRecording, type SavedVisit } from '../visits/store.ts';
import { HAR_COMMENT, toHarEntry, toHarPage } from './har.ts';
import { type Pack, toPicturePath } from './pack.ts';
import { renderReport } from './report/report.ts';
import { listPageFindings } from './store.ts';

/** The files of a pack, except for the manifest. Each reads one page at a time. */
export function listPackFiles(db: Db, pack: Pack, version: string): ZipFile[] {
  const visits = pack.pages.flatMap((page) => page.visits.map((visit) => ({ page, visit })));
  return [
    { path: 'report.html', chunks: () => renderReport(pack, toSources(db)) },
    { path: 'verdicts.json', chunks: () => writeVerdicts(db, pack) },
    ...(visits.length > 0
      ? [
          { path: 'requests.har', chunks: () => writeHar(db, pack, version) },
          { path: 'cookies.json', chunks: () => writeCookies(db, pack) },
        ]
      : []),
    ...visits
      .filter(({ visit }) => visit.hasPicture)
      .map(({ page, visit }) => ({
        path: toPicturePath(page, visit),
        isCompressed: true,
        async *chunks() {
          const picture = await findPicture(db, visit.id);
          if (picture?.bytes) yield picture.bytes;
        },
      })),
  ];
}

const toSources = (db: Db) => ({
  findPicture: (visitId: number) => findPicture(db, visitId),
  listFindings: (pageId: number) => listPageFindings(db, pageId),
});

/** A JSON array, item by item. */
async function* writeArray(items: AsyncIterable<unknown>): AsyncGenerator<string> {
  let separator = '\n';
  for await (const item of items) {
    yield `${separator}${JSON.stringify(item)}`;
    separator = ',\n';
  }
}

async function* writeVerdicts(db: Db, { scan, pages, verdicts }: Pack): AsyncGenerator<string> {
  const head = { scan_id: scan.id, site_url: scan.siteUrl, states: scan.states, verdicts };
  yield `${JSON.stringify(head).slice(0, -1)},"findings":[`;
  async function* findings() {
    for (const { id } of pages) {
      for (const finding of await listPageFindings(db, id)) yield toVerdictRecord(finding);
    }
  }
  yield* writeArray(findings());
  yield '\n]}\n';
}

const toVerdictRecord = (finding: SavedFinding) => ({
  page_url: finding.pageUrl,
  resource_type: finding.resourceType,
  name: finding.name,
  url: finding.url,
  host: finding.host,
  third_party: finding.thirdParty,
  vendor: finding.vendor && { slug: finding.vendor.slug, name: finding.vendor.name },
  category: finding.category,
  verdict: finding.verdict,
  verdicts: finding.verdicts,
  broken_promise: finding.brokenPromise,
  consent_state: finding.consentState,
  needs_consent: finding.needsConsent,
  states: finding.states,
  evidence: toEvidenceRecords(finding),
  sources: finding.sources,
  first_seen: toIsoMoment(finding.firstSeen),
  details: finding.details,
});

async function* writeHar(db: Db, { scan, pages }: Pack, version: string): AsyncGenerator<string> {
  const [name = '', build = ''] = scan.engine.split(/[ /](?=\d)/);
  const head = {
    version: '1.2',
    creator: { name: 'Pavis', version },
    browser: { name, version: build },
    pages: pages.flatMap((page) => page.visits.map(toHarPage)),
    comment: HAR_COMMENT,
  };
  yield `{"log":${JSON.stringify(head).slice(0, -1)},"entries":[`;
  async function* entries() {
    for (const visit of pages.flatMap((page) => page.visits)) {
      const recording = await findRecording(db, visit.id);
      for (const request of recording?.requests ?? []) yield toHarEntry(visit, request);
    }
  }
  yield* writeArray(entries());
  yield '\n]}}\n';
}

async function* writeCookies(db: Db, { scan, pages }: Pack): AsyncGenerator<string> {
  const comment =
    'Cookies and storage in the browser at the end of each visit. Values are not recorded, by design.';
  const head = { scan_id: scan.id, site_url: scan.siteUrl, comment };
  yield `${JSON.stringify(head).slice(0, -1)},"visits":[`;
  async function* visits() {
    for (const page of pages) {
      for (const visit of page.visits) yield await toStoredRecord(db, visit);
    }
  }
  yield* writeArray(visits());
  yield '\n]}\n';
}

async function toStoredRecord(db: Db, visit: SavedVisit) {
  const { cookies = [], storage = [] } = (await findRecording(db, visit.id)) ?? {};
  return {
    page_url: visit.pageUrl,
    state: visit.state,
    visited_at: toIsoMoment(visit.visitedAt),
    cookies: cookies.map((cookie) => ({
      name: cookie.name,
      domain: cookie.domain,
      path: cookie.path,
      duration_seconds: cookie.lifetimeSeconds,
      secure: cookie.secure,
      http_only: cookie.httpOnly,
      same_site: cookie.sameSite,
      blocked_reasons: cookie.blockedReasons,
      set_by: cookie.setBy ?? null,
    })),
    storage,
  };
}
