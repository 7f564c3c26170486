import type { Platform } from '../../platform/deps.ts';
import { InvalidFieldError } from '../../platform/errors.ts';
import { toLocalDay } from '../../platform/local-time.ts';
import type { RestApi } from '../../platform/rest/rest-api.ts';
import { getRegimeFor } from './choice.ts';
import type { RegimeSettings } from './model.ts';
import { FIRST_DAY } from './rules.ts';
import { Regimes, RegimesQuery, toRegimes, toVisitorRegime, VisitorRegime } from './schemas.ts';

/** The rules by country: `/consent/regimes` and `/consent/regime`. */
export function regimeRoutes(
  api: RestApi,
  { clock }: Platform,
  {
    timeZone,
    readRegimeSettings,
  }: { timeZone: string; readRegimeSettings: () => Promise<RegimeSettings> },
): void {
  const toDay = toLocalDay(timeZone);

  api.add({
    method: 'GET',
    path: '/consent/regimes',
    access: 'read_settings',
    summary: 'List the rules of each regime on a day, with their sources and countries',
    args: RegimesQuery,
    answers: { 200: Regimes },
    async handle({ args: { date = toDay(clock.now()) } }) {
      if (date < FIRST_DAY)
        throw new InvalidFieldError('date', `date must be ${FIRST_DAY} or later.`);
      return { body: toRegimes(date) };
    },
  });
  api.add({
    method: 'GET',
    path: '/consent/regime',
    access: 'public',
    otherOrigins: 'reported',
    summary: 'Get the rules that apply to the visitor, by their country and the settings',
    answers: { 200: VisitorRegime },
    async handle({ country }) {
      const day = toDay(clock.now());
      return {
        body: toVisitorRegime(getRegimeFor(country(), await readRegimeSettings(), day), day),
        // Depends on the country, so no cache may keep it: neither a shared one nor that of a device that travels.
        headers: { 'cache-control': 'private, no-store' },
      };
    },
  });
}
