import { Type } from 'typebox';
import type { Platform } from '../../../platform/deps.ts';
import { DomainError, NotFoundError } from '../../../platform/errors.ts';
import { matchesIfNoneMatch } from '../../../platform/http/entity-tags.ts';
import { toListResponse, toOffsetAndLimit } from '../../../platform/rest/pagination.ts';
import type { RestApi } from '../../../platform/rest/rest-api.ts';
import { getScan } from '../scans.ts';
import { PICTURES_KEPT } from './rules.ts';
import { toVisitRecord, VisitRecord, VisitsArgs } from './schemas.ts';
import { findPicture, listVisits } from './store.ts';

const JPEG = 'image/jpeg';

/** The visits of a scan and their pictures. */
export function visitRoutes(api: RestApi, { datastore: { db } }: Platform): void {
  api.add({
    method: 'GET',
    path: '/scanner/scans/{id}/visits',
    access: 'read_privacy',
    summary: 'List the visits of a scan',
    args: VisitsArgs,
    answers: { 200: Type.Array(VisitRecord) },
    async handle(request) {
      const { id, args } = request;
      const scan = await getScan(db, id);
      const slice = { pageUrl: args.url, ...toOffsetAndLimit(args) };
      const { visits, total } = await listVisits(db, scan.id, slice);
      return toListResponse(request, visits.map(toVisitRecord), total);
    },
  });
  api.add({
    method: 'GET',
    path: '/scanner/visits/{id}/picture',
    access: 'read_privacy',
    summary: 'Get the picture of a visit',
    answers: { 200: Type.String({ contentMediaType: JPEG, contentEncoding: 'binary' }), 304: null },
    async handle({ id, headers }) {
      const picture = await findPicture(db, id);
      if (!picture) throw new NotFoundError('The picture');
      if (!picture.bytes)
        throw new DomainError(
          'not_found',
          'not_found',
          `The picture was removed. ${PICTURES_KEPT}`,
        );
      const etag = `"${picture.sha256}"`;
      const caching = { etag, 'cache-control': 'private, no-cache' };
      if (matchesIfNoneMatch(headers['if-none-match'], etag)) {
        return { status: 304, headers: caching };
      }
      return {
        raw: { contentType: JPEG, text: picture.bytes },
        headers: { ...caching, 'content-disposition': `inline; filename="visit-${id}.jpg"` },
      };
    },
  });
}
