import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PageVisit, ScanState } from '../../src/privacy/scanner/observation.ts';
import type { Scan } from '../../src/privacy/scanner/store.ts';
import { loadsWithoutConsent } from '../../src/privacy/scanner/verdicts/without-consent.ts';
import { BANNERS } from '../fixtures/banners/banners.ts';
import { SHAPES } from '../fixtures/banners/shapes.ts';
import { listBannerPages, ORIGIN, slug, TRACKERS, toUrl } from '../fixtures/banners/site.ts';
import { servePages } from '../support/pages.ts';
import { classifyTestVisit } from '../support/scan-visits.ts';
import { openScannerBrowser, type ScannerBrowser } from '../support/scanner-browser.ts';
import { useTestApp } from '../support/test-app.ts';

const app = useTestApp('sqlite');
let pages: Awaited<ReturnType<typeof servePages>>;
let engine: ScannerBrowser;

const SCAN = { id: 1, siteUrl: ORIGIN } as Scan;
const toShapeUrl = (name: string) => `${ORIGIN}/shape-${slug(name)}`;

beforeAll(async () => {
  const shapes = Object.entries(SHAPES).map(([name, { markup }]) => [
    toShapeUrl(name),
    `<!doctype html><html lang="en"><title>A shop</title><h1>A shop</h1>${markup}`,
  ]);
  pages = await servePages({ ...(await listBannerPages()), ...Object.fromEntries(shapes) });
  engine = await openScannerBrowser({ siteOrigin: ORIGIN, connectTo: pages.connectTo });
});
afterAll(async () => {
  await engine.close();
  pages.close();
});

const visit = (url: string, states: ScanState[]): Promise<PageVisit> =>
  engine.visit(url, new AbortController().signal, states);
const find = ({ visits }: PageVisit, state: ScanState) =>
  visits?.find((each) => each.state === state);

describe('every leak of a page with a real banner has its verdict, and nothing else is accused', () => {
  test.each(Object.entries(BANNERS))('%s', async (name) => {
    const visited = await visit(toUrl(name), ['before', 'rejected', 'accepted', 'withdrawn']);
    const findings = await classifyTestVisit(app.platform, SCAN, visited);
    const outcomes = visited.visits?.map(({ state, outcome }) => [state, outcome]);
    expect(Object.fromEntries(outcomes ?? [])).toEqual({
      before: 'reached',
      rejected: 'reached',
      accepted: 'reached',
      withdrawn: 'reached',
    });
    // Klaro leaves it to the site to show a link to its settings, which this page lacks.
    expect(find(visited, 'withdrawn')?.control).toBe(name === 'klaro' ? 'api' : 'visible');
    const verdicts = Object.entries(TRACKERS).map(([tracker, url]) => [
      tracker,
      findings.find((finding) => finding.url === url)?.verdicts,
    ]);
    expect(Object.fromEntries(verdicts)).toEqual({
      early: ['loaded_without_consent', 'loaded_despite_rejection', 'not_stopped_by_withdrawal'],
      despite: ['loaded_despite_rejection', 'not_stopped_by_withdrawal'],
      sticky: ['not_stopped_by_withdrawal'],
      honest: ['blocked_until_consent'],
    });
    const planted: string[] = Object.values(TRACKERS);
    const accused = findings.filter(
      (finding) => !planted.includes(finding.url) && loadsWithoutConsent(finding),
    );
    expect(accused.map((finding) => [finding.name, ...finding.verdicts])).toEqual([]);
  });
});

describe('rejects a banner with', () => {
  test.each(Object.entries(SHAPES))('%s', async (name, { outcome, clicks }) => {
    const visited = await visit(toShapeUrl(name), ['before', 'rejected']);
    const rejected = find(visited, 'rejected');
    const stored = rejected?.cookies.map((cookie) => cookie.name);
    expect([rejected?.outcome, rejected?.clicks, stored]).toEqual([
      outcome,
      clicks,
      outcome === 'reached' ? ['rejected'] : [],
    ]);
  });
});
