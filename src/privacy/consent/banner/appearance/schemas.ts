import { Type } from 'typebox';
import {
  Appearance,
  AppearanceUpdate,
  COLOR_NAMES,
  ContrastRecord,
} from '../../../settings/index.ts';

const { button_order, reopen_button } = Appearance.properties;

/** What the banner needs to know of its appearance. */
export const ShownAppearance = Type.Partial(
  Type.Object({
    styles: Type.String({ description: 'CSS for the shadow root of the banner.' }),
    button_order,
    reopen_button,
  }),
  {
    title: 'ShownBannerAppearance',
    description: 'What differs from the default appearance. Absent if nothing does.',
  },
);

export const AppearanceCheck = Type.Object(
  { appearance: AppearanceUpdate },
  {
    title: 'BannerAppearanceCheck',
    examples: [{ appearance: { colors: { light: { accent: '#0a6b50' } } } }],
  },
);

const palette = Type.Object(
  Object.fromEntries(COLOR_NAMES.map((name) => [name, Type.String()])) as Record<
    (typeof COLOR_NAMES)[number],
    ReturnType<typeof Type.String>
  >,
);

export const CheckedAppearance = Type.Object(
  {
    shown: ShownAppearance,
    defaults: Type.Object(
      { light: palette, dark: palette },
      { description: 'The default colours.' },
    ),
    contrasts: Type.Array(ContrastRecord, {
      description:
        'Each pair of colours in both themes. `PUT /settings` refuses what does not pass.',
    }),
  },
  { title: 'CheckedBannerAppearance' },
);
