import { Type } from 'typebox';
import { type Platform, withBulkhead } from '../../platform/deps.ts';
import { toLocalDay } from '../../platform/local-time.ts';
import { toListResponse, toOffsetAndLimit } from '../../platform/rest/pagination.ts';
import { prebuildBody, respondPrebuilt } from '../../platform/rest/prebuilt.ts';
import { JSON_TYPE, type RestApi } from '../../platform/rest/rest-api.ts';
import type { PrebuiltBody } from '../../platform/rest/route.ts';
import {
  ConsentVersions,
  type CurrentSettings,
  getTexts,
  type SettingsCache,
} from '../settings/index.ts';
import { formatChoiceCookie, isSuperseded } from './choice-cookie.ts';
import { exportConsents } from './export.ts';
import {
  ConsentAnswer,
  ConsentDecision,
  ConsentHeaders,
  ConsentRecordSchema,
  ConsentStats,
  ConsentStatus,
  ConsentTexts,
  RecordExport,
  RecordQuery,
  StatsQuery,
  TextsQuery,
  toConsentRecord,
  toRecordFilter,
} from './schemas.ts';
import { createConsentRecorder } from './service.ts';
import { readTextsVersion } from './shown.ts';
import { getConsentStats } from './stats.ts';
import { listConsents } from './store.ts';

/** Consent choices, records and statistics, and what the banner reads: `/consent`. */
export function consentRoutes(
  api: RestApi,
  platform: Platform,
  {
    settings,
    siteUrl,
    timeZone,
    perMinute,
  }: {
    settings: SettingsCache;
    siteUrl: () => string;
    timeZone: string;
    /** Consents of one public address; undefined for no limit. */
    perMinute: number | undefined;
  },
): void {
  const { datastore, clock } = platform;
  const { db } = datastore;
  const hot = withBulkhead(platform, 'hot');
  const versions = new ConsentVersions(hot);
  const record = createConsentRecorder(hot, { settings, versions, timeZone, perMinute });
  const dayOf = toLocalDay(timeZone);
  const { restRoot } = api.options;
  const isSecure = () => restRoot().startsWith('https:');
  // Computed once, after the server knows its addresses.
  let sharesOrigin: boolean | undefined;
  const isSameOrigin = () => {
    sharesOrigin ??= new URL(siteUrl()).origin === new URL(restRoot()).origin;
    return sharesOrigin;
  };
  const statuses = new WeakMap<CurrentSettings, PrebuiltBody>();

  function getPreparedStatus(current: CurrentSettings): PrebuiltBody {
    const status = statuses.get(current) ?? prebuildBody(toStatusBody(current));
    statuses.set(current, status);
    return status;
  }

  api.add({
    method: 'POST',
    path: '/consent',
    access: 'public',
    hot: true,
    otherOrigins: 'refused',
    summary: 'Record a consent choice',
    args: ConsentDecision,
    requestHeaders: ConsentHeaders,
    answers: { 200: ConsentAnswer },
    answerHeaders: ['Set-Cookie'],
    refusals: { 403: 'rest_forbidden_origin', 429: 'rate_limited' },
    async handle({ args, headers, client }) {
      const { id, consent, visitorToken } = await record(args, { client: client(), headers });
      const token = visitorToken !== undefined && { visitor_token: visitorToken };
      return {
        body: { id, message: 'Consent recorded.', ...token },
        ...(isSameOrigin() &&
          !isSuperseded(args, headers.cookie) && {
            headers: { 'set-cookie': formatChoiceCookie({ ...consent, visitorToken }, isSecure()) },
          }),
      };
    },
  });
  api.add({
    method: 'GET',
    path: '/consent/status',
    access: 'public',
    hot: true,
    otherOrigins: 'reported',
    summary: 'Get the consent status and banner settings',
    answers: { 200: ConsentStatus, 304: null },
    ready() {
      const current = settings.current();
      return current && getPreparedStatus(current);
    },
    async handle({ headers }) {
      return respondPrebuilt(getPreparedStatus(await settings.read()), headers);
    },
  });
  api.add({
    method: 'GET',
    path: '/consent/texts',
    access: 'public',
    summary: 'Get the texts of the banner in the best matching language',
    args: TextsQuery,
    answers: { 200: ConsentTexts, 304: null },
    async handle({ args, headers }) {
      const current = await settings.read();
      const { config, version, hash } = await readTextsVersion(args.version, current, versions);
      const texts = getTexts(config, args.language ?? '');
      const asked = { version, hash, asked_since: current.askedSince };
      return respondPrebuilt(prebuildBody({ ...texts, ...asked }), headers);
    },
  });
  api.add({
    method: 'GET',
    path: '/consent/records',
    summary: 'List consent records',
    args: RecordQuery,
    answers: { 200: Type.Array(ConsentRecordSchema) },
    async handle(request) {
      const { records, total } = await listConsents(
        datastore.reader,
        toRecordFilter(request.args),
        toOffsetAndLimit(request.args),
      );
      return toListResponse(request, records.map(toConsentRecord), total);
    },
  });
  api.add({
    method: 'GET',
    path: '/consent/records/export',
    summary: 'Export consent records as CSV or JSON',
    args: RecordExport,
    answers: { 200: Type.Array(ConsentRecordSchema) },
    texts: ['text/csv'],
    async handle({ args, user }) {
      const { format } = args;
      const contentType = format === 'csv' ? 'text/csv; charset=UTF-8' : JSON_TYPE;
      return {
        stream: {
          contentType,
          chunks: platform.securityLog.streamExport(
            { actor: user?.login ?? '', what: 'consent_records', details: { format } },
            (counted) => exportConsents(datastore.reader, toRecordFilter(args), format, counted),
          ),
        },
        headers: { 'content-disposition': `attachment; filename="consent-records.${format}"` },
      };
    },
  });
  api.add({
    method: 'GET',
    path: '/consent/stats',
    access: 'read_privacy',
    summary: 'Get consent statistics',
    args: StatsQuery,
    answers: { 200: ConsentStats },
    async handle({ args }) {
      return { body: await getConsentStats(db, args, dayOf(clock.now())) };
    },
  });
}

/** Exactly the fields of the contract, and `version`. */
function toStatusBody({ settings: { consent }, version }: CurrentSettings) {
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
