import { Type } from 'typebox';
import { type Platform, withBulkhead } from '../../platform/deps.ts';
import { ProxyWatch } from '../../platform/http/untrusted-proxy.ts';
import { toLocalDay } from '../../platform/local-time.ts';
import { toListResponse, toOffsetAndLimit } from '../../platform/rest/pagination.ts';
import { toExportResponse } from '../../platform/rest/response.ts';
import type { RestApi } from '../../platform/rest/rest-api.ts';
import { ConsentVersions, type SettingsCache } from '../settings/index.ts';
import { bannerRoutes } from './banner/routes.ts';
import { formatChoiceCookie, isSuperseded } from './choice-cookie.ts';
import { exportConsents } from './export.ts';
import { ConsentLimits } from './limits.ts';
import { readPictureLinks } from './pictures/links.ts';
import { pictureRoutes } from './pictures/routes.ts';
import {
  ConsentAnswer,
  ConsentDecision,
  ConsentHeaders,
  ConsentRecordSchema,
  ConsentStats,
  RecordExport,
  RecordQuery,
  StatsQuery,
  toConsentRecord,
} from './schemas.ts';
import { createConsentRecorder } from './service.ts';
import { sharedChoiceRoutes } from './shared-choices/routes.ts';
import { SharedChoices } from './shared-choices/service.ts';
import { getConsentStats } from './stats.ts';
import { listConsents } from './store.ts';

/** Consent choices, records and statistics, and the banner: `/consent`. */
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
  const proxies = new ProxyWatch(hot);
  const limits = new ConsentLimits(hot, { proxies, perMinute, requests: 'choices' });
  const shared = new SharedChoices(hot);
  const record = createConsentRecorder(hot, { settings, versions, timeZone, limits, shared });
  const toDay = toLocalDay(timeZone);
  const { restRoot } = api.options;
  const restUrl = (path: string) => api.getUrl(path);
  const isSecure = () => restRoot().startsWith('https:');
  // Computed once, after the server knows its addresses.
  let sharesOrigin: boolean | undefined;
  const isSameOrigin = () => {
    sharesOrigin ??= new URL(siteUrl()).origin === new URL(restRoot()).origin;
    return sharesOrigin;
  };

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
    async handle({ args, headers, client, country }) {
      const sender = { client: client(), headers, country };
      const { id, consent, visitorToken } = await record(args, sender);
      const token = visitorToken !== undefined && { visitor_token: visitorToken };
      return {
        body: { id, message: 'Consent recorded.', ...token },
        ...(isSameOrigin() &&
          !isSuperseded(args, headers.cookie) && {
            headers: {
              'set-cookie': formatChoiceCookie({ ...consent, visitorToken }, args, isSecure()),
            },
          }),
      };
    },
  });
  // Questions must not use up the limit for choices.
  const requests = 'requests for the latest choice';
  const questions = new ConsentLimits(hot, { proxies, perMinute, requests });
  sharedChoiceRoutes(api, platform, { settings, shared, limits: questions });
  bannerRoutes(api, { settings, versions });
  pictureRoutes(api, platform, { settings, versions }, restUrl);
  api.add({
    method: 'GET',
    path: '/consent/records',
    summary: 'List consent records',
    args: RecordQuery,
    answers: { 200: Type.Array(ConsentRecordSchema) },
    async handle(request) {
      const { args } = request;
      const { rows, total } = await listConsents(datastore.reader, args, toOffsetAndLimit(args));
      const linkPictures = await readPictureLinks(datastore.reader, rows, restUrl);
      const records = rows.map((row) => toConsentRecord(row, linkPictures));
      return toListResponse(request, records, total);
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
      const chunks = platform.securityLog.streamExport(
        { actor: user?.login ?? '', what: 'consent_records', details: { format } },
        (counted) => exportConsents(datastore.reader, args, format, { restUrl, counted }),
      );
      return toExportResponse('consent-records', format, chunks);
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
      const { consent } = (await settings.read()).settings;
      const on = { today: toDay(clock.now()), shown: consent.categories };
      return { body: await getConsentStats(db, args, on) };
    },
  });
}
