import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Finding, FindingEvidence } from '../classify/finding.ts';
import { SCAN_STATES, type ScanState, type Source } from '../observation.ts';
import { applyVerdicts, decideVerdicts, listReached } from './rules.ts';
import { VERDICTS } from './verdict.ts';
import { isBrokenPromise } from './without-consent.ts';

const evidenceIn = (state: ScanState, isPing = false): FindingEvidence => ({
  state,
  url: 'https://tracker.example/t.js',
  initiator: null,
  atMs: 10,
  ...(isPing && { isPing: true }),
});

const finding = (
  states: readonly ScanState[],
  more: Partial<Finding> = {},
  isPing?: boolean,
): Finding => ({
  resourceKey: 'key',
  resourceType: 'script',
  url: 'https://tracker.example/t.js',
  host: 'tracker.example',
  thirdParty: true,
  vendor: null,
  category: 'marketing',
  name: 'Tracker',
  consentState: states.includes('before') ? 'before' : 'after',
  blocked: false,
  sources: ['network'],
  details: {},
  evidence: states.map((state) => evidenceIn(state, isPing)),
  ...more,
});
const reach = (states: readonly ScanState[], isComplete = true) =>
  new Map(states.map((state) => [state, { isComplete }]));
const ALL = reach(SCAN_STATES);
const verdictsOf = (...args: Parameters<typeof finding>) =>
  decideVerdicts(finding(...args), ALL).verdicts;

const someStates = fc.subarray([...SCAN_STATES]);
const anyFinding = fc
  .record({
    states: someStates,
    isPing: fc.boolean(),
    resourceType: fc.constantFrom('script', 'cookie', 'pixel', 'api_call', 'form', 'gtm_tag'),
    category: fc.constantFrom('marketing', 'analytics', 'functional', null),
    thirdParty: fc.boolean(),
    blocked: fc.boolean(),
    name: fc.constantFrom('Tracker', 'cookie_consent', '_x'),
    sources: fc.constantFrom<Source[]>(['network'], ['html'], ['script']),
    details: fc.constantFrom({}, { necessary: true }, { subtype: 'font' }),
  })
  .map(({ states, isPing, ...more }) => finding(states, more as Partial<Finding>, isPing));

