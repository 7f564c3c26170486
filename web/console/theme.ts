import {
  type AlertProps,
  type BadgeProps,
  type CardProps,
  type CSSVariablesResolver,
  createTheme,
  type DataListProps,
  type MantineColorsTuple,
  type NavLinkProps,
  type TableProps,
  type TimelineProps,
} from '@mantine/core';

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

/** Has a contrast of 4.5:1 as text on white, and as a background of white text. */
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

const SERIF =
  '"Iowan Old Style", "Palatino Linotype", "URW Palladio L", P052, "Book Antiqua", Georgia, serif';

/** Prevents assistive technology from announcing the header of a dialog as the banner of the page. */
const dialogDefaults = {
  attributes: { header: { role: 'presentation' } },
  closeButtonProps: { 'aria-label': 'Close' },
};

const wrapped = { flex: 'initial', height: 'auto', whiteSpace: 'normal', '--cb-icon-size': '1em' };

/** A warm off-white background, a navy navigation, and rust for actions. */
export const theme = createTheme({
  colors: { rust, gray, dark, red },
  primaryColor: 'rust',
  primaryShade: { light: 7, dark: 6 },
  defaultRadius: 6,
  respectReducedMotion: true,
  cursorType: 'pointer',
  fontFamily: 'ui-sans-serif, system-ui, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, monospace',
  fontSizes: { xs: '0.78rem', sm: '0.875rem', md: '0.9375rem' },
  headings: {
    fontFamily: SERIF,
    fontWeight: '500',
    sizes: {
      h1: { fontSize: 'min(1.95rem, 14vw)', lineHeight: '1.2' }, // Words fit a phone with large text.
      h2: { fontSize: '1.2rem', lineHeight: '1.35' },
      h3: { fontSize: '1.02rem', lineHeight: '1.4' },
    },
  },
  // Not with `extend`, which would make each of these components part of the first page.
  components: {
    // In line with the buttons below.
    Fieldset: { defaultProps: { mx: 0 } },
    NativeSelect: { styles: { input: { textOverflow: 'ellipsis' } } },
    Modal: { defaultProps: dialogDefaults },
    Drawer: { defaultProps: dialogDefaults },
    PasswordInput: {
      defaultProps: {
        visibilityToggleButtonProps: { 'aria-label': 'Show the password', tabIndex: 0 },
      },
    },
    // Within the label, its description would also be part of its name.
    Switch: { defaultProps: { attributes: { description: { 'aria-hidden': true } } } },
    Textarea: { defaultProps: { autosize: true } },
    FileInput: {
      defaultProps: {
        placeholder: 'Choose a file',
        clearable: true,
        clearButtonProps: { 'aria-label': 'Remove the file' },
      },
    },
    Alert: { defaultProps: { variant: 'light', radius: 'md' } satisfies AlertProps },
    Badge: {
      defaultProps: {
        variant: 'light',
        radius: 'xl',
        tt: 'none',
        fw: 550,
        fz: '0.78rem',
      } satisfies BadgeProps,
    },
    // With less, the label's own box cuts off descenders.
    Button: { styles: { label: { lineHeight: 1.3 } } },
    Card: {
      defaultProps: {
        withBorder: true,
        radius: 10,
        padding: 'lg',
        bg: 'var(--card)',
      } satisfies CardProps,
    },
    // Forced colours would remove what tells the parts of a chart apart.
    ColorSwatch: { styles: { root: { forcedColorAdjust: 'none' } } },
    Progress: { styles: { section: { forcedColorAdjust: 'none' } } },
    DataList: {
      defaultProps: { size: 'md', labelWidth: 'min(9rem, 40%)' } satisfies DataListProps,
      styles: {
        itemLabel: { maxWidth: 'min(9rem, 40%)', flexShrink: 0 },
        itemValue: { minWidth: 0, overflowWrap: 'anywhere', whiteSpace: 'pre-line' },
      },
    },
    NavLink: { defaultProps: { variant: 'subtle' } satisfies NavLinkProps },
    Pill: { styles: { root: wrapped, label: wrapped, remove: wrapped } }, // To fit a phone.
    Table: {
      defaultProps: { verticalSpacing: 'sm', horizontalSpacing: 'md' } satisfies TableProps,
      styles: {
        th: { color: 'var(--soft)', fontSize: '0.78rem', verticalAlign: 'bottom' },
        td: { verticalAlign: 'top' },
      },
    },
    Timeline: {
      defaultProps: { bulletSize: 14, lineWidth: 2 } satisfies TimelineProps,
      styles: { itemTitle: { lineHeight: 1.35, marginTop: -3 } },
    },
  },
});

