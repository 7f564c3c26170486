import { findNearest, getContrast, mix, toHex, toRgb } from '../../../../platform/contrast.ts';
import { InvalidFieldError } from '../../../../platform/errors.ts';
import {
  type Appearance,
  type AppearanceUpdate,
  BUTTON_NAMES,
  COLOR_NAMES,
  type ColorName,
  type Colors,
  SCHEMES,
  type Scheme,
} from './schemas.ts';

const NO_COLORS: Colors = {
  background: null,
  text: null,
  muted: null,
  accent: null,
  border: null,
};

export const DEFAULT_APPEARANCE: Appearance = {
  layout: 'card',
  theme: 'system',
  colors: { light: NO_COLORS, dark: NO_COLORS },
  radius: 14,
  font: 'system',
  logo: null,
  button_order: ['reject', 'accept', 'manage'],
  reopen_button: 'bottom-left',
};

/** The colours of web/banner/banner.css. */
export const DEFAULT_COLORS: Record<Scheme, Record<ColorName, string>> = {
  light: {
    background: '#ffffff',
    text: '#1b2230',
    muted: '#4d5666',
    accent: '#1f4aa8',
    border: '#d8dce4',
  },
  dark: {
    background: '#181c24',
    text: '#eceff5',
    muted: '#aeb6c4',
    accent: '#a9c2ff',
    border: '#39404e',
  },
};

/** The colours of an appearance, defaults included. */
export const getColors = ({ colors }: Pick<Appearance, 'colors'>) =>
  Object.fromEntries(
    SCHEMES.map((scheme) => [
      scheme,
      Object.fromEntries(
        COLOR_NAMES.map((name) => [name, colors[scheme][name] ?? DEFAULT_COLORS[scheme][name]]),
      ),
    ]),
  ) as typeof DEFAULT_COLORS;

/** How much of the accent the background of a button contains (web/banner/banner.css). */
const BUTTON_PART = 0.09;

/** WCAG 2.2, 1.4.3 for text and 1.4.11 for controls. Text colours are those of all controls, so 4.5:1 covers both. */
const TEXT_RATIO = 4.5;

/** The border of the banner identifies no control, so it has no minimum. */
const PAIRS = [
  ['text', 'background'],
  ['muted', 'background'],
  ['accent', 'background'],
  ['accent', 'button'],
] as const satisfies [ColorName, string][];

export interface Contrast {
  scheme: Scheme;
  color: ColorName;
  against: 'background' | 'button';
  foreground: string;
  ground: string;
  ratio: number;
  needed: number;
  passes: boolean;
  nearest: string | null;
}

/** The appearance with an update, in one form, because a banner version must not differ by form alone. */
export function updateAppearance(before: Appearance, update: AppearanceUpdate): Appearance {
  const { url, alt, height } = update.logo ?? {};
  const colors = SCHEMES.map((scheme) => {
    const merged = { ...before.colors[scheme], ...update.colors?.[scheme] };
    const lower = Object.entries(merged).map(([name, color]) => [
      name,
      color?.toLowerCase() ?? null,
    ]);
    return [scheme, Object.fromEntries(lower)];
  });
  return {
    ...before,
    ...update,
    ...(url !== undefined && { logo: { url, alt: alt ?? '', height: height as number } }),
    colors: Object.fromEntries(colors),
  };
}

/** The contrast of each pair of colours in both themes. */
export function measureContrasts(appearance: Pick<Appearance, 'colors'>): Contrast[] {
  const colors = getColors(appearance);
  return SCHEMES.flatMap((scheme) =>
    PAIRS.map((pair) => measurePair(scheme, colors[scheme], pair)),
  );
}

function measurePair(
  scheme: Scheme,
  colors: Record<ColorName, string>,
  [color, against]: (typeof PAIRS)[number],
): Contrast {
  const background = toRgb(colors.background);
  const getGround = (foreground: string, on: string) =>
    on === 'button' ? mix(toRgb(foreground), BUTTON_PART, background) : background;
  const getRatio = (foreground: string, on: string) =>
    getContrast(toRgb(foreground), getGround(foreground, on));
  const foreground = colors[color];
  const grounds = PAIRS.filter(([name]) => name === color).map(([, on]) => on);
  const ratio = getRatio(foreground, against);
  const passes = ratio >= TEXT_RATIO;
  return {
    scheme,
    color,
    against,
    foreground,
    ground: toHex(getGround(foreground, against)),
    // Down, so that a ratio that fails is never shown as one that passes.
    ratio: Math.floor(ratio * 100) / 100,
    needed: TEXT_RATIO,
    passes,
    nearest: passes
      ? null
      : findNearest(foreground, (each) =>
          grounds.every((ground) => getRatio(each, ground) >= TEXT_RATIO),
        ),
  };
}

const GROUNDS = { background: 'the background', button: 'the background of buttons' };

/** @throws InvalidFieldError names the first pair of colours below WCAG 2.2 AA */
export function assertContrasts({ colors }: Appearance): void {
  const low = measureContrasts({ colors }).find(({ passes }) => !passes);
  if (!low) return;
  const { scheme, color, against, foreground, ground, ratio, needed, nearest } = low;
  const field = colors[scheme][color] === null ? 'background' : color;
  const advice = nearest
    ? `The nearest colour that passes is ${nearest}.`
    : 'No colour passes on this background. Choose a lighter or a darker one.';
  const name = field === color ? '' : ` for ${color}`;
  throw new InvalidFieldError(
    'consent',
    `consent[appearance][colors][${scheme}][${field}] must give a contrast of at least ${needed}:1${name} (WCAG 2.2 AA). ${foreground} on ${GROUNDS[against]}, ${ground}, has ${ratio}:1. ${advice}`,
  );
}

/** @throws InvalidFieldError unless each button is named once */
export function assertButtonOrder({ button_order: order }: Appearance): void {
  if (order.length === BUTTON_NAMES.length && BUTTON_NAMES.every((name) => order.includes(name)))
    return;
  throw new InvalidFieldError(
    'consent',
    `consent[appearance][button_order] must name each of ${BUTTON_NAMES.join(', ')} once. Visitors must be able to reject as easily as to accept.`,
  );
}

/**
 * A third party would learn of the visit before consent.
 * @param origins the allowed ones
 * @throws InvalidFieldError if the logo is on another origin
 */
export function assertLogo({ logo }: Appearance, origins: readonly string[]): void {
  if (!logo) return;
  const { url } = logo;
  // Browsers read a backslash as a slash, and ignore tabs and newlines.
  const isPath = /^\/(?![/\\])/.test(url) && !/[\t\n\r]/.test(url);
  if (isPath || origins.includes(URL.parse(url)?.origin ?? '')) return;
  throw new InvalidFieldError(
    'consent',
    `consent[appearance][logo][url] must be a path, for example /logo.svg, or an address on one of your allowed origins: ${origins.join(', ')}. A logo on another server would be requested before consent.`,
  );
}
