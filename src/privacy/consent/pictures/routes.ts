import type { Platform } from '../../../platform/deps.ts';
import { NotFoundError } from '../../../platform/errors.ts';
import { matchesIfNoneMatch } from '../../../platform/http/entity-tags.ts';
import type { RestApi } from '../../../platform/rest/rest-api.ts';
import { BannerPictures, PictureQuery, Png, toBannerPictures } from './schemas.ts';
import { type PictureScope, readVersionPictures } from './service.ts';
import { findPicture } from './store.ts';

/** The pictures of banner versions: `/consent/banner/pictures`. */
export function pictureRoutes(
  api: RestApi,
  platform: Platform,
  scope: PictureScope,
  restUrl: (path: string) => string,
): void {
  const { db } = platform.datastore;

  api.add({
    method: 'GET',
    path: '/consent/banner/pictures',
    access: 'read_settings',
    summary: 'List the pictures of a banner version',
    args: PictureQuery,
    answers: { 200: BannerPictures },
    async handle({ args: { version, language } }) {
      const current = await scope.settings.read();
      const asked = { version: version ?? current.version, language };
      return {
        body: toBannerPictures(await readVersionPictures(platform, scope, asked), restUrl),
      };
    },
  });
  api.add({
    method: 'GET',
    path: '/consent/banner/pictures/{id}',
    access: 'read_settings',
    summary: 'Get a picture of a banner version',
    answers: { 200: Png, 304: null },
    async handle({ id, headers }) {
      const picture = await findPicture(db, id);
      if (!picture) throw new NotFoundError('The picture');
      const { version, language, layer, viewport, scheme, png, sha256 } = picture;
      const name = ['banner', version, language, layer, viewport, scheme].join('-');
      const etag = `"${sha256}"`;
      const validators = { etag, 'cache-control': 'private, no-cache' };
      if (matchesIfNoneMatch(headers['if-none-match'], etag))
        return { status: 304, body: undefined, headers: validators };
      return {
        raw: { contentType: 'image/png', text: Buffer.from(png) },
        headers: { ...validators, 'content-disposition': `inline; filename="${name}.png"` },
      };
    },
  });
}