describe('Verdicts', () => {
  it.each([
    [['before', 'accepted'], ['loaded_without_consent']],
    [['rejected', 'accepted'], ['loaded_despite_rejection']],
    [['accepted', 'withdrawn'], ['not_stopped_by_withdrawal']],
    [['gpc'], ['ignores_gpc']],
    [
      ['before', 'rejected', 'accepted', 'withdrawn', 'gpc'],
      [
        'loaded_without_consent',
        'loaded_despite_rejection',
        'not_stopped_by_withdrawal',
        'ignores_gpc',
      ],
    ],
    [['accepted'], ['blocked_until_consent']],
    [[], []],
  ] as const)('of a tracker at work in %j: %j', (states, expected) => {
    expect(verdictsOf(states)).toEqual(expected);
  });

  it('are proven to be blocked until consent only by a complete visit that rejected', () => {
    const isProven = (...args: Parameters<typeof reach>) =>
      decideVerdicts(finding(['accepted']), reach(...args)).isProven;
    expect(isProven(['before', 'accepted'])).toBe(false);
    expect(isProven(['before', 'accepted', 'rejected'])).toBe(true);
    expect(isProven(['before', 'accepted', 'rejected'], false)).toBe(false);
    expect(applyVerdicts(finding(['accepted']), ALL).details).toEqual({ proven: true });
    expect(decideVerdicts(finding(['accepted']), reach(['accepted'])).verdicts).toEqual([]);
  });

  it('call a tag that waits in the markup blocked until consent', () => {
    const waiting = { blocked: true, sources: ['html'] } as const;
    expect(verdictsOf([], { ...waiting, sources: [...waiting.sources] })).toEqual([
      'blocked_until_consent',
    ]);
    expect(verdictsOf([], { sources: ['html'] })).toEqual([]);
  });

  it('do not accuse what requires no consent', () => {
    const states = ['before', 'rejected', 'gpc'] as const;
    expect(verdictsOf(states, { category: 'functional' })).toEqual(['strictly_necessary']);
    expect(verdictsOf(states, { details: { necessary: true } })).toEqual(['strictly_necessary']);
    expect(verdictsOf(states, { resourceType: 'form' })).toEqual([]);
    const font = {
      resourceType: 'api_call',
      category: null,
      details: { subtype: 'font' },
    } as const;
    expect(verdictsOf(states, font)).toEqual([]);
  });

  it('leave first-party storage of unknown purpose out of Global Privacy Control', () => {
    const storage = { resourceType: 'cookie', category: null, thirdParty: false } as const;
    expect(verdictsOf(['gpc'], storage)).toEqual([]);
    expect(verdictsOf(['gpc'], { ...storage, thirdParty: true })).toEqual(['ignores_gpc']);
  });

  it('accuse consent pings in no state, but requests with identifiers in theirs', () => {
    expect(verdictsOf(['before', 'rejected'], {}, true)).toEqual(['cookieless_ping']);
    const evidence = [evidenceIn('before', true), evidenceIn('rejected')];
    expect(verdictsOf([], { evidence })).toEqual(['loaded_despite_rejection']);
  });

  it.each([
    [{ name: 'site_consent' }, ['rejected'], ['strictly_necessary']],
    [
      { name: '_x', url: 'https://tracker.example/' },
      ['rejected', 'accepted'],
      ['strictly_necessary'],
    ],
    [
      { name: '_x', url: 'https://shop.example/' },
      ['rejected', 'accepted'],
      ['loaded_despite_rejection'],
    ],
    [{ name: '_x' }, ['rejected'], ['loaded_despite_rejection']],
    [{ name: 'site_consent', thirdParty: true }, ['rejected'], ['loaded_despite_rejection']],
    [
      { name: 'site_consent' },
      ['before', 'rejected'],
      ['loaded_without_consent', 'loaded_despite_rejection'],
    ],
    [
      { resourceType: 'api_call', thirdParty: true, url: 'https://cmp.example/api/consent' },
      ['rejected'],
      ['strictly_necessary'],
    ],
    ...(
      [
        ...['/v1/cookie-preferences', '/privacy/settings', '/async/consent', '/api/consent/sync'],
        ...['/cookies/preferences', '/privacy-center/choices', '/cookies/reject'],
        '/cookie-banner/save',
      ] as const
    ).map(
      (path) =>
        [
          { resourceType: 'api_call', thirdParty: true, url: `https://cmp.example${path}` },
          ['rejected', 'accepted'],
          ['strictly_necessary'],
        ] as const,
    ),
    ...(
      [
        ...['/cookie-sync', '/cookie/set', '/privacy/pixel', '/gdpr/usersync', '/opt-out/match'],
        ...['/consent/cookie-sync', '/consent/idsync', '/sync-users/consent'],
      ] as const
    ).map(
      (path) =>
        [
          { resourceType: 'api_call', thirdParty: true, url: `https://tracker.example${path}` },
          ['rejected'],
          ['loaded_despite_rejection'],
        ] as const,
    ),
  ] as const)('tell records of the choice from trackers: %j in %j', (more, states, expected) => {
    const own = { resourceType: 'cookie', category: null, thirdParty: false } as const;
    expect(verdictsOf(states, { ...own, ...more })).toEqual(expected);
  });

  it('accuse only of states that were reached', () => {
    fc.assert(
      fc.property(anyFinding, someStates, (any, states) => {
        const { verdicts } = decideVerdicts(any, reach(states));
        const needed = {
          loaded_without_consent: 'before',
          loaded_despite_rejection: 'rejected',
          not_stopped_by_withdrawal: 'withdrawn',
          ignores_gpc: 'gpc',
        } as const;
        for (const [verdict, state] of Object.entries(needed)) {
          if (!verdicts.includes(verdict as keyof typeof needed)) continue;
          expect(states).toContain(state);
          expect(any.evidence.map((each) => each.state)).toContain(state);
        }
      }),
    );
  });

  it('are in their order, and favourable ones stand alone', () => {
    fc.assert(
      fc.property(anyFinding, someStates, (any, states) => {
        const { verdicts, isProven } = decideVerdicts(any, reach(states));
        expect(VERDICTS.filter((each) => verdicts.includes(each))).toEqual(verdicts);
        const favourable = ['cookieless_ping', 'blocked_until_consent', 'strictly_necessary'];
        if (verdicts.some((each) => favourable.includes(each))) {
          expect(verdicts.length).toBe(1);
          expect(isBrokenPromise(verdicts)).toBe(false);
        }
        if (isProven) expect(verdicts).toEqual(['blocked_until_consent']);
        if (any.category === 'functional') expect(isBrokenPromise(verdicts)).toBe(false);
      }),
    );
  });

  it('are never lost when another state is visited too', () => {
    const accusations = VERDICTS.slice(0, 4);
    fc.assert(
      fc.property(anyFinding, someStates, fc.constantFrom(...SCAN_STATES), (any, states, more) => {
        const fewer = decideVerdicts(any, reach(states)).verdicts;
        const all = decideVerdicts(any, reach([...states, more])).verdicts;
        for (const verdict of fewer.filter((each) => accusations.includes(each)))
          expect(all).toContain(verdict);
      }),
    );
  });
});

it('Only choices that took effect count as reached; without a banner the first visit counts', () => {
  const reached = listReached([
    { state: 'before', outcome: 'no_banner' },
    { state: 'accepted', outcome: 'no_banner' },
    { state: 'rejected', outcome: 'no_effect' },
    { state: 'withdrawn', outcome: 'reached', error: 'The visit took longer.' },
    { state: 'gpc', outcome: 'failed' },
  ]);
  expect([...reached]).toEqual([
    ['before', { isComplete: true }],
    ['withdrawn', { isComplete: false }],
  ]);
});
