import { lockName, type Trx } from '../../platform/db/index.ts';
import type { Platform } from '../../platform/deps.ts';
import { Worker } from '../../platform/jobs/worker.ts';
import { type AlertKind, BURST_WINDOW_MS, findAlertKind, isBurst } from './alerts/rules.ts';
import { type AlertSettings, mailAlerts } from './alerts/service.ts';
import {
  countFailures,
  hasBurstSince,
  hasSignedInBefore,
  listAdministrators,
  listUnprocessed,
  markProcessed,
  type NewEvent,
} from './alerts/store.ts';
import { appendSecurityEvent, SECURITY_EVENTS_WRITTEN } from './recorder.ts';
import { toSecurityEventRecord } from './schemas.ts';

const AT_ONCE = 200;

/** Passes events to hooks, metrics and administrators, on one of the nodes. */
export function securityEventWorker(platform: Platform, settings: AlertSettings): Worker {
  const worker = new Worker({
    name: 'security log',
    log: platform.log,
    work: () => processSecurityEvents(platform, settings),
  });
  platform.datastore.onChange(SECURITY_EVENTS_WRITTEN, () => worker.wake());
  return worker;
}

/**
 * Passes new events, also those of the command line, to hooks and metrics once, and sends alerts.
 * @returns whether there may be more
 */
export async function processSecurityEvents(
  platform: Platform,
  settings: AlertSettings,
): Promise<boolean> {
  const { datastore, hooks, securityLog, clock } = platform;
  const hasNew = (await listUnprocessed(datastore.db, 1)).length > 0;
  const events = hasNew
    ? await datastore.transaction(async (trx) => {
        await lockName(trx, 'security_events');
        const some = await listUnprocessed(trx, AT_ONCE);
        for (const event of some) await markProcessed(trx, event, await findAlert(trx, event));
        await recordBurst(trx, some, clock.now());
        return some;
      })
    : [];
  for (const event of events) {
    securityLog.counters.add(event, event.added);
    hooks.announce('svc_security_event', () => [
      { ...toSecurityEventRecord(event), count: event.added },
    ]);
  }
  await mailAlerts(platform, settings);
  return events.length > 0;
}

async function findAlert(trx: Trx, event: NewEvent): Promise<AlertKind | null> {
  const alert = findAlertKind(event);
  if (event.event !== 'sign_in' || alert) return alert;
  if (event.details.known_device === true) return null;
  // Every first sign-in is with a new device.
  if (!(await hasSignedInBefore(trx, event))) return null;
  const administrators = await listAdministrators(trx);
  return administrators.some(({ id }) => id === event.userId) ? 'administrator_sign_in' : null;
}

/** Records many failures across many accounts as one event, once in ten minutes. */
async function recordBurst(trx: Trx, events: readonly NewEvent[], now: number): Promise<void> {
  if (!events.some(({ event }) => event === 'sign_in_failed')) return;
  const since = now - BURST_WINDOW_MS;
  const found = await countFailures(trx, since);
  if (!isBurst(found) || (await hasBurstSince(trx, since))) return;
  const { failures, accounts, unknown } = found;
  const details = { failures, accounts, unknown_logins: unknown };
  await appendSecurityEvent(trx, { event: 'sign_in_burst', address: null, details }, now);
}
