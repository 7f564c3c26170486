import { describe, expect, it } from 'vitest';
import type { SavedFinding } from '../findings/store.ts';
import type { Verdict } from '../verdicts/verdict.ts';
import { isSeenAtWork, type ProofPage, toProof } from './rules.ts';

const page = (scan: Partial<ProofPage['scan']> = {}, more: Partial<ProofPage> = {}): ProofPage => ({
  scan: {
    ...{ id: 7, status: 'completed', engine: 'chromium', startedAt: 1, completedAt: 2 },
    ...scan,
  },
  ...{ id: 1, url: 'https://a.test/', state: 'scanned', isVisited: true, isPartial: false },
  ...more,
});

const found = (...verdicts: Verdict[]) =>
  ({
    ...{ sources: ['network'], thirdParty: true, verdicts, pageUrl: 'https://a.test/' },
    details: { initiator: 'https://a.test/loader.js' },
  }) as unknown as SavedFinding;

const inNoscript = (...verdicts: Verdict[]) =>
  ({
    ...found(...verdicts),
    ...{ consentState: 'before', details: { in_noscript: true } },
  }) as SavedFinding;

const explain = () => 'in_html' as const;

describe('A blocked resource', () => {
  it.each<[string, ProofPage, SavedFinding | undefined, object]>([
    ['is proven if the page no longer has it', page(), undefined, { status: 'proven' }],
    [
      'is proven if it is at work only after consent, or ignores Global Privacy Control only',
      page(),
      found('ignores_gpc', 'blocked_until_consent'),
      { status: 'proven', checkedAt: 2 },
    ],
    [
      'is not proven if it loads before consent',
      page(),
      found('loaded_without_consent', 'loaded_despite_rejection'),
      { reason: 'in_html', initiator: 'https://a.test/loader.js' },
    ],
    [
      'is not proven if it loads after a rejection',
      page(),
      found('loaded_despite_rejection', 'not_stopped_by_withdrawal'),
      { reason: 'loaded_despite_rejection' },
    ],
    [
      'is not proven if withdrawal does not stop it',
      page(),
      found('not_stopped_by_withdrawal'),
      { reason: 'not_stopped_by_withdrawal' },
    ],
    [
      'is not proven if browsers without scripts load it',
      page(),
      inNoscript(),
      { reason: 'in_noscript', initiator: null },
    ],
    [
      'is not proven for the reason that concerns all browsers, if the others load it too',
      page(),
      inNoscript('loaded_without_consent'),
      { reason: 'in_html' },
    ],
    [
      'is pending while the scan runs, also once its page is scanned',
      page({ status: 'started', completedAt: null }),
      undefined,
      { status: 'pending', checkedAt: null },
    ],
    [
      'is not proven by a scan that was cancelled',
      page({ status: 'cancelled', completedAt: null }),
      undefined,
      { reason: 'scan_ended' },
    ],
    [
      'is not proven by a page that failed',
      page({}, { state: 'failed' }),
      undefined,
      { reason: 'page_failed' },
    ],
    [
      'is not proven by a page that the browser could not visit',
      page({}, { isVisited: false }),
      undefined,
      { reason: 'page_failed' },
    ],
    [
      'is not proven by a page that was read in part, where it was not seen',
      page({}, { isPartial: true }),
      undefined,
      { reason: 'page_partial' },
    ],
    [
      'is not proven by a page that was read in part, where it was seen after consent only',
      page({}, { isPartial: true }),
      found('blocked_until_consent'),
      { reason: 'page_partial' },
    ],
    [
      'is not proven if it is seen at work on a page that was read in part',
      page({}, { isPartial: true }),
      found('loaded_despite_rejection'),
      { reason: 'loaded_despite_rejection' },
    ],
    [
      'is not proven without a browser, which alone sees what is at work',
      page({ engine: 'html' }, { isVisited: false }),
      undefined,
      { reason: 'no_browser' },
    ],
  ])('%s', (_title, of, finding, expected) => {
    const proof = toProof({ page: of, latest: of }, finding, explain);
    const { reason } = proof;
    expect(proof).toMatchObject({ scanId: 7, ...expected });
    expect(proof.status === 'not_proven').toBe(reason !== null);
    const isKnown = !['page_failed', 'page_partial', 'no_browser', 'scan_ended', null].includes(
      reason,
    );
    expect(isSeenAtWork(proof)).toBe(isKnown);
  });
});
