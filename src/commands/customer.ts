import type { Command } from 'commander';
import { issueCustomerToken } from '../licensing/customers/index.ts';
import { isoMoment } from '../platform/clock.ts';
import { command, currentConfig, print, withPlatform } from './cli.ts';

/** `pavis customer …` */
export function customerCommands(program: Command): void {
  const customer = program.command('customer').description('customers of licences');
  command(customer, 'token <email>', 'a bearer token, as signing in would give').action(
    (email: string, { json }) =>
      withPlatform(currentConfig(), async (platform) => {
        const { token, expiresAt } = await issueCustomerToken(platform, email);
        const expires_at = isoMoment(expiresAt);
        print(json, { token, expires_at }, `${token}\nGood until ${expires_at}.`);
      }),
  );
}
