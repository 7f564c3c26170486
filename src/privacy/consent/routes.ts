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
  type SettingsInForce,
  textsIn,
} from '../settings/index.ts';
import { choiceCookie, isSuperseded } from './choice-cookie.ts';
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
import { consentRecorder } from './service.ts';
import { readTextsVersion } from './shown.ts';
import { consentStats } from './stats.ts';
import { listConsents } from './store.ts';

/** Recording of what visitors decide, and what a banner has to know: `/consent`. */
export function consentRoutes(
  api: RestApi,
  platform: Platform,
  {
    settings,
    siteUrl,
    timeZone,
    perMinute,
  }: {
    settings: SettingsInForce;
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
  const record = consentRecorder(hot, { settings, versions, timeZone, perMinute });
  const dayOf = toLocalDay(timeZone);
  const { restRoot } = api.options;
  const isSecure = () => restRoot().startsWith('https:');
  // Asked once the addresses are known, and not for each decision.
  let sharesOrigin: boolean | undefined;
  const isSameOrigin = () => {
    sharesOrigin ??= new URL(siteUrl()).origin === new URL(restRoot()).origin;
    return sharesOrigin;
  };
  const statuses = new WeakMap<CurrentSettings, PrebuiltBody>();

  function statusFor(current: CurrentSettings): PrebuiltBody {
    const status = statuses.get(current) ?? prebuildBody(statusOf(current));
    statuses.set(current, status);
    return status;
  }

  api.add({
    method: 'POST',
    path: '/consent',
    access: 'public',
    hot: true,
    otherOrigins: 'refused',
    summary: 'Record what a visitor decided',
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
            headers: { 'set-cookie': choiceCookie({ ...consent, visitorToken }, isSecure()) },
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
    summary: 'What the banner asks, and how it looks',
    answers: { 200: ConsentStatus, 304: null },
    ready() {
      const current = settings.peek();
      return current && statusFor(current);
    },
    async handle({ headers }) {
      return respondPrebuilt(statusFor(await settings.read()), headers);
    },
  });
  api.add({
    method: 'GET',
    path: '/consent/texts',
    access: 'public',
    summary: 'What the banner says, in the language that comes closest',
    args: TextsQuery,
    answers: { 200: ConsentTexts, 304: null },
    async handle({ args, headers }) {
      const current = await settings.read();
      const { config, version, hash } = await readTextsVersion(args.version, current, versions);
      const texts = textsIn(config, args.language ?? '');
      const asked = { version, hash, asked_since: current.askedSince };
      return respondPrebuilt(prebuildBody({ ...texts, ...asked }), headers);
    },
  });
  api.add({
    method: 'GET',
    path: '/consent/records',
    summary: 'What visitors decided, newest first',
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
    summary: 'What visitors decided, oldest first, whole, as CSV or JSON',
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
    summary: 'Get consent statistics: totals, by action, by category and by day',
    args: StatsQuery,
    answers: { 200: ConsentStats },
    async handle({ args }) {
      return { body: await consentStats(db, args, dayOf(clock.now())) };
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
