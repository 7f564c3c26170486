import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findNearest, getContrast, mix, toHex, toRgb } from '../../../../platform/contrast.ts';
import {
  assertContrasts,
  DEFAULT_APPEARANCE,
  DEFAULT_COLORS,
  measureContrasts,
  updateAppearance,
} from './rules.ts';
import { COLOR_NAMES, SCHEMES } from './schemas.ts';

const color = fc.integer({ min: 0, max: 0xffffff }).map((value) => {
  const hex = value.toString(16).padStart(6, '0');
  return `#${hex}`;
});
const palette = fc.record(
  Object.fromEntries(COLOR_NAMES.map((name) => [name, fc.option(color)])) as Record<
    (typeof COLOR_NAMES)[number],
    fc.Arbitrary<string | null>
  >,
);
const toPair = ({ scheme, color }: { scheme: string; color: string }) => `${scheme} ${color}`;
const contrast = (one: string, other: string) => getContrast(toRgb(one), toRgb(other));

describe('Contrast of colours', () => {
  // https://www.w3.org/WAI/WCAG22/Understanding/contrast-minimum: #777777 on white is just below 4.5:1.
  it.each([
    ['#000000', '#ffffff', 21],
    ['#777777', '#ffffff', 4.478],
    ['#767676', '#ffffff', 4.542],
    ['#0000ff', '#ffffff', 8.592],
    ['#ff0000', '#ffffff', 3.998],
    ['#123456', '#123456', 1],
  ])('measures %s on %s as %d', (one, other, ratio) => {
    expect(contrast(one, other)).toBeCloseTo(ratio, 2);
  });

  it('is between 1 and 21 and the same in both directions', () => {
    fc.assert(
      fc.property(color, color, (one, other) => {
        const ratio = contrast(one, other);
        expect(ratio).toBe(contrast(other, one));
        expect(ratio).toBeGreaterThanOrEqual(1);
        expect(ratio).toBeLessThanOrEqual(21);
      }),
    );
  });

  it('keeps a colour as it is, and mixes between both ends', () => {
    fc.assert(
      fc.property(color, color, (one, other) => {
        expect(toHex(toRgb(one))).toBe(one);
        expect(toHex(mix(toRgb(one), 1, toRgb(other)))).toBe(one);
        expect(toHex(mix(toRgb(one), 0, toRgb(other)))).toBe(other);
      }),
    );
  });

  it('finds the nearest colour that passes: itself, or the first on the way to black or white', () => {
    fc.assert(
      fc.property(color, color, fc.double({ min: 1, max: 21, noNaN: true }), (one, on, needed) => {
        const passes = (each: string) => contrast(each, on) >= needed;
        const nearest = findNearest(one, passes);
        if (nearest === null) {
          expect([passes('#000000'), passes('#ffffff')]).toEqual([false, false]);
          return;
        }
        expect(passes(nearest)).toBe(true);
        expect(nearest === one).toBe(passes(one));
      }),
    );
  });
});

describe('Contrast of an appearance', () => {
  it('is AA with the default colours, which are those of the style sheet', () => {
    expect(() => assertContrasts(DEFAULT_APPEARANCE)).not.toThrow();
    const css = readFileSync('web/banner/banner.css', 'utf8');
    for (const name of COLOR_NAMES) {
      const [, light = '', dark = ''] =
        RegExp(`--pavis-${name}, light-dark\\((#\\w+), (#\\w+)\\)`).exec(css) ?? [];
      const long = (hex: string) => (hex.length === 4 ? hex.replace(/\w/g, '$&$&') : hex);
      expect([name, long(light), long(dark)]).toEqual([
        name,
        DEFAULT_COLORS.light[name],
        DEFAULT_COLORS.dark[name],
      ]);
    }
    expect(css).toContain('color-mix(in srgb, var(--accent) 9%, var(--ground))');
  });

  it('is refused exactly if a pair is below its minimum, with advice that is accepted', () => {
    fc.assert(
      fc.property(palette, palette, (light, dark) => {
        const appearance = updateAppearance(DEFAULT_APPEARANCE, { colors: { light, dark } });
        const low = measureContrasts(appearance).filter(({ ratio, needed }) => ratio < needed);
        const measured = measureContrasts(appearance).filter(({ passes }) => !passes);
        expect(measured).toEqual(low);
        if (low.length === 0) {
          expect(() => assertContrasts(appearance)).not.toThrow();
          return;
        }
        expect(() => assertContrasts(appearance)).toThrow('consent');
        const advised = SCHEMES.map((scheme) => {
          const changes = low.filter((each) => each.scheme === scheme);
          return [
            scheme,
            Object.fromEntries(changes.map(({ color, nearest }) => [color, nearest])),
          ];
        });
        const better = updateAppearance(appearance, { colors: Object.fromEntries(advised) });
        const hopeless = low.filter(({ nearest }) => nearest === null).map(toPair);
        const rest = measureContrasts(better).filter(({ passes }) => !passes);
        expect(rest.map(toPair).filter((pair) => !hopeless.includes(pair))).toEqual([]);
      }),
    );
  });

  it('measures text on the real background of buttons', () => {
    const colors = { light: { ...DEFAULT_APPEARANCE.colors.light, accent: '#777777' } };
    const contrasts = measureContrasts({ colors: { ...DEFAULT_APPEARANCE.colors, ...colors } });
    expect(contrasts.find(({ against }) => against === 'button')).toMatchObject({
      scheme: 'light',
      color: 'accent',
      foreground: '#777777',
      // 9 % of #777777 and 91 % of white.
      ground: '#f3f3f3',
      ratio: 4.02,
      passes: false,
    });
  });

  it('names the pair, both ratios and the nearest colour', () => {
    const refuse = (colors: object) => {
      try {
        assertContrasts(updateAppearance(DEFAULT_APPEARANCE, { colors }));
        return undefined;
      } catch (error) {
        return (error as { reason: string }).reason;
      }
    };
    expect(refuse({ light: { text: '#777777' } })).toBe(
      'consent[appearance][colors][light][text] must give a contrast of at least 4.5:1 (WCAG 2.2 AA). #777777 on the background, #ffffff, has 4.47:1. The nearest colour that passes is #767676.',
    );
    expect(refuse({ dark: { background: '#ffffff' } })).toMatch(
      /^consent\[appearance\]\[colors\]\[dark\]\[background\] must give a contrast of at least 4\.5:1 for text/,
    );
    expect(refuse({ light: { accent: '#1f4aa8' } })).toBeUndefined();
  });
});