const WASHES = {
  light: {
    green: ['#e3f1ea', '#1d6b4f'],
    yellow: ['#fbefd3', '#7f5300'],
    red: ['#fbe6e4', '#a3262b'],
    blue: ['#e6edf8', '#2b4f8c'],
    gray: ['#efebe1', '#1b2540'],
  },
  dark: {
    green: ['#16352b', '#7fd1ab'],
    yellow: ['#3a2d10', '#efc46d'],
    red: ['#421c1e', '#f59a94'],
    blue: ['#1b2b4a', '#9dbcf2'],
    gray: ['#2a3140', '#e4e2db'],
  },
} as const;

const NAMES = { green: 'good', yellow: 'warn', red: 'bad', blue: 'info', gray: 'neutral' } as const;

/** Backgrounds and text of badges and alerts, with a contrast of at least 4.5:1. */
const getWashes = (scheme: keyof typeof WASHES): Record<string, string> =>
  Object.fromEntries(
    Object.entries(WASHES[scheme]).flatMap(([color, [background, text]]) => [
      [`--mantine-color-${color}-light`, background],
      [`--mantine-color-${color}-light-color`, text],
      [`--${NAMES[color as keyof typeof NAMES]}`, text],
      [`--${NAMES[color as keyof typeof NAMES]}-wash`, background],
    ]),
  );

/** Colours that both Mantine and console.css read, for each colour scheme. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: { '--serif': SERIF, '--rail-accent': '#e8894f' },
  light: {
    '--mantine-color-body': '#ffffff',
    '--mantine-color-text': '#1b2540',
    '--mantine-color-dimmed': '#5a6072',
    '--mantine-color-placeholder': '#6f685b',
    '--mantine-color-anchor': '#9a3f14',
    '--mantine-color-error': '#a3262b',
    '--mantine-color-default-border': '#e2dccf',
    '--paper': '#f7f4ed',
    '--card': '#ffffff',
    '--ink': '#14213d',
    '--soft': '#5a6072',
    '--line': '#e2dccf',
    '--hover': '#f5f1e8',
    '--accent': '#9a3f14',
    '--bar': '#14213d',
    '--bar-text': '#cdd3e2',
    '--bar-line': '#2a385a',
    '--chart-yes': '#2f6f5b',
    '--chart-some': '#d9a441',
    '--chart-no': '#b4501c',
    ...getWashes('light'),
  },
  dark: {
    '--mantine-color-body': '#1a202d',
    '--mantine-color-text': '#e4e2db',
    '--mantine-color-dimmed': '#a0a7b7',
    '--mantine-color-placeholder': '#969db0',
    '--mantine-color-anchor': '#f09a63',
    '--mantine-color-error': '#f59a94',
    '--mantine-color-default': '#1a202d',
    '--mantine-color-default-border': '#2d3547',
    '--mantine-color-rust-light-color': '#f09a63',
    '--paper': '#12161f',
    '--card': '#1a202d',
    '--ink': '#f0eee7',
    '--soft': '#a0a7b7',
    '--line': '#2d3547',
    '--hover': '#222939',
    '--accent': '#f09a63',
    '--bar': '#0c0f17',
    '--bar-text': '#b3bacb',
    '--bar-line': '#232a3a',
    '--chart-yes': '#58a98c',
    '--chart-some': '#e3b964',
    '--chart-no': '#e8894f',
    ...getWashes('dark'),
  },
});
