import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeBanner, makeControl, makeStateVisit } from '../../../../test/support/scan-visits.ts';
import type { BannerMeasure, StateVisit } from '../observation.ts';
import { getContrast } from './contrast.ts';
import { findBannerShortcomings } from './fairness.ts';

const find = (banner: BannerMeasure, ...others: StateVisit[]) =>
  findBannerShortcomings([makeStateVisit('before', { banner }), ...others]);
const codes = (...args: Parameters<typeof find>) => find(...args).map(({ code }) => code);
const withReject = (more: Parameters<typeof makeControl>[1]) =>
  makeBanner({ controls: [makeControl('accept'), makeControl('reject', more)] });

describe('Shortcomings of a banner', () => {
  it('are none for equal buttons, and none without a banner', () => {
    expect(codes(makeBanner())).toEqual([]);
    expect(findBannerShortcomings([makeStateVisit('before')])).toEqual([]);
    expect(findBannerShortcomings([])).toEqual([]);
  });

  it.each([
    ['no_reject_on_first_layer', makeBanner({ controls: [makeControl('accept')] })],
    ['reject_takes_more_clicks', makeBanner({ clicksToReject: 3 })],
    ['pre_ticked_boxes', makeBanner({ preTicked: ['Statistics'] })],
    ['reject_is_link', withReject({ isLink: true })],
    ['reject_smaller', withReject({ width: 40, height: 30 })],
    ['reject_smaller', withReject({ fontSize: 11 })],
    [
      'reject_low_contrast',
      withReject({ color: 'rgb(200, 200, 200)', background: 'rgb(255, 255, 255)' }),
    ],
  ])('include %s', (code, banner) => {
    expect(codes(banner)).toEqual([code]);
  });

  it('give the figures and compare both buttons', () => {
    const [smaller] = find(withReject({ width: 60, height: 40, fontSize: 8 }));
    expect(smaller?.explanation).toBe(
      'The text of the reject button is smaller. Its text is 50 % smaller. The accept button comes first.',
    );
    const [small] = find(withReject({ width: 40, height: 40 }));
    expect(small?.explanation).toContain(
      '60 % smaller than the accept button (40 × 40 and 100 × 40',
    );
    const [low] = find(withReject({ width: 300, height: 20 }));
    expect(low?.explanation).toContain(
      'The reject button is 50 % lower than the accept button (300 × 20 and 100 × 40',
    );
    const [faint] = find(
      withReject({ color: 'rgb(119, 119, 119)', background: 'rgb(255, 255, 255)', x: -200 }),
    );
    expect(faint?.explanation).toBe(
      'The text of the reject button has a contrast of 4.4:1, that of the accept button 21.0:1. WCAG 2.2 requires at least 4.5:1.',
    );
  });

  it('include a wall only if the page is blocked and nothing rejects', () => {
    const wall = makeBanner({
      controls: [makeControl('accept')],
      clicksToReject: null,
      blocksPage: true,
    });
    const unrejectable = makeStateVisit('rejected', { outcome: 'no_control' });
    const found = find(wall, unrejectable);
    expect(found.map(({ code }) => code)).toEqual(['no_reject_on_first_layer', 'cookie_wall']);
    expect(found[0]?.explanation).toMatch(/No way to reject was found\.$/);
    expect(codes({ ...wall, blocksPage: false }, unrejectable)).not.toContain('cookie_wall');
    // Without a visit that rejects, nobody has looked behind the first layer.
    const [only, ...others] = find(wall);
    expect([only?.code, others]).toEqual(['no_reject_on_first_layer', []]);
    expect(only?.explanation).toMatch(/no reject option\.$/);
  });

  it.each([
    ['rejected', { outcome: 'no_effect' }, ['reject_without_effect']],
    ['withdrawn', { outcome: 'no_control' }, ['no_withdrawal_control']],
    ['withdrawn', { control: 'api', clicks: 5 }, ['no_withdrawal_control']],
    ['withdrawn', { outcome: 'no_effect' }, ['withdrawal_without_effect']],
    ['withdrawn', { clicks: 3 }, ['withdrawal_takes_more_clicks']],
    ['withdrawn', { clicks: 2 }, []],
    ['withdrawn', { outcome: 'failed', clicks: 5 }, []],
    ['accepted', { outcome: 'no_effect' }, []],
  ] as const)('of the visit %s with %j are %j', (state, more, expected) => {
    expect(codes(makeBanner(), makeStateVisit(state, more))).toEqual(expected);
  });

  it('never say that a banner is illegal, and always name a source', () => {
    const size = fc.integer({ min: 1, max: 400 });
    const control = fc.record({
      width: size,
      height: size,
      fontSize: fc.integer({ min: 1, max: 40 }),
      isLink: fc.boolean(),
      color: fc.constantFrom('rgb(0, 0, 0)', 'rgba(0, 0, 0, 0)', 'red'),
    });
    fc.assert(
      fc.property(control, control, fc.boolean(), (accept, reject, blocksPage) => {
        const banner = makeBanner({
          controls: [makeControl('accept', accept), makeControl('reject', reject)],
          blocksPage,
          preTicked: ['x'],
        });
        for (const { source, explanation, title } of find(banner)) {
          expect(source).not.toBe('');
          expect(`${title} ${explanation}`).not.toMatch(
            /illegal|unlawful|violat|NaN|Infinity|undefined/i,
          );
        }
      }),
    );
  });
});

it('Contrast is that of WCAG, symmetric, and unknown for translucent and named colours', () => {
  expect(getContrast('rgb(0, 0, 0)', 'rgb(255, 255, 255)')).toBeCloseTo(21);
  expect(getContrast('rgb(119, 119, 119)', 'rgb(255, 255, 255)')).toBeCloseTo(4.48, 2);
  expect(getContrast('rgb(0 0 0 / 50%)', 'rgb(255, 255, 255)')).toBeUndefined();
  expect(getContrast('rgba(1, 2, 3, 1)', 'rgb(1, 2, 3)')).toBe(1);
  expect(getContrast('white', 'rgb(0, 0, 0)')).toBeUndefined();
  const color = fc
    .tuple(...Array.from({ length: 3 }, () => fc.nat(255)))
    .map((rgb) => `rgb(${rgb.join(', ')})`);
  fc.assert(
    fc.property(color, color, (a, b) => {
      const ratio = getContrast(a, b) ?? 0;
      expect(ratio).toBe(getContrast(b, a));
      expect(ratio).toBeGreaterThanOrEqual(1);
      expect(ratio).toBeLessThanOrEqual(21);
    }),
  );
});
