import type { Command } from 'commander';
import {
  createToken,
  listTokenRecords,
  revokeToken,
  TOKEN_SCOPES,
  TokenCreation,
} from '../licensing/api-tokens/index.ts';
import { omitUndefined } from '../platform/omit-undefined.ts';
import { actor, command, currentConfig, print, table, withPlatform } from './cli.ts';
import { createListParser, ID_MAX, wholeNumber } from './options.ts';
import { readFields } from './read-fields.ts';

/** `pavis api-token …` */
export function apiTokenCommands(program: Command): void {
  const token = program
    .command('api-token')
    .description('manage API tokens, with which your programs issue and manage licences');

  command(token, 'create <name>', 'create an API token; it is printed once')
    .requiredOption(
      '--scopes <names>',
      `separated by commas: ${TOKEN_SCOPES.join(', ')}`,
      createListParser(TOKEN_SCOPES),
    )
    .option('--product <slug>', 'the only product that it is for')
    .option('--expires <iso>', 'until when it works; default: until it is revoked')
    .action((name: string, { json, scopes, product, expires }) =>
      withPlatform(currentConfig(), async (platform) => {
        const fields = omitUndefined({ name, scopes, product, expires_at: expires });
        const by = { actor: actor(), login: null };
        const { record, secret } = await createToken(
          platform,
          readFields(fields, TokenCreation),
          by,
        );
        print(
          json,
          { ...record, secret },
          `${secret}\n\nAPI token ${record.id} (${record.name}) created: ${record.scopes.join(', ')}, ${
            record.product ?? 'all products'
          }, until ${record.expires_at ?? 'it is revoked'}.\nThe token is shown only once. Pavis stores only its hash.`,
        );
      }),
    );

  command(token, 'list', 'list API tokens, newest first').action(({ json }) =>
    withPlatform(currentConfig(), async (platform) => {
      const tokens = await listTokenRecords(platform);
      const rows = tokens.map((each) => [
        each.id,
        each.name,
        each.token,
        each.scopes.join(', '),
        each.product ?? 'all',
        each.status,
        each.last_used_at ?? 'never',
      ]);
      const headings = ['id', 'name', 'token', 'scopes', 'product', 'status', 'last used'];
      print(json, { tokens }, table(headings, rows));
    }),
  );

  command(token, 'revoke', 'revoke an API token, effective from the next request')
    .argument('<id>', 'see "pavis api-token list"', wholeNumber(1, ID_MAX))
    .action((id: number, { json }) =>
      withPlatform(currentConfig(), async (platform) => {
        const record = await revokeToken(platform, id, actor());
        print(json, record, `API token ${record.id} (${record.name}) revoked.`);
      }),
    );
}
