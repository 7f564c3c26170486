import { type Static, Type } from 'typebox';
import { URL_MAX_LENGTH } from '../../../../platform/http/limits.ts';
import { nullable, OneOf, Text } from '../../../../platform/http/schemas.ts';

export const SCHEMES = ['light', 'dark'] as const;
export type Scheme = (typeof SCHEMES)[number];

export const COLOR_NAMES = ['background', 'text', 'muted', 'accent', 'border'] as const;
export type ColorName = (typeof COLOR_NAMES)[number];

export const BUTTON_NAMES = ['reject', 'accept', 'manage'] as const;

const CORNERS = ['bottom-left', 'bottom-right', 'top-left', 'top-right'] as const;

const color = (description: string) =>
  nullable(
    Type.String({
      pattern: '^#[0-9a-fA-F]{6}$',
      description: `${description} As \`#rrggbb\`. Null: the default.`,
    }),
  );

const Palette = Type.Object(
  {
    background: color('The background of the banner.'),
    text: color('Titles and names.'),
    muted: color('The message, descriptions and switches.'),
    accent: color('Links, buttons, switches that are on, and the outline of the focus.'),
    border: color('The border of the banner and the lines between categories.'),
  },
  { title: 'BannerPalette' },
);

const Logo = Type.Object(
  {
    url: Text(URL_MAX_LENGTH, {
      description:
        'A path on the page’s own site, for example `/logo.svg`, or an address on an allowed origin. Others are refused, because the banner requests the logo before consent.',
      examples: ['/logo.svg'],
    }),
    alt: Text(200, { minLength: 0, description: 'Alternative text. Empty: decorative.' }),
    height: Type.Integer({
      minimum: 16,
      maximum: 96,
      description: 'Height in CSS pixels. It is reserved, so that the layout does not shift.',
    }),
  },
  { title: 'BannerLogo' },
);

export const Appearance = Type.Object(
  {
    layout: OneOf(['card', 'bar', 'box'], {
      description:
        'At the positions `bottom` and `top`. `card`: as wide as the page, with a margin. `bar`: from edge to edge. `box`: as narrow as in a corner.',
    }),
    theme: OneOf(['system', ...SCHEMES], { description: '`system`: that of the visitor.' }),
    colors: Type.Object({ light: Palette, dark: Palette }, { title: 'BannerColors' }),
    radius: Type.Integer({ minimum: 0, maximum: 32, description: 'Corner radius in CSS pixels.' }),
    font: OneOf(['system', 'serif', 'monospace', 'inherit'], {
      description: '`inherit`: the font of the page’s body.',
    }),
    logo: nullable(Logo),
    button_order: Type.Array(OneOf(BUTTON_NAMES), {
      minItems: BUTTON_NAMES.length,
      maxItems: BUTTON_NAMES.length,
      uniqueItems: true,
      description: 'The buttons of the first layer in their order. All have the same style.',
    }),
    reopen_button: OneOf([...CORNERS, 'off'], {
      description:
        'The corner of the button that opens the preferences. `off`: the site must have an element with `data-pavis-open` on each page, because withdrawing consent must be as easy as giving it (GDPR Art. 7(3)).',
    }),
  },
  {
    title: 'BannerAppearance',
    description:
      'Colours must meet WCAG 2.2 AA. Attributes of the banner’s tag win over these settings. Changing them never asks visitors again. Versions from before this setting do not have it.',
  },
);

export type Appearance = Static<typeof Appearance>;
export type Colors = Static<typeof Palette>;

/** Partial at every level; a logo is given as a whole. */
export const AppearanceUpdate = Type.Partial(
  Type.Object({
    ...Appearance.properties,
    colors: Type.Partial(
      Type.Object({
        light: Type.Partial(Palette, { title: 'BannerPaletteUpdate' }),
        dark: Type.Partial(Palette, { title: 'BannerPaletteUpdate' }),
      }),
      { title: 'BannerColorsUpdate' },
    ),
  }),
  { title: 'BannerAppearanceUpdate' },
);

export type AppearanceUpdate = Static<typeof AppearanceUpdate>;

const contrast = (description: string) => Type.Number({ minimum: 1, maximum: 21, description });

export const ContrastRecord = Type.Object(
  {
    scheme: OneOf(SCHEMES),
    color: OneOf(COLOR_NAMES, { description: 'The colour in front.' }),
    against: OneOf(['background', 'button'], {
      description: '`button`: the background of buttons, with 9 % of the accent.',
    }),
    foreground: Type.String(),
    ground: Type.String(),
    ratio: contrast('The measured contrast, rounded down to two decimals.'),
    needed: contrast('The contrast that WCAG 2.2 AA requires.'),
    passes: Type.Boolean(),
    nearest: nullable(
      Type.String({
        description:
          'The nearest colour in front that passes; null if the pair passes, or if no colour would.',
      }),
    ),
  },
  { title: 'BannerContrast' },
);
