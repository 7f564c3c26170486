import { Type } from 'typebox';
import type { Platform } from '../../platform/deps.ts';
import { listAnswer, sliceOf } from '../../platform/rest/pagination.ts';
import type { RestApi } from '../../platform/rest/rest-api.ts';
import { revalidated } from '../../platform/rest/revalidated.ts';
import { type CurrentSettings, cachedSettings } from '../settings/index.ts';
import { dayIn } from './rules.ts';
import {
  ConsentAnswer,
  ConsentDecision,
  ConsentRecordSchema,
  ConsentStats,
  ConsentStatus,
  RecordQuery,
  toConsentRecord,
} from './schemas.ts';
import { consentRecorder } from './service.ts';
import { consentStats } from './stats.ts';
import { countConsents, listConsents, type RecordFilter } from './store.ts';

/** Recording of what visitors decide, and what a banner has to know: `/consent`. */
export function consentRoutes(
  api: RestApi,
  platform: Platform,
  { siteUrl, timeZone }: { siteUrl: () => string; timeZone: string },
): void {
  const { datastore, clock } = platform;
  const { db } = datastore;
  const settings = cachedSettings(platform, siteUrl);
  const record = consentRecorder(platform, settings, timeZone);
  const dayOf = dayIn(timeZone);

  api.add({
    method: 'POST',
    path: '/consent',
    access: 'public',
    summary: 'Record what a visitor decided',
    args: ConsentDecision,
    answers: { 200: ConsentAnswer },
    refusals: { 429: 'rate_limited' },
    async handle({ args }) {
      return { body: { id: await record(args), message: 'Consent recorded.' } };
    },
  });
  api.add({
    method: 'GET',
    path: '/consent/status',
    access: 'public',
    summary: 'What the banner asks, and how it looks',
    answers: { 200: ConsentStatus, 304: null },
    async handle({ headers }) {
      return revalidated(statusOf(await settings()), headers);
    },
  });
  api.add({
    method: 'GET',
    path: '/consent/records',
    summary: 'What visitors decided, newest first',
    args: RecordQuery,
    answers: { 200: Type.Array(ConsentRecordSchema) },
    async handle(request) {
      const { consent_action, date_from, date_to, search } = request.args;
      const filter: RecordFilter = {
        ...(consent_action && { action: consent_action }),
        ...(date_from && { dayFrom: date_from }),
        ...(date_to && { dayTo: date_to }),
        ...(search && { visitor: search }),
      };
      const records = await listConsents(db, filter, sliceOf(request.args));
      return listAnswer(request, records.map(toConsentRecord), await countConsents(db, filter));
    },
  });
  api.add({
    method: 'GET',
    path: '/consent/stats',
    summary: 'Totals, by action, by category and by day',
    answers: { 200: ConsentStats },
    async handle() {
      return { body: await consentStats(db, dayOf, clock.now()) };
    },
  });
}

/** The documented fields and `version`, and no others. */
function statusOf({ settings: { consent }, version }: CurrentSettings) {
  const { position, title, message, accept_text, reject_text, expiry_days, privacy_url } = consent;
  return {
    enabled: consent.enabled,
    categories: Object.fromEntries(
      consent.categories.map(({ id, label, required }) => [id, { id, label, required }]),
    ),
    settings: { position, title, message, accept_text, reject_text, expiry_days, privacy_url },
    version,
  };
}
