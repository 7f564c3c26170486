import type { Platform } from '../../src/platform/deps.ts';
import type { FindingWithVerdicts } from '../../src/privacy/scanner/classify/finding.ts';
import { createVendorLookup } from '../../src/privacy/scanner/classify/vendor-lookup.ts';
import { classifyVisit } from '../../src/privacy/scanner/classify-visit.ts';
import type {
  BannerControl,
  BannerMeasure,
  PageVisit,
  ScanState,
  StateVisit,
} from '../../src/privacy/scanner/observation.ts';
import { insertScan, lockScan, replacePage, type Scan } from '../../src/privacy/scanner/store.ts';
import { assessVisits } from '../../src/privacy/scanner/visits/assess.ts';
import { listKnownVendors } from '../../src/privacy/vendors/index.ts';

export const makeStateVisit = (state: ScanState, more: Partial<StateVisit> = {}): StateVisit => ({
  state,
  outcome: 'reached',
  clicks: state === 'before' || state === 'gpc' ? 0 : 1,
  durationMs: 900,
  requests: [],
  cookies: [],
  storage: [],
  ...more,
});

export const makeControl = (
  role: BannerControl['role'],
  more: Partial<BannerControl> = {},
): BannerControl => ({
  role,
  label: role === 'accept' ? 'Accept all' : 'Reject all',
  layer: 1,
  x: role === 'accept' ? 10 : 130,
  y: 700,
  width: 100,
  height: 40,
  fontSize: 16,
  fontWeight: 400,
  color: 'rgb(255, 255, 255)',
  background: 'rgb(0, 0, 0)',
  isLink: false,
  ...more,
});

/** A banner without shortcomings. */
export const makeBanner = (more: Partial<BannerMeasure> = {}): BannerMeasure => ({
  controls: [makeControl('accept'), makeControl('reject')],
  clicksToAccept: 1,
  clicksToReject: 1,
  preTicked: [],
  coverage: 0.2,
  window: { width: 1366, height: 900 },
  blocksPage: false,
  ...more,
});

/** Adds a scan to the database. Returns its ID. */
export const insertTestScan = (
  { datastore, clock }: Platform,
  siteUrl: string,
  states: ScanState[],
): Promise<number> =>
  datastore.transaction((trx) =>
    insertScan(
      trx,
      {
        siteUrl,
        depth: 0,
        engine: 'chromium',
        startedAt: clock.now(),
        robotsExcluded: 0,
        crawlLimit: null,
        runner: 'client',
        states,
        startedBy: 'request',
      },
      [],
    ),
  );

/** The findings of a page visit as a scan has them, without CNAME records and rulings of the owner. */
export async function classifyTestVisit(
  platform: Platform,
  scan: Scan,
  visited: Pick<PageVisit, 'url' | 'observations' | 'visits'>,
): Promise<FindingWithVerdicts[]> {
  const { findings } = await classifyVisit(
    platform,
    scan,
    { finalUrl: visited.url, partial: false, ...visited },
    {
      vendors: createVendorLookup(await listKnownVendors(platform.datastore.db)),
      lookUpCnames: async () => new Map(),
      necessaryVendors: [],
      necessaryCategories: [],
      isOwnService: () => false,
      lookUpCookie: () => undefined,
    },
  );
  return findings;
}

/** Saves the visit of a page as a scan does. */
export async function saveVisit(
  platform: Platform,
  scanId: number,
  visited: Pick<PageVisit, 'url' | 'observations' | 'visits' | 'error'> & { partial?: boolean },
) {
  const { datastore, clock } = platform;
  const scan = await datastore.transaction((trx) => lockScan(trx, scanId));
  const findings = await classifyTestVisit(platform, scan, visited);
  const visits = await assessVisits(visited.visits ?? []);
  const page = {
    url: visited.url,
    state: visited.error === undefined ? 'scanned' : 'failed',
    partial: visited.partial ?? false,
    error: visited.error ?? null,
    httpStatus: 200,
    banner: 'accepted',
  } as const;
  return datastore.transaction((trx) =>
    replacePage(trx, scan, page, { findings, visits, now: clock.now() }),
  );
}
