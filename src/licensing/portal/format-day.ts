import { formatDay as formatMomentDay } from '../../platform/clock.ts';
import { type Html, html } from '../../platform/html.ts';
import type { PortalView } from './context.ts';

/** @param moment in UTC */
export const formatDay = (
  { language, texts }: PortalView,
  moment: string,
  dateStyle: 'long' | 'medium' = 'long',
): Html | string =>
  moment.startsWith('9999-')
    ? texts.lifetime
    : html`<time datetime="${moment}">${formatMomentDay(language, moment, dateStyle)}</time>`;
