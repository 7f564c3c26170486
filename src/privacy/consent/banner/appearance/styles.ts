import type { Static } from 'typebox';
import {
  type Appearance,
  COLOR_NAMES,
  DEFAULT_APPEARANCE,
  getColors,
} from '../../../settings/index.ts';
import type { ShownAppearance } from './schemas.ts';

type Changes = Static<typeof ShownAppearance>;

/** The names of web/banner/banner.css. */
const PROPERTIES = {
  background: 'ground',
  text: 'ink',
  muted: 'soft',
  accent: 'accent',
  border: 'line',
} as const;

const AT_EDGE = (rest = '') => `dialog:is([data-position=bottom],[data-position=top])${rest}`;

const LAYOUTS = {
  card: '',
  // The bar is as wide as the page, its content as wide as a card.
  bar: `${AT_EDGE()}{inset-inline:0;max-width:none;border-width:1px 0;border-radius:0;padding-inline:max(1.5em,50vw + 1.5em - var(--pavis-width,68em)/2)}dialog[data-position=bottom]{bottom:0;border-bottom:0}dialog[data-position=top]{top:0;border-top:0}`,
  box: `${AT_EDGE('[open]')}{max-width:var(--pavis-width,27em);grid-template-columns:none}`,
};

const FONTS = {
  system: '',
  serif: "Georgia,'Times New Roman',serif",
  monospace: 'ui-monospace,Consolas,monospace',
  inherit: 'inherit',
};

/** What differs from the default appearance, for the banner; undefined if nothing does. */
export function toShownAppearance(appearance: Appearance | undefined): Changes | undefined {
  if (!appearance) return undefined;
  const { button_order: order, reopen_button: reopen } = appearance;
  const styles = toStyles(appearance);
  const changes: Changes = {
    ...(styles && { styles }),
    ...(order.join() !== DEFAULT_APPEARANCE.button_order.join() && { button_order: order }),
    ...(reopen !== DEFAULT_APPEARANCE.reopen_button && { reopen_button: reopen }),
  };
  return Object.keys(changes).length > 0 ? changes : undefined;
}

/** CSS for the shadow root of the banner. Custom properties of the page win. */
function toStyles({ colors, radius, font, layout, theme, logo }: Appearance): string {
  const { light, dark } = getColors({ colors });
  const chosen = COLOR_NAMES.filter((name) => colors.light[name] || colors.dark[name]);
  const declarations = chosen.map(
    (name) => `--${PROPERTIES[name]}:var(--pavis-${name},light-dark(${light[name]},${dark[name]}))`,
  );
  if (radius !== DEFAULT_APPEARANCE.radius)
    declarations.push(`--radius:var(--pavis-radius,${radius}px)`);
  if (theme !== 'system') declarations.push(`color-scheme:${theme}`);
  if (font === 'inherit') declarations.push('font-family:inherit');
  const host = declarations.length > 0 ? `:host{${declarations.join(';')}}` : '';
  const family =
    FONTS[font] && `dialog,[title],.slot{font-family:var(--pavis-font,${FONTS[font]})}`;
  return [host, family, LAYOUTS[layout], logo && toLogoStyles(logo)].join('');
}

/** The height is reserved before the picture has loaded. Without it, the text is read to screen readers nevertheless. */
const toLogoStyles = ({ url, alt, height }: NonNullable<Appearance['logo']>): string =>
  `dialog>:first-child::before{content:""/${toCssString(alt)};display:block;height:${height}px;margin-bottom:.75em;background:url(${toCssString(url)}) 0/contain no-repeat}[dir=rtl]>:first-child::before{background-position:100%}`;

/** CSS Syntax Level 3, 4.3.5. */
const toCssString = (text: string): string =>
  `"${text.replace(/["\\\n\r\f]/g, (each) => `\\${each.charCodeAt(0).toString(16)} `)}"`;
