import { Type } from 'typebox';
import { toIsoMoment } from '../../../platform/clock.ts';
import { Moment, OneOf, Text } from '../../../platform/http/schemas.ts';
import { LAYERS, SCHEMES, VIEWPORT_NAMES, VIEWPORTS } from './rules.ts';
import type { VersionPictures } from './service.ts';

const sizes = VIEWPORT_NAMES.map(
  (name) => `${name} (${VIEWPORTS[name].width} × ${VIEWPORTS[name].height})`,
);

export const PictureQuery = Type.Object({
  version: Type.Optional(
    Type.Integer({ description: 'The banner version. Default: the current one.' }),
  ),
  language: Type.Optional(
    Text(35, {
      description:
        'For example `de`: only the pictures of the texts that visitors with this language see. Default: all languages.',
    }),
  ),
});

export const BannerPictures = Type.Object(
  {
    version: Type.Integer(),
    pictures: Type.Array(
      Type.Object(
        {
          id: Type.Integer(),
          version: Type.Integer({ description: 'The banner version.' }),
          language: Type.String(),
          layer: OneOf(LAYERS, {
            description: 'The banner as it opens, or its preferences.',
          }),
          viewport: OneOf(VIEWPORT_NAMES, {
            description: `The size in CSS pixels: ${sizes.join(' or ')}.`,
          }),
          scheme: OneOf(SCHEMES, { description: 'The colour scheme of the visitor’s system.' }),
          sha256: Type.String({ description: 'SHA-256 of the PNG file.' }),
          build_hash: Type.String({
            description:
              'SHA-256 of the built files `banner.js`, `banner.details.js` and `banner.preferences.js`, one after another, with which the picture was taken.',
          }),
          taken_at: Moment('When the picture was taken.', '2026-11-21T09:30:00.000Z'),
          url: Type.String({ description: 'The PNG file. Requires the same capability.' }),
        },
        { title: 'BannerPicture' },
      ),
    ),
    missing: Type.Integer({
      description: 'The number of pictures of this version that are still to be taken.',
    }),
    browser: OneOf(['ok', 'unavailable'], {
      description: '`unavailable`: no browser could be started to take missing pictures.',
    }),
    message: Type.String({ description: 'Says whether pictures are missing, and why.' }),
  },
  { title: 'BannerPictures' },
);

export const Png = Type.String({ contentMediaType: 'image/png', description: 'The picture.' });

/** @param restUrl the URL of a route of the API */
export const toBannerPictures = (
  { pictures, ...version }: VersionPictures,
  restUrl: (path: string) => string,
) => ({
  ...version,
  pictures: pictures.map(({ id, taken_at, shown_hash, ...picture }) => ({
    ...picture,
    id,
    taken_at: toIsoMoment(taken_at),
    url: restUrl(`/consent/banner/pictures/${id}`),
  })),
});
