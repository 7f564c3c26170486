import { createTheme, type MantineColorsTuple } from '@mantine/core';

const rust: MantineColorsTuple = [
  '#fdf3ec',
  '#f9e0d0',
  '#f2bf9f',
  '#eb9c6a',
  '#e8894f',
  '#d9692a',
  '#b4501c',
  '#9a3f14',
  '#7d3312',
  '#5f270f',
];
const gray: MantineColorsTuple = [
  '#faf8f3',
  '#f3f0e8',
  '#e9e4d8',
  '#dcd6c8',
  '#c9c2b1',
  '#a39b8a',
  '#6f685b',
  '#504b43',
  '#383530',
  '#252320',
];
const dark: MantineColorsTuple = [
  '#e9e7e0',
  '#c6c9d2',
  '#a0a7b7',
  '#6d768a',
  '#414a60',
  '#2f374a',
  '#222939',
  '#141925',
  '#0f131c',
  '#0a0d14',
];

/** White is read on what is pressed, and these are read on white. */
const red: MantineColorsTuple = [
  '#fdf1f0',
  '#fbe6e4',
  '#f8c9c5',
  '#f59a94',
  '#e8736d',
  '#d0474a',
  '#b93338',
  '#a3262b',
  '#8a1d23',
  '#6e161b',
];
/** Else the head of a dialog is taken for that of the page. */
const headless = { defaultProps: { attributes: { header: { role: 'presentation' } } } };

/** Ink and paper, and rust for what can be pressed. */
export const theme = createTheme({
  colors: { rust, gray, dark, red },
  primaryColor: 'rust',
  primaryShade: { light: 7, dark: 6 },
  defaultRadius: 6,
  respectReducedMotion: true,
  cursorType: 'pointer',
  components: {
    // Their arrows are too small to be hit; the keys do the same.
    NumberInput: { defaultProps: { hideControls: true } },
    Modal: headless,
    Drawer: headless,
  },
  fontFamily: 'ui-sans-serif, system-ui, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, monospace',
});
