import { Segment, SegmentEncoder, TCModel } from '@iabtechlabtcf/core';
import { describe, expect, it } from 'vitest';
import { makeStateVisit } from '../../../../test/support/scan-visits.ts';
import type { ScanState, VisitRequest } from '../observation.ts';
import { findConsentModeShortcomings, listConsentModes, readConsentMode } from './consent-mode.ts';
import { decodeTcString, findTcShortcomings } from './tc-string.ts';

const GA = 'https://www.google-analytics.com/g/collect?v=2&tid=G-ABC123DEF4';
const request = (url: string, isAfterChoice = false): VisitRequest => ({
  url,
  method: 'POST',
  kind: 'request',
  at: 5,
  isAfterChoice,
});
const statusOf = (url: string) =>
  Object.fromEntries(
    Object.entries(readConsentMode(request(url))?.consent ?? {}).map(([kind, signal]) => [
      kind,
      [signal.default, signal.update, signal.in_force],
    ]),
  );

describe('Consent Mode', () => {
  it('is read from gcd with default and update of all four signals', () => {
    expect(statusOf(`${GA}&gcs=G101&gcd=13t3v3q3u5l1`)).toEqual({
      ad_storage: ['granted', null, 'granted'],
      analytics_storage: ['granted', 'granted', 'granted'],
      ad_user_data: ['denied', 'denied', 'denied'],
      ad_personalization: ['granted', 'denied', 'denied'],
    });
    expect(statusOf(`${GA}&gcd=11l1m1n1r5`)).toEqual({
      ad_storage: [null, null, null],
      analytics_storage: [null, 'denied', 'denied'],
      ad_user_data: [null, 'granted', 'granted'],
      ad_personalization: ['denied', 'granted', 'granted'],
    });
  });

  it('is not read from requests that were not sent', () => {
    const unsent = { ...request(`${GA}&gcs=G111`), failure: 'policy' };
    expect(listConsentModes({ requests: [unsent] })).toEqual([]);
  });

  it('is read from gcs alone, and from asc of Microsoft', () => {
    expect(statusOf(`${GA}&gcs=G101`)).toEqual({
      ad_storage: [null, null, 'denied'],
      analytics_storage: [null, null, 'granted'],
    });
    expect(statusOf(`${GA}&gcs=G1--`).ad_storage).toEqual([null, null, null]);
    expect(statusOf('https://bat.bing.com/action/0?ti=1&asc=D')).toEqual({
      ad_storage: [null, null, 'denied'],
    });
  });

  it.each([GA, `${GA}&gcs=x&gcd=y`, 'https://bat.bing.com/action/0?ti=1', 'nothing'])(
    'is absent from %s',
    (url) => {
      expect(readConsentMode(request(url))).toBeUndefined();
    },
  );

  it.each([
    ['before', false, 'google_consent_granted_before_choice'],
    ['rejected', true, 'google_consent_granted_after_rejection'],
    ['withdrawn', true, 'google_consent_granted_after_withdrawal'],
    ['rejected', false, undefined],
    ['accepted', true, undefined],
  ] as const)('granted in %s, after the choice: %s, is %s', (state, isAfter, code) => {
    const visit = makeStateVisit(state, { requests: [request(`${GA}&gcs=G101`, isAfter)] });
    const found = [...findConsentModeShortcomings(visit, listConsentModes(visit))];
    expect(found[0]?.code).toBe(code);
    if (code) expect(found[0]?.explanation).toMatch(/report analytics_storage as granted/);
    const missed = { ...visit, outcome: 'no_control' } as const;
    if (state !== 'before')
      expect([...findConsentModeShortcomings(missed, listConsentModes(visit))]).toEqual([]);
  });

  it('is listed once for equal requests', () => {
    const requests = [
      request(`${GA}&gcs=G100`),
      request(`${GA}&gcs=G100&x=1`),
      request(`${GA}&gcs=G111`, true),
    ];
    expect(listConsentModes({ requests }).length).toBe(2);
  });
});

describe('TC strings', () => {
  /** As a consent platform encodes it. */
  function encode({
    consents = [] as number[],
    interests = [] as number[],
    isDisclosed = true,
    policy = 5,
  } = {}) {
    const model = new TCModel();
    Object.assign(model, {
      cmpId: 31,
      cmpVersion: 2,
      vendorListVersion: 20,
      policyVersion: policy,
    });
    model.purposeConsents.set(consents);
    model.purposeLegitimateInterests.set(interests);
    model.vendorConsents.set([1, 2]);
    model.vendorsDisclosed.set([1, 2, 755]);
    model.created = new Date('2026-11-20T00:00:00Z');
    model.lastUpdated = model.created;
    const segments = [Segment.CORE, ...(isDisclosed ? [Segment.VENDORS_DISCLOSED] : [])];
    return segments.map((segment) => SegmentEncoder.encode(model, segment)).join('.');
  }
  const defects = async (text: string, state: ScanState) =>
    [...findTcShortcomings(makeStateVisit(state), await decodeTcString(text))].map(
      ({ code }) => code,
    );

  it('are decoded', async () => {
    expect(await decodeTcString(encode({ consents: [1, 3], interests: [2] }))).toEqual({
      version: 2,
      created: '2026-11-20T00:00:00.000Z',
      updated: '2026-11-20T00:00:00.000Z',
      cmp_id: 31,
      cmp_version: 2,
      policy_version: 5,
      purpose_consents: [1, 3],
      purpose_legitimate_interests: [2],
      vendor_consents: 2,
      vendors_disclosed: 3,
    });
  });

  it('without grants have no defects in any state', async () => {
    for (const state of ['before', 'rejected', 'accepted', 'withdrawn', 'gpc'] as const)
      expect(await defects(encode(), state)).toEqual([]);
  });

  it.each([
    ['before', ['tcf_granted_before_choice', 'tcf_legitimate_interest_before_choice']],
    ['rejected', ['tcf_granted_after_rejection', 'tcf_legitimate_interest_after_rejection']],
    ['withdrawn', ['tcf_granted_after_withdrawal']],
    ['accepted', []],
  ] as const)('with grants have in the state %s: %j', async (state, expected) => {
    expect(await defects(encode({ consents: [1], interests: [2] }), state)).toEqual(expected);
  });

  it('without disclosedVendors or of an old policy have these defects', async () => {
    expect(await defects(encode({ isDisclosed: false }), 'accepted')).toEqual([
      'tcf_no_disclosed_vendors',
    ]);
    expect(await defects(encode({ policy: 2 }), 'accepted')).toEqual(['tcf_outdated_policy']);
  });

  it.each(['', 'x', 'nonsense', '....', 'C', '💥', 'A'.repeat(30_000)])(
    'that cannot be read are a defect: %s',
    async (text) => {
      expect(await decodeTcString(text)).toBeNull();
      expect(await defects(text, 'before')).toEqual(['tcf_unreadable']);
    },
  );
});
