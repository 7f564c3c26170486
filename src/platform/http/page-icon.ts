import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Html, html } from '../html.ts';
import { PROJECT_ROOT } from '../project-root.ts';

const SHIELD = readFileSync(join(PROJECT_ROOT, 'web/pages/shield.svg'), 'utf8').trim();
/** The colour of the line in the shield. */
const LINE = '#c2571b';

/** Allows the icon, and a logo. A policy that allows no picture blocks `/favicon.ico` as well. */
export const ICON_POLICY = 'img-src data:';

interface Look {
  /** A data URL, instead of the shield. */
  logo?: string | undefined;
  /** `#rrggbb`. */
  color?: string | undefined;
}

/** The picture of a tab, within the page. */
export function renderIcon({ logo, color }: Look = {}): Html {
  const shield = color === undefined ? SHIELD : SHIELD.replace(LINE, color);
  return html`<link rel="icon" href="${logo ?? `data:image/svg+xml,${encodeURIComponent(shield)}`}">`;
}
