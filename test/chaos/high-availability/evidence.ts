import type pg from 'pg';
import type { MailServer } from '../../support/mail-server.ts';
import type { WebhookReceiver } from '../../support/webhook-receiver.ts';
import type { Acknowledged } from './load.ts';

/** Names of what was acknowledged and is not in the database, by kind. */
export async function findLost(
  db: pg.Client,
  { consents, sites, requests }: Acknowledged,
): Promise<Record<string, string[]>> {
  const list = async (column: string, from: string) =>
    (await db.query(`select ${column} as name from ${from}`)).rows.map(({ name }) => String(name));
  const records = new Set(await list(`visitor_id || ' ' || id`, 'consent_records'));
  const active = new Set(await list('site_url', 'activations where deactivated_at is null'));
  const cases = new Set(await list('reference', 'dsar_cases'));
  return {
    'consent choices': [...consents]
      .map(([visitor, id]) => `${visitor} ${id}`)
      .filter((name) => !records.has(name)),
    activations: [...sites].filter((site) => !active.has(site)),
    'privacy requests': [...requests.keys()].filter((reference) => !cases.has(reference)),
  };
}

interface Arrivals {
  /** What should have arrived and did not. */
  missing: string[];
  /** Ids that arrived more than once. */
  repeated: string[];
}

/** The emails to the people whose request was acknowledged. */
export function compareMails({ arrived }: MailServer, { requests }: Acknowledged): Arrivals {
  const recipients = new Set(arrived.flatMap(({ to }) => to));
  return {
    missing: [...requests.values()].filter((email) => !recipients.has(email)),
    repeated: listRepeated(arrived.map(({ mail }) => String(mail.messageId))),
  };
}

/** The events of the sites whose activation was acknowledged. */
export function compareWebhooks(receiver: WebhookReceiver, { sites }: Acknowledged): Arrivals {
  const seen = new Set(
    receiver.received.map(({ event }) => event.data.activation?.site_url as string | undefined),
  );
  return {
    missing: [...sites].filter((site) => !seen.has(site)),
    repeated: listRepeated(receiver.taken),
  };
}

function listRepeated(ids: readonly string[]): string[] {
  const seen = new Set<string>();
  return ids.filter((id) => seen.has(id) || !seen.add(id));
}
