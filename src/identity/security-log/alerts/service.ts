import { queueMail } from '../../../mail/index.ts';
import { lockName } from '../../../platform/db/index.ts';
import type { Platform } from '../../../platform/deps.ts';
import { HOUR_MS } from '../../../platform/durations.ts';
import { renderAlert } from './messages.ts';
import { ALERT_KINDS, type AlertKind } from './rules.ts';
import {
  findLastAlert,
  listAdministrators,
  listPending,
  listPendingKinds,
  markAlerted,
} from './store.ts';

/** Limits the emails during a long attack. */
const MIN_INTERVAL_MS = HOUR_MS;

export interface AlertSettings {
  sender: () => Promise<{ fromName: string; language: string }>;
  timeZone: string;
  /** Address of the log in the console. */
  consoleUrl: () => string;
}

/** Emails administrators about new events, once an hour for each kind. */
export async function mailAlerts(platform: Platform, settings: AlertSettings): Promise<void> {
  const pending = await listPendingKinds(platform.datastore.db);
  for (const kind of ALERT_KINDS.filter((each) => pending.includes(each)))
    await mailAlert(platform, settings, kind);
}

async function mailAlert(
  { datastore, clock }: Platform,
  { sender, timeZone, consoleUrl }: AlertSettings,
  kind: AlertKind,
): Promise<void> {
  const now = clock.now();
  const isTooSoon = (last: number | null) => last !== null && now - last < MIN_INTERVAL_MS;
  if (isTooSoon(await findLastAlert(datastore.db, kind, now))) return;
  const { fromName, language } = await sender();
  await datastore.transaction(async (trx, announce) => {
    await lockName(trx, 'security_alerts');
    if (isTooSoon(await findLastAlert(trx, kind, now))) return;
    const events = await listPending(trx, kind);
    const [latest] = events;
    if (!latest) return;
    const mail = renderAlert(kind, events, { language, timeZone, consoleUrl: consoleUrl() });
    // Without the new administrator themselves.
    const only = kind === 'administrator_added' && events.length === 1 ? latest.userId : null;
    for (const { id, email: to } of await listAdministrators(trx)) {
      if (id !== only)
        await queueMail(trx, announce, { ...mail, to, kind: 'security_alert', fromName }, now);
    }
    await markAlerted(trx, kind, latest.id, now);
  });
}
