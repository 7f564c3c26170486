import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import type { Static } from 'typebox';
import { DEFAULT_PRODUCT, readCatalogue, readProduct } from '../licensing/products/index.ts';
import {
  addReleaseKey,
  createReleaseKey,
  listReleaseKeys,
  ReleaseKeyCreate,
  retireReleaseKey,
  signFile,
  toReleaseKeyRecord,
} from '../licensing/releases/index.ts';
import { CliError } from '../platform/errors.ts';
import { actor, command, currentConfig, print, table, withPlatform } from './cli.ts';
import { wholeNumber } from './options.ts';
import { readFields } from './read-fields.ts';

const KEY_FILE = 'release-key.pem';

/** `pavis release keygen` and `sign`, which need neither a server nor a database. */
export function signingCommands(release: Command): void {
  command(release, 'keygen', 'create a release key on the machine that builds your releases')
    .option('--out <file>', 'file for the private key', KEY_FILE)
    .action(({ json, out }: { json?: boolean; out: string }) => {
      const { privateKey, publicKey } = createReleaseKey();
      writeNew(out, privateKey);
      print(
        json,
        { private_key_file: out, public_key: publicKey },
        [
          `The private key is in ${out}. Keep it off the server, and keep a copy: it cannot be restored.`,
          `Public key: ${publicKey}`,
        ].join('\n'),
      );
    });

  command(release, 'sign <file>', 'sign a file; the signature is written beside it as .sig')
    .option('--key <file>', 'file with the private key', KEY_FILE)
    .action((file: string, { json, key }: { json?: boolean; key: string }) => {
      const signed = signFile(readBytes(file), readBytes(key).toString());
      if (!signed)
        throw new CliError(`${key} is not an Ed25519 private key as "release keygen" writes it`, 2);
      const signatureFile = `${file}.sig`;
      writeFileSync(signatureFile, `${signed.signature}\n`);
      const { signature, publicKey: public_key } = signed;
      print(
        json,
        { signature_file: signatureFile, signature, public_key },
        `${signature}\nWritten to ${signatureFile}.`,
      );
    });
}

/** `pavis release key …` */
export function releaseKeyCommands(release: Command): void {
  const key = release
    .command('key')
    .description('manage the release keys of a product (their public half)');
  const add = (usage: string, description: string) =>
    command(key, usage, description).option(
      '--product <slug>',
      'product of the key',
      DEFAULT_PRODUCT,
    );

  add('list', 'list the keys of a product').action(({ json, product: slug }) =>
    withPlatform(currentConfig(), async ({ datastore: { db } }) => {
      const { id } = readProduct(await readCatalogue(db), slug);
      const keys = (await listReleaseKeys(db, id)).map(toReleaseKeyRecord);
      const rows = keys.map((each) => [
        each.id,
        each.name,
        each.public_key,
        each.added_at,
        each.retired_at ?? '-',
      ]);
      print(json, { keys }, table(['id', 'name', 'public key', 'added', 'retired'], rows));
    }),
  );
  add('add <public-key>', 'add a key')
    .option('--name <name>', 'to tell keys apart', 'Release key')
    .action((publicKey: string, { json, product: slug, name }) =>
      withPlatform(currentConfig(), async (platform) => {
        const product = readProduct(await readCatalogue(platform.datastore.db), slug);
        const args = { public_key: publicKey, name };
        const wanted: Static<typeof ReleaseKeyCreate> = readFields(args, ReleaseKeyCreate);
        const fields = { publicKey: wanted.public_key, name: wanted.name };
        const added = toReleaseKeyRecord(await addReleaseKey(platform, product, fields, actor()));
        print(json, added, `Key ${added.id} of ${slug} added: ${added.name}.`);
      }),
    );
  command(key, 'retire', 'sign no new releases with a key')
    .argument('<id>', 'id of the key', wholeNumber(1, 999_999_999))
    .action((id: number, { json }) =>
      withPlatform(currentConfig(), async (platform) => {
        const retired = toReleaseKeyRecord(await retireReleaseKey(platform, id, actor()));
        print(json, retired, `Key ${retired.id} retired: ${retired.name}.`);
      }),
    );
}

/** @throws CliError for a file that cannot be read */
export function readBytes(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new CliError(`cannot read ${file}: ${(error as Error).message}`, 2);
  }
}

/** A key that was used must not be overwritten. */
function writeNew(file: string, text: string): void {
  try {
    const there = statSync(file, { throwIfNoEntry: false });
    // Left by a run that was killed or had no space on the disk. It holds no key.
    if (there?.isFile() && there.size === 0) rmSync(file);
    writeFileSync(file, text, { mode: 0o600, flag: 'wx', flush: true });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST')
      throw new CliError(`${file} exists already. Keys are not overwritten: name another file.`, 2);
    throw new CliError(`cannot write ${file}: ${message}`, 2);
  }
}
