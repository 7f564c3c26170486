import { toLabel } from '../../../components/format.ts';
import type { Appearance, ColorName } from './appearance.ts';

export const COLOR_LABELS: Record<ColorName, string> = {
  background: 'Background',
  text: 'Headings',
  muted: 'Running text',
  accent: 'Buttons and links',
  border: 'Lines',
};
const LAYOUT_LABELS: Record<Appearance['layout'], string> = {
  card: 'Card',
  bar: 'Bar',
  box: 'Box',
};
export const THEME_LABELS: Record<Appearance['theme'], string> = {
  system: 'Like the visitor’s system',
  light: 'Always light',
  dark: 'Always dark',
};
export const FONT_LABELS: Record<Appearance['font'], string> = {
  system: 'System',
  serif: 'Serif',
  monospace: 'Monospace',
  inherit: 'That of your page',
};
const BUTTON_LABELS: Record<Appearance['button_order'][number], string> = {
  reject: 'Reject',
  accept: 'Accept',
  manage: 'Preferences',
};
export const formatOrder = (order: Appearance['button_order']): string =>
  order.map((name) => BUTTON_LABELS[name]).join(', ');
export const formatCorner = (corner: Appearance['reopen_button']): string =>
  corner === 'off' ? 'None' : toLabel(corner.replace('-', ' '));

const formatColors = (colors: Appearance['colors']['light']): string =>
  (Object.keys(COLOR_LABELS) as ColorName[])
    .filter((name) => colors[name])
    .map((name) => `${COLOR_LABELS[name]}: ${colors[name]}`)
    .join('\n') || 'Default';

/** The settings of an appearance with their labels, for the history of versions. Older versions have none. */
export const listAppearance = (appearance: Appearance | undefined): [string, string][] =>
  appearance
    ? [
        ['Layout', LAYOUT_LABELS[appearance.layout]],
        ['Theme', THEME_LABELS[appearance.theme]],
        ['Light colours', formatColors(appearance.colors.light)],
        ['Dark colours', formatColors(appearance.colors.dark)],
        ['Corner radius', `${appearance.radius} px`],
        ['Font', FONT_LABELS[appearance.font]],
        ['Logo', formatLogo(appearance.logo)],
        ['Order of the buttons', formatOrder(appearance.button_order)],
        ['Reopen button in', formatCorner(appearance.reopen_button)],
      ]
    : [];

const formatLogo = (logo: Appearance['logo']): string =>
  logo
    ? [logo.url, logo.alt && `“${logo.alt}”`, `${logo.height} px`].filter(Boolean).join(', ')
    : 'None';
