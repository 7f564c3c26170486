import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Type } from 'typebox';
import type { Platform } from '../../platform/deps.ts';
import { DomainError } from '../../platform/errors.ts';
import type { Routes } from '../../platform/http/error-format.ts';
import { PROJECT_ROOT } from '../../platform/project-root.ts';
import { errorAnswers } from '../licences/index.ts';
import { findProduct } from '../products/index.ts';
import { listReleaseKeys } from '../releases/index.ts';
import { listPublicKeys } from '../signing-keys/index.ts';
import { renderClientFile } from './rules.ts';

const TEMPLATE = 'packages/php-client/licence-client.php';

const ClientFile = {
  description: 'A PHP file, as text to download.',
  content: {
    'text/plain': {
      schema: Type.String({
        examples: ["<?php\nclass Forms_Pro_Licence {\n    const PRODUCT = 'forms-pro';\n}\n"],
      }),
    },
  },
};

/**
 * `GET /licence/client/{product}.php`: the file that vendors ship with their plugin.
 * @param publicUrl of the Licence API
 */
export function clientFileRoutes(
  routes: Routes,
  platform: Platform,
  publicUrl: () => string,
): void {
  let template: string | undefined;
  routes.get(
    '/licence/client/:product.php',
    {
      schema: {
        tags: ['Licence'],
        security: [],
        operationId: 'clientFile',
        summary: 'Get the PHP licence client of a product',
        description:
          'One file without dependencies for plugins of this product, with or without WordPress. It contains the address ' +
          'of this server, the public keys of leases and those of releases that are not retired, and no secret. With a key ' +
          'of releases, WordPress offers updates and installs only what the vendor has signed.',
        params: Type.Object({
          product: Type.String({
            description: 'The slug of the product.',
            examples: ['forms-pro'],
          }),
        }),
        response: { 200: ClientFile, ...errorAnswers(404) },
      },
    },
    async ({ params }, reply) => {
      const product = findProduct(await platform.catalogue.read(), params.product);
      if (!product) {
        const message = `No product has the slug ${params.product}.`;
        throw new DomainError('not_found', 'product_not_found', message);
      }
      template ??= readFileSync(join(PROJECT_ROOT, TEMPLATE), 'utf8');
      const baseUrl = publicUrl().replace(/\/+$/, '');
      const keys = await listPublicKeys(platform);
      reply.headers({
        'content-type': 'text/plain; charset=utf-8',
        'content-disposition': `attachment; filename="${product.slug}-licence.php"`,
        'x-content-type-options': 'nosniff',
        'cache-control': 'public, max-age=60',
      });
      // A retired key may be a stolen one, and signs nothing new.
      const releaseKeys = (await listReleaseKeys(platform.datastore.db, product.id))
        .filter(({ retiredAt }) => retiredAt === null)
        .map(({ publicKey }) => publicKey);
      return renderClientFile(template, { product: product.slug, baseUrl, keys, releaseKeys });
    },
  );
}
