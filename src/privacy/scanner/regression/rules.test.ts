import { describe, expect, it } from 'vitest';
import type { SavedFinding } from '../findings/store.ts';
import type { ScanState } from '../observation.ts';
import type { Verdict } from '../verdicts/verdict.ts';
import { type ComparedScan, findRegression } from './rules.ts';

const finding = (resourceKey: string, verdicts: Verdict[], pageUrl = 'https://a.test/') =>
  ({
    ...{ resourceKey, verdicts, pageUrl, name: resourceKey },
    needsConsent: true,
    consentState: verdicts.includes('loaded_without_consent') ? 'before' : 'after',
  }) as SavedFinding;

const ALL: ScanState[] = ['before', 'rejected', 'accepted', 'withdrawn', 'gpc'];
const scan = (findings: SavedFinding[], more: Partial<ComparedScan> = {}): ComparedScan => ({
  ...{
    findings,
    states: ALL,
    unknownHosts: [],
    unscannedPages: [],
    partialPages: [],
    reached: new Map(),
  },
  ...more,
});
const pixel = finding('pixel', ['loaded_despite_rejection', 'not_stopped_by_withdrawal']);

describe('A regression', () => {
  it('is a promise that was kept before', () => {
    const found = findRegression(scan([]), scan([pixel, finding('pixel', pixel.verdicts, 'b')]));
    expect(found).toMatchObject({
      withoutConsent: [],
      brokenPromises: [
        { verdicts: pixel.verdicts, pageUrls: ['https://a.test/', 'b'], finding: pixel },
      ],
    });
    const earlier = scan([finding('pixel', ['loaded_despite_rejection'])]);
    expect(findRegression(earlier, scan([pixel]))?.brokenPromises).toMatchObject([
      { verdicts: ['not_stopped_by_withdrawal'] },
    ]);
  });

  it('is not what the earlier scan could not see: other states, failed pages', () => {
    const twoStates = scan([], { states: ['before', 'accepted'] });
    expect(findRegression(twoStates, scan([pixel]))).toBeUndefined();
    const failed = scan([], { unscannedPages: ['https://a.test/'] });
    const loaded = finding('script', ['loaded_without_consent']);
    const host = { host: 'x.example', pageUrl: 'https://a.test/', states: ['accepted' as const] };
    const later = scan([pixel, loaded], { unknownHosts: [host] });
    expect(findRegression(failed, later)).toBeUndefined();
    const first = scan([], { states: ['before'] });
    expect(findRegression(first, scan([], { unknownHosts: [host] }))).toBeUndefined();
    expect(findRegression(scan([]), scan([loaded]))?.withoutConsent).toMatchObject([
      { finding: loaded, verdicts: [] },
    ]);
  });

  it('is not what the earlier scan could not see because its page did not complete the state', () => {
    const at = (...states: ScanState[]) => ({
      reached: new Map([
        [
          'https://a.test/',
          new Map(ALL.map((state) => [state, { isComplete: states.includes(state) }])),
        ],
      ]),
    });
    expect(findRegression(scan([], at('before')), scan([pixel]))).toBeUndefined();
    const found = findRegression(scan([], at('before', 'withdrawn')), scan([pixel]));
    expect(found?.brokenPromises).toMatchObject([{ verdicts: ['not_stopped_by_withdrawal'] }]);
    const elsewhere = finding('pixel', pixel.verdicts, 'https://a.test/new');
    expect(findRegression(scan([], at('before')), scan([elsewhere]))?.brokenPromises).toHaveLength(
      1,
    );
    const host = { host: 'x.example', pageUrl: 'https://a.test/', states: ['accepted' as const] };
    const later = scan([], { unknownHosts: [host] });
    expect(findRegression(scan([], at('before')), later)).toBeUndefined();
    expect(findRegression(scan([], at('accepted')), later)?.unknownHosts).toEqual(['x.example']);
  });

  it('is not what the earlier scan could not see because it read the page in part, unlike the later one', () => {
    const partial = { partialPages: ['https://a.test/'] };
    const loaded = finding('script', ['loaded_without_consent']);
    const read = { host: 'x.example', pageUrl: 'https://a.test/', states: [] };
    const unknownHosts = [read, { ...read, host: 'y.example', states: ['accepted' as const] }];
    const later = { unknownHosts };
    expect(findRegression(scan([], partial), scan([loaded], later))).toBeUndefined();
    expect(findRegression(scan([], partial), scan([pixel]))?.brokenPromises).toHaveLength(1);
    for (const earlier of [scan([]), scan([], partial)]) {
      const found = findRegression(earlier, scan([loaded], { ...later, ...partial }));
      expect(found?.withoutConsent).toHaveLength(1);
      expect(found?.unknownHosts).toEqual(['x.example', 'y.example']);
    }
  });

  it('is not what the earlier scan found as well, on whatever page', () => {
    const loaded = finding('script', ['loaded_without_consent']);
    const elsewhere = finding('script', ['loaded_without_consent'], 'https://a.test/b');
    const host = { host: 'x.example', pageUrl: 'https://a.test/', states: [] };
    const hosts = { unknownHosts: [host, { ...host, pageUrl: 'https://a.test/b' }] };
    expect(findRegression(scan([loaded, pixel], hosts), scan([elsewhere, pixel], hosts))).toBe(
      undefined,
    );
    const found = findRegression(scan([]), scan([], hosts));
    expect(found).toMatchObject({ unknownHosts: ['x.example'] });
  });
});
