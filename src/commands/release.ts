import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import type { Command } from 'commander';
import {
  DEFAULT_PRODUCT,
  type Product,
  readCatalogue,
  readProduct,
} from '../licensing/products/index.ts';
import {
  CHANNELS,
  listReleases,
  type NewRelease,
  publishRelease,
  type Release,
  ReleaseCreate,
  ReleaseUpdate,
  sortReleases,
  storeFile,
  toReleaseRecord,
  updateRelease,
} from '../licensing/releases/index.ts';
import type { Platform } from '../platform/deps.ts';
import { CliError } from '../platform/errors.ts';
import { omitUndefined } from '../platform/omit-undefined.ts';
import { actor, command, currentConfig, print, table, withPlatform } from './cli.ts';
import { assertChange, createListParser, wholeNumber } from './options.ts';
import { readFields } from './read-fields.ts';
import { readBytes, releaseKeyCommands, signingCommands } from './release-keys.ts';

const toChannel = (text: string) => createListParser(CHANNELS)(text)[0];
const percent = wholeNumber(0, 100);

/** `pavis release …` */
export function releaseCommands(program: Command): void {
  const release = program.command('release').description('publish updates of your products');
  const add = (usage: string, description: string) =>
    command(release, usage, description).option(
      '--product <slug>',
      'product of the release',
      DEFAULT_PRODUCT,
    );
  const withFields = (each: Command) =>
    each
      .option('--channel <name>', CHANNELS.join(' or '), toChannel)
      .option('--rollout <percent>', 'share of sites that are offered it, 0 to 100', percent)
      .option('--changelog <file>', 'text file with what changed');

  add('list', 'list the releases of a product').action(({ json, product: slug }) =>
    withPlatform(currentConfig(), async (platform) => {
      const product = await readOwner(platform, slug);
      const releases = sortReleases(await listReleases(platform.datastore.db, product.id)).map(
        (each) => toReleaseRecord(product, each),
      );
      const rows = releases.map((each) => [
        each.version,
        each.channel,
        `${each.rollout_percent} %`,
        each.security ? 'yes' : 'no',
        each.published_at,
        each.downloads,
        each.yanked_at === null ? 'offered' : 'yanked',
      ]);
      const headings = [
        ...['version', 'channel', 'roll-out', 'security', 'published', 'downloads', 'status'],
      ];
      print(json, { releases }, table(headings, rows));
    }),
  );

  withFields(add('publish <file>', 'publish a ZIP of a WordPress plugin, or another file'))
    .option('--signature <file>', 'file with the signature (default: the file name with .sig)')
    .option('--version <version>', 'semantic version of a file that is not a plugin')
    .option('--security', 'it fixes a vulnerability: all sites get it at once')
    .option('--sbom <file>', 'CycloneDX or SPDX in JSON')
    .action((file: string, options) =>
      withPlatform(currentConfig(), async (platform) => {
        const product = await readOwner(platform, options.product);
        const signature = readSignature(file, options.signature);
        const wanted = { ...toFields(options), version: options.version };
        const fields: NewRelease = readFields(
          { ...omitUndefined(wanted), signature, file_id: 1 },
          ReleaseCreate,
        );
        const store = (path: string) => storeAs(platform, product, path);
        const fileId = await store(file);
        const sbomFileId = options.sbom === undefined ? undefined : await store(options.sbom);
        const files = { fileId, sbomFileId };
        const published = await publishRelease(platform, product, files, fields, actor());
        const record = toReleaseRecord(product, published);
        print(
          options.json,
          record,
          [
            `Release ${record.version} of ${product.slug} published: channel ${record.channel}, ${record.security ? 'security release, for all sites' : `for ${record.rollout_percent} % of sites`}.`,
            `SHA-256 ${record.sha256}`,
          ].join('\n'),
        );
      }),
    );

  withFields(add('update <version>', 'change a release'))
    .option('--security', 'it fixes a vulnerability: all sites get it at once')
    .option('--no-security', 'it fixes no vulnerability')
    .action((version: string, options) => {
      const edits = readFields(assertChange(toFields(options), 'release update'), ReleaseUpdate);
      return changeRelease(version, options, edits, 'updated');
    });
  add('yank <version>', 'stop offering a release; its download links stop working')
    .option('--reason <text>', 'why, for the vendor only')
    .action((version: string, options) => {
      const edits = omitUndefined({ yanked: true, yank_reason: options.reason });
      return changeRelease(version, options, readFields(edits, ReleaseUpdate), 'yanked');
    });
  add('restore <version>', 'offer a yanked release again').action((version: string, options) =>
    changeRelease(version, options, { yanked: false }, 'restored'),
  );
  signingCommands(release);
  releaseKeyCommands(release);
}

const readOwner = async ({ datastore: { db } }: Platform, slug: string): Promise<Product> =>
  readProduct(await readCatalogue(db), slug);

const toFields = (options: Record<string, unknown>) =>
  omitUndefined({
    channel: options.channel,
    rollout_percent: options.rollout,
    security: options.security,
    changelog: options.changelog === undefined ? undefined : readText(String(options.changelog)),
  });

function storeAs(platform: Platform, { id: productId }: Product, path: string): Promise<number> {
  const file = { productId, name: basename(path), content: readBytes(path) };
  return storeFile(platform, file, currentConfig().releases);
}

function changeRelease(
  version: string,
  { product: slug, json }: { product: string; json?: boolean },
  edits: Parameters<typeof updateRelease>[2]['edits'],
  done: string,
): Promise<void> {
  return withPlatform(currentConfig(), async (platform) => {
    const product = await readOwner(platform, slug);
    const releases = await listReleases(platform.datastore.db, product.id);
    const { id } = getVersion(releases, version, slug);
    const changed = await updateRelease(platform, id, { edits }, actor());
    const record = toReleaseRecord(product, changed);
    const text = `Release ${version} of ${slug} ${done}: channel ${record.channel}, ${record.security ? 'security release' : `for ${record.rollout_percent} % of sites`}${record.yanked_at === null ? '' : ', not offered'}.`;
    print(json, record, text);
  });
}

function getVersion(releases: readonly Release[], version: string, slug: string): Release {
  const found = releases.find((each) => each.version === version);
  if (found) return found;
  throw new CliError(
    `${slug} has no release ${version}. "pavis release list --product ${slug}" lists them`,
  );
}

const readText = (path: string): string => readBytes(path).toString();

/** @throws CliError without a signature, with what creates it */
function readSignature(file: string, signatureFile = `${file}.sig`): string {
  if (!existsSync(signatureFile))
    throw new CliError(
      `there is no signature ${signatureFile}. Create it with "pavis release sign ${file} --key FILE", or name another one with --signature.`,
      2,
    );
  return readText(signatureFile).trim();
}
