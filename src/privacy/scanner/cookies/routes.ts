import { Type } from 'typebox';
import type { Platform } from '../../../platform/deps.ts';
import { deletionSchema } from '../../../platform/http/schemas.ts';
import { paginationArgs, toWholeListResponse } from '../../../platform/rest/pagination.ts';
import type { RestApi } from '../../../platform/rest/rest-api.ts';
import type { SettingsCache } from '../../settings/index.ts';
import { CookieClassificationArgs, CookieClassificationRecord, toCookieRecord } from './schemas.ts';
import { classifyCookie, unclassifyCookie } from './service.ts';
import { getClassification, listClassifications } from './store.ts';

interface CookieScope {
  settings: SettingsCache;
  siteUrl: () => string;
}

/** Classifications of first-party cookies: `/scanner/cookies`. */
export function cookieRoutes(
  api: RestApi,
  platform: Platform,
  { settings, siteUrl }: CookieScope,
): void {
  const { db } = platform.datastore;

  api.add({
    method: 'GET',
    path: '/scanner/cookies',
    access: 'read_privacy',
    summary: 'List cookie classifications',
    args: Type.Object(paginationArgs()),
    answers: { 200: Type.Array(CookieClassificationRecord) },
    async handle(request) {
      const all = await listClassifications(db);
      return toWholeListResponse(request, all.map(toCookieRecord));
    },
  });
  api.add({
    method: 'POST',
    path: '/scanner/cookies',
    summary: 'Create a cookie classification',
    args: CookieClassificationArgs,
    answers: { 201: CookieClassificationRecord },
    answerHeaders: ['Location'],
    async handle({ args, user }) {
      const by = { actor: user?.login ?? '', siteUrl: siteUrl() };
      const saved = await classifyCookie(platform, await settings.read(), args, by);
      const location = api.getUrl(`/scanner/cookies/${saved.id}`);
      return { status: 201, headers: { location }, body: toCookieRecord(saved) };
    },
  });
  api.add({
    method: 'GET',
    path: '/scanner/cookies/{id}',
    access: 'read_privacy',
    summary: 'Get a cookie classification',
    answers: { 200: CookieClassificationRecord },
    async handle({ id }) {
      return { body: toCookieRecord(await getClassification(db, id)) };
    },
  });
  api.add({
    method: 'DELETE',
    path: '/scanner/cookies/{id}',
    summary: 'Delete a cookie classification',
    answers: { 200: deletionSchema(CookieClassificationRecord) },
    async handle({ id, user }) {
      const by = { actor: user?.login ?? '', siteUrl: siteUrl() };
      const previous = await unclassifyCookie(platform, id, by);
      return { body: { deleted: true, previous: toCookieRecord(previous) } };
    },
  });
}
