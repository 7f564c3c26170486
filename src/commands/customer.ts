import type { Command } from 'commander';
import { deleteCustomer } from '../licensing/admin/index.ts';
import { issueCustomerToken } from '../licensing/customers/index.ts';
import { toIsoMoment } from '../platform/clock.ts';
import { recordErasure } from '../privacy/dsar/index.ts';
import { actor, command, currentConfig, print, withPlatform } from './cli.ts';

/** `pavis customer …` */
export function customerCommands(program: Command): void {
  const customer = program.command('customer').description('manage customers');
  command(customer, 'token <email>', 'create a bearer token, as signing in does').action(
    (email: string, { json }) =>
      withPlatform(currentConfig(), async (platform) => {
        const { token, expiresAt } = await issueCustomerToken(platform, email);
        const expires_at = toIsoMoment(expiresAt);
        print(json, { token, expires_at }, `${token}\nExpires ${expires_at}.`);
      }),
  );
  command(customer, 'delete <email>', 'delete a customer without active licences').action(
    (email: string, { json }) =>
      withPlatform(currentConfig(), async (platform) => {
        const listed = { platform, site: currentConfig() };
        const records = await deleteCustomer(platform, email, actor(), (address, sources) =>
          recordErasure(listed, address, sources),
        );
        const lines = records.flatMap(({ label, erased, anonymised, kept }) => [
          ...(erased > 0 ? [`${label}: ${erased} deleted`] : []),
          ...(anonymised > 0 ? [`${label}: ${anonymised} anonymised`] : []),
          ...kept.map(({ count, reason }) => `${label}: ${count} kept (${reason})`),
        ]);
        print(json, { email, records }, [`Customer ${email} deleted.`, ...lines].join('\n'));
      }),
  );
}
