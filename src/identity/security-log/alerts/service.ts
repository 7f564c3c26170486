import { queueMail } from '../../../mail/index.ts';
import { lockName } from '../../../platform/db/index.ts';
import type { Platform } from '../../../platform/deps.ts';
import { renderAlert } from './messages.ts';
import { ALERT_KINDS, type AlertKind } from './rules.ts';
import {
  findLastAlert,
  listAdministrators,
  listUnalerted,
  listWaitingKinds,
  markAlerted,
} from './store.ts';

/** An attack goes on for long: each administrator gets one email of a kind in that time. */
const AT_MOST_EVERY_MS = 3_600_000;

export interface AlertSettings {
  sender: () => Promise<{ fromName: string; language: string }>;
  timeZone: string;
  /** Where the console shows the log. */
  consoleUrl: () => string;
}

/** Mails administrators the events of each kind since the last such email, once that is an hour old. */
export async function mailAlerts(platform: Platform, settings: AlertSettings): Promise<void> {
  const waiting = await listWaitingKinds(platform.datastore.db);
  for (const kind of ALERT_KINDS.filter((each) => waiting.includes(each)))
    await mailAlert(platform, settings, kind);
}

async function mailAlert(
  { datastore, clock }: Platform,
  { sender, timeZone, consoleUrl }: AlertSettings,
  kind: AlertKind,
): Promise<void> {
  const now = clock.now();
  const isTooSoon = (last: number | null) => last !== null && now - last < AT_MOST_EVERY_MS;
  if (isTooSoon(await findLastAlert(datastore.db, kind))) return;
  const { fromName, language } = await sender();
  await datastore.transaction(async (trx, announce) => {
    await lockName(trx, 'security_alerts');
    if (isTooSoon(await findLastAlert(trx, kind))) return;
    const events = await listUnalerted(trx, kind);
    const [latest] = events;
    if (!latest) return;
    const mail = renderAlert(kind, events, { language, timeZone, consoleUrl: consoleUrl() });
    // The new administrator knows already; the others get the alert.
    const only = kind === 'administrator_added' && events.length === 1 ? latest.userId : null;
    for (const { id, email: to } of await listAdministrators(trx)) {
      if (id !== only)
        await queueMail(trx, announce, { ...mail, to, kind: 'security_alert', fromName }, now);
    }
    await markAlerted(trx, kind, latest.id, now);
  });
}
