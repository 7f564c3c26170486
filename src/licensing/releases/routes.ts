import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import type { Platform } from '../../platform/deps.ts';
import type { Routes } from '../../platform/http/error-format.ts';
import { decodeBody } from '../../platform/http/json-body.ts';
import { createLimiter } from '../../platform/http/rate-limit.ts';
import { errorAnswers, licenceKeySecurity } from '../licences/index.ts';
import { VERSION_MAX_LENGTH } from './rules.ts';
import { countDownload, readParts } from './store.ts';
import {
  EddForm,
  readEddForm,
  readKey,
  readUpdateQuery,
  UpdateQuery,
  type UpdateRequest,
} from './update-request.ts';
import { toUpdateResponse, UpdateResponse } from './update-response.ts';
import { findDownload, findSbom, findUpdate } from './updates.ts';

const FORM_TYPE = 'application/x-www-form-urlencoded';
const OCTETS = 'application/octet-stream';
const TOKEN_MAX_LENGTH = 4_096;

const Product = Type.String({
  maxLength: 64,
  description: 'The slug of the product.',
  examples: ['forms-pro'],
});
const ProductPath = Type.Object({ product: Product });
const ReleasePath = Type.Object({
  product: Product,
  version: Type.String({
    maxLength: VERSION_MAX_LENGTH,
    description: 'The version of the release.',
    examples: ['2.5.0'],
  }),
});

const Bytes = { schema: Type.Unsafe<unknown>({ type: 'string', format: 'binary' }) };
const DISPOSITION = {
  'content-disposition': Type.String({ description: 'The name of the file.' }),
};
const SIGNATURE = Type.String({
  description: 'Ed25519 signature of the raw SHA-384 of the file by the vendor, in base64.',
});
const CYCLONEDX_TYPE = 'application/vnd.cyclonedx+json';
const SPDX_TYPE = 'application/spdx+json';
const Sbom = { schema: Type.Unsafe<unknown>({ type: 'object' }) };

/** Routes below `/releases/{product}`: update checks, downloads and SBOMs. */
export async function releaseRoutes(
  routes: Routes,
  platform: Platform,
  { publicUrl, perMinute }: { publicUrl: () => string; perMinute: number | undefined },
): Promise<void> {
  const { db } = platform.datastore;
  const limiter = createLimiter('releases', perMinute, platform);
  const onRequest = limiter ? [limiter.hook] : [];
  const shared = { tags: ['Releases'], security: licenceKeySecurity };

  async function answer(product: string, { installed, link, ...asking }: UpdateRequest) {
    const offer = await findUpdate(platform, product, asking);
    return toUpdateResponse(platform, publicUrl(), offer, { site: asking.site, installed, link });
  }

  routes.get(
    '/releases/:product/update',
    {
      onRequest,
      config: { quiet: true },
      schema: {
        ...shared,
        operationId: 'checkForUpdate',
        summary: 'Get the release for a site',
        description:
          'Returns the highest release that the channel, the PHP and WordPress versions, the roll-out and the licence of ' +
          'the site allow. The site must be activated. A licence that has expired gets what was published before its ' +
          'expiry, and security releases.',
        params: ProductPath,
        querystring: UpdateQuery,
        response: { 200: UpdateResponse, ...errorAnswers(400, 401, 403, 404, 429) },
      },
    },
    (request) => answer(request.params.product, readUpdateQuery(request)),
  );

  // A context of its own: the updater sends a form.
  await routes.register(async (forms: Routes) => {
    forms.removeAllContentTypeParsers();
    forms.addContentTypeParser(FORM_TYPE, { parseAs: 'buffer' }, (request, body, done) => {
      const text = decodeBody(request, body as Buffer);
      if (text instanceof Error) done(text);
      else done(null, Object.fromEntries(new URLSearchParams(text)));
    });
    const schema = {
      ...shared,
      security: [],
      operationId: 'checkForUpdateWithEdd',
      summary: 'Get the release for a site that uses the updater of Easy Digital Downloads',
      description:
        'For the class `EDD_SL_Plugin_Updater`, whose API URL is this address. It sends a form with ' +
        '`edd_action=get_version` and the licence key as `license`. The link is valid for 13 hours.',
      consumes: [FORM_TYPE],
      params: ProductPath,
      body: EddForm,
      response: { 200: UpdateResponse, ...errorAnswers(400, 401, 403, 404, 413, 415, 429) },
    };
    // The class adds a slash to its API URL.
    for (const [path, hide] of [
      ['/releases/:product/update', false],
      ['/releases/:product/update/', true],
    ] as const)
      forms.post(
        path,
        { onRequest, config: { quiet: true }, schema: { ...schema, hide } },
        (request) => answer(request.params.product, readEddForm(request)),
      );
  });

  routes.get(
    '/releases/:product/:version/download',
    {
      onRequest,
      schema: {
        ...shared,
        security: [],
        operationId: 'downloadRelease',
        summary: 'Download a release',
        description:
          'The address is the `package` of an update check. It stops working when it expires, the release is yanked, or ' +
          'the licence or the activation of the site ends. `X-Content-Signature` is the signature of the vendor.',
        params: ReleasePath,
        querystring: Type.Object({
          token: Type.String({ maxLength: TOKEN_MAX_LENGTH, description: 'From the link.' }),
        }),
        response: {
          200: {
            description: 'The file.',
            headers: { ...DISPOSITION, 'x-content-signature': SIGNATURE },
            content: { 'application/zip': Bytes, [OCTETS]: Bytes },
          },
          ...errorAnswers(400, 403, 404, 429),
        },
      },
    },
    async (request, reply) => {
      const release = await findDownload(platform, { ...request.params, ...request.query });
      reply.header('x-content-signature', release.signature);
      reply.header('content-length', release.bytes);
      const type = release.fileName.endsWith('.zip') ? 'application/zip' : OCTETS;
      prepareFile(reply, release.fileName, type);
      const isRead = request.method !== 'HEAD';
      return reply.send(Readable.from(isRead ? readCounted(release) : []));
    },
  );

  async function* readCounted({ id, fileId }: { id: number; fileId: number }) {
    yield* readParts(db, fileId);
    await countDownload(db, id).catch((err) =>
      platform.log.warn({ err }, 'a download was not counted'),
    );
  }

  routes.get(
    '/releases/:product/:version/sbom',
    {
      onRequest,
      schema: {
        ...shared,
        operationId: 'getSbom',
        summary: 'Get the software bill of materials of a release',
        description: 'CycloneDX or SPDX in JSON, for every licence of the product.',
        params: ReleasePath,
        response: {
          200: {
            description: 'The SBOM.',
            headers: DISPOSITION,
            content: { [CYCLONEDX_TYPE]: Sbom, [SPDX_TYPE]: Sbom },
          },
          ...errorAnswers(400, 401, 404, 429),
        },
      },
    },
    async (request, reply) => {
      const licenceKey = readKey(request, undefined);
      const { sbomFileId, sbomFormat, version } = await findSbom(platform, {
        ...request.params,
        licenceKey,
      });
      const type = sbomFormat === 'cyclonedx' ? CYCLONEDX_TYPE : SPDX_TYPE;
      prepareFile(reply, `${request.params.product}-${version}.${sbomFormat}.json`, type);
      return reply.send(Readable.from(readParts(db, sbomFileId)));
    },
  );
}

function prepareFile(reply: FastifyReply, name: string, type: string): void {
  // WordPress reads the name only in this form, without quotes (`download_url`).
  reply.header('content-disposition', `attachment; filename=${name}`);
  reply.type(type);
}
