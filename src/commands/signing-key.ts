import type { Command } from 'commander';
import { listPublicKeys, rotateSigningKey, toPublicKey } from '../licensing/signing-keys/index.ts';
import { actor, command, currentConfig, print, table, withPlatform } from './cli.ts';

/** `pavis signing-key …` */
export function signingKeyCommands(program: Command): void {
  const key = program
    .command('signing-key')
    .description('manage the keys that sign licence files and leases');

  command(key, 'list', 'list the public keys, the current one first').action(({ json }) =>
    withPlatform(currentConfig(), async (platform) => {
      const keys = (await listPublicKeys(platform)).map(toPublicKey);
      const rows = keys.map((each) => [
        each.kid,
        each.x,
        each.created_at ?? 'first key',
        each.retired_at === null ? 'current' : `retired ${each.retired_at}`,
      ]);
      print(json, { keys }, table(['id', 'public key', 'created', 'status'], rows));
    }),
  );

  command(key, 'rotate', 'replace the key that signs licence files and leases')
    .addHelpText(
      'after',
      `
The old key vouches for the new one, so plugins that contain the old key accept it. What the old key signed stays
valid. Use --revoke if a key was stolen: then it does not, and plugins need a new client file to verify signatures.`,
    )
    .option('--revoke', 'declare what older keys signed invalid')
    .action(({ json, revoke = false }) =>
      withPlatform(currentConfig(), async (platform) => {
        const { kid, previous } = await rotateSigningKey(platform, revoke, actor());
        const old = revoke ? 'revoked, as are older keys' : 'retired; what it signed stays valid';
        print(
          json,
          { key: kid, previous, revoked: revoke },
          `The signing key is now ${kid}. ${previous} is ${old}.`,
        );
      }),
    );
}
