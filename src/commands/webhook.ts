import type { Command } from 'commander';
import { CliError } from '../platform/errors.ts';
import { omitUndefined } from '../platform/omit-undefined.ts';
import {
  createEndpoint,
  EndpointCreation,
  EVENT_TYPES,
  listEndpoints,
  replayDelivery,
  replayFailed,
  toDeliveryRecord,
  toEndpointRecord,
} from '../webhooks/index.ts';
import { actor, command, currentConfig, print, table, withPlatform } from './cli.ts';
import { createListParser, ID_MAX, moment, wholeNumber } from './options.ts';
import { readFields } from './read-fields.ts';

/** `pavis webhook …` */
export function webhookCommands(program: Command): void {
  const webhook = program.command('webhook').description('manage webhooks, which receive events');

  command(webhook, 'list', 'list webhooks').action(({ json }) =>
    withPlatform(currentConfig(), async ({ datastore: { db } }) => {
      const { endpoints } = await listEndpoints(db, { offset: 0, limit: 1_000 });
      const webhooks = endpoints.map(toEndpointRecord);
      const rows = webhooks.map((each) => [
        each.id,
        each.url,
        each.is_active ? (each.failing_since ? 'failing' : 'active') : 'inactive',
        each.event_types.join(', '),
      ]);
      print(json, { webhooks }, table(['id', 'url', 'status', 'events'], rows));
    }),
  );

  command(webhook, 'create <url>', 'create a webhook; its secret is printed once')
    .requiredOption(
      '--events <types>',
      'event types, separated by commas',
      createListParser(EVENT_TYPES),
    )
    .option('--description <text>', 'for your own use')
    .action((url: string, { json, events, description }) => {
      const config = currentConfig();
      return withPlatform(config, async (platform) => {
        const fields = omitUndefined({ url, event_types: events, description });
        const { endpoint, secret } = await createEndpoint(
          platform,
          readFields(fields, EndpointCreation),
          { allowsPrivate: config.privateWebhooks, actor: actor() },
        );
        print(
          json,
          { ...toEndpointRecord(endpoint), secret },
          `Webhook ${endpoint.id} created. Its secret, shown only now: ${secret}`,
        );
      });
    });

  command(webhook, 'replay [delivery]', 'send an event again, under the same id')
    .option('--webhook <id>', 'all failed deliveries of this webhook instead', toId)
    .option('--since <moment>', 'with --webhook: only events from this moment on', moment)
    .action((delivery: string | undefined, { json, webhook: endpointId, since }) => {
      if ((delivery === undefined) === (endpointId === undefined))
        throw new CliError('name a delivery, or a webhook with --webhook', 2);
      if (since !== undefined && endpointId === undefined)
        throw new CliError('--since needs --webhook', 2);
      const id = delivery === undefined ? 0 : readId(delivery);
      return withPlatform(currentConfig(), async (platform) => {
        if (endpointId !== undefined) {
          const queued = await replayFailed(platform, { endpointId, since: since ?? 0 }, actor());
          print(json, { queued }, describeQueued(queued));
          return;
        }
        const record = toDeliveryRecord(await replayDelivery(platform, id, actor()));
        print(json, record, `Delivery ${record.id} is queued. A running server sends it.`);
      });
    });
}

function describeQueued(queued: number): string {
  if (queued === 0) return 'No delivery has failed or is to be retried.';
  if (queued === 1) return '1 delivery is queued. A running server sends it.';
  return `${queued} deliveries are queued. A running server sends them.`;
}

const toId = wholeNumber(1, ID_MAX);

function readId(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new CliError(`"${text}" is not the id of a delivery. The console lists deliveries.`, 2);
}
