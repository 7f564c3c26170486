import { formatDay as formatMomentDay } from '../../platform/clock.ts';
import { type Html, html } from '../../platform/html.ts';
import type { PortalView } from './context.ts';

/** Whether the expiry of a licence says that it has none. */
export const isLifetime = (expiresAt: string): boolean => expiresAt.startsWith('9999-');

/** @param moment in UTC */
export const formatDay = (
  { language, texts }: PortalView,
  moment: string,
  dateStyle: 'long' | 'medium' = 'long',
): Html | string =>
  isLifetime(moment)
    ? texts.noEnd
    : html`<time datetime="${moment}">${formatMomentDay(language, moment, dateStyle)}</time>`;
