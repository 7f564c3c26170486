import type { ConsentSettings } from '../../../api/types.ts';

type Appearance = ConsentSettings['appearance'];
type Palette = Appearance['colors']['light'];

export interface Preset extends Pick<Appearance, 'colors' | 'radius' | 'font'> {
  name: string;
}

const toPalette = ([background, text, muted, accent, border]: string[]): Palette =>
  ({ background, text, muted, accent, border }) as Palette;

const create = (
  name: string,
  light: string[],
  dark: string[],
  radius: number,
  font: Appearance['font'] = 'system',
): Preset => ({
  name,
  colors: { light: toPalette(light), dark: toPalette(dark) },
  radius,
  font,
});

/** Of the default look, for a drawing. */
export const DEFAULT_LIGHT = {
  background: '#ffffff',
  text: '#1b2230',
  accent: '#1f4aa8',
  border: '#d8dce4',
};
const NONE: Palette = { background: null, text: null, muted: null, accent: null, border: null };

/** Looks to start from. Each passes WCAG 2.2 AA in both themes. */
export const PRESETS: readonly Preset[] = [
  { name: 'Pavis', colors: { light: NONE, dark: NONE }, radius: 14, font: 'system' },
  create(
    'Forest',
    ['#fbfdf9', '#17261d', '#44574b', '#1d6b3f', '#d3e0d6'],
    ['#14211a', '#e9f3ec', '#adc2b4', '#8ad6a5', '#31463a'],
    8,
  ),
  create(
    'Paper',
    ['#fdf8ef', '#2b2118', '#5d4f41', '#8a3d12', '#e6dac6'],
    ['#231c15', '#f5ebdd', '#c8b8a4', '#f0a878', '#4a3d30'],
    4,
    'serif',
  ),
  create(
    'Plum',
    ['#ffffff', '#2a1730', '#5c4a63', '#7a2482', '#e4d8e7'],
    ['#21162a', '#f4ebf7', '#c3b2ca', '#e3a9ec', '#46364f'],
    20,
  ),
  create(
    'Night',
    ['#12161f', '#f2f4f8', '#b4bccb', '#8fc1ff', '#384152'],
    ['#12161f', '#f2f4f8', '#b4bccb', '#8fc1ff', '#384152'],
    12,
  ),
  create(
    'Ink',
    ['#ffffff', '#000000', '#333333', '#000000', '#000000'],
    ['#000000', '#ffffff', '#d6d6d6', '#ffffff', '#ffffff'],
    0,
  ),
];
