/** Red, green and blue from 0 to 255. */
type Rgb = [number, number, number];

/** @param color `#rrggbb` */
export const toRgb = (color: string): Rgb =>
  [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16)) as Rgb;

export const toHex = (rgb: readonly number[]): string =>
  `#${rgb.map((channel) => Math.round(channel).toString(16).padStart(2, '0')).join('')}`;

/** Like `color-mix(in srgb, color PART, ground)` in CSS. @param part from 0 to 1 */
export const mix = (color: Rgb, part: number, ground: Rgb): Rgb =>
  color.map((channel, at) => channel * part + (ground[at] as number) * (1 - part)) as Rgb;

/** Relative luminance (WCAG 2.2). */
function getLuminance(rgb: Rgb): number {
  const [red, green, blue] = rgb.map((channel) => {
    const part = channel / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as Rgb;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Contrast ratio from 1 to 21 (WCAG 2.2). */
export function getContrast(one: Rgb, other: Rgb): number {
  const [darker, lighter] = [getLuminance(one), getLuminance(other)].sort((a, b) => a - b);
  return ((lighter as number) + 0.05) / ((darker as number) + 0.05);
}

const BLACK: Rgb = [0, 0, 0];
const WHITE: Rgb = [255, 255, 255];
const STEPS = 255;

/**
 * The colour that passes with the least black or white added, so that it keeps its hue.
 * @returns `#rrggbb`; null if neither black nor white leads to one
 */
export function findNearest(color: string, passes: (color: string) => boolean): string | null {
  for (let step = 0; step <= STEPS; step++) {
    for (const end of [BLACK, WHITE]) {
      const candidate = toHex(mix(end, step / STEPS, toRgb(color)));
      if (passes(candidate)) return candidate;
    }
  }
  return null;
}
