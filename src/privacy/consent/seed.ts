import { randomUUID } from 'node:crypto';
import type { Platform } from '../../platform/deps.ts';
import { DAY_MS } from '../../platform/durations.ts';
import { toLocalDay } from '../../platform/local-time.ts';
import type { CurrentSettings } from '../settings/index.ts';
import { insertConsents, type NewConsent } from './recording/store.ts';
import { type ConsentAction, completeChoice, NO_VENDORS } from './rules.ts';

const BATCH = 5_000;
/** Percentages. The choices of the other visitors are customised. */
const ACCEPT_ALL = 52;
const REJECT_ALL = 33;
const LANGUAGES = ['en', 'de', 'fr', 'nl', 'es'];

export interface Seeding {
  count: number;
  /** Number of days up to now over which the records are spread. */
  days: number;
  timeZone: string;
  settings: CurrentSettings;
}

/** Generates sample consent records for load tests, oldest first. */
export async function seedConsents(
  platform: Platform,
  { count, days, timeZone, settings }: Seeding,
  onProgress: (done: number) => void,
): Promise<void> {
  const toDay = toLocalDay(timeZone);
  const now = platform.clock.now();
  const getMoment = (at: number) => Math.round(now - days * DAY_MS * (1 - (at + 1) / count));
  for (let done = 0; done < count; done += BATCH) {
    const size = Math.min(BATCH, count - done);
    const batch = Array.from({ length: size }, (_, at) =>
      createSample(getMoment(done + at), toDay, settings),
    );
    await platform.datastore.transaction((trx) => insertConsents(trx, batch));
    onProgress(done + size);
  }
}

function createSample(
  createdAt: number,
  toDay: (milliseconds: number) => string,
  { settings: { consent }, version }: CurrentSettings,
): NewConsent {
  const die = Math.random() * 100;
  const action: ConsentAction =
    die < ACCEPT_ALL ? 'accept_all' : die < ACCEPT_ALL + REJECT_ALL ? 'reject_all' : 'manage';
  const optional = consent.categories.filter(({ required }) => !required).map(({ id }) => id);
  const accepted = optional.filter(() => Math.random() < 0.4);
  const customised = {
    categories_accepted: accepted,
    categories_rejected: optional.filter((id) => !accepted.includes(id)),
  };
  return {
    visitor_id: randomUUID(),
    ...completeChoice(action, action === 'manage' ? customised : {}, consent.categories),
    ...NO_VENDORS,
    consent_action: action,
    day: toDay(createdAt),
    created_at: createdAt,
    config_version: version,
    expires_at: createdAt + consent.expiry_days * DAY_MS,
    source: 'seed',
    language: LANGUAGES[Math.floor(Math.random() * LANGUAGES.length)] ?? null,
    page_url: null,
    gpc: Math.random() < 0.05 ? 1 : 0,
  };
}
