import { randomBytes } from 'node:crypto';
import { appendSecurityEvent } from '../../../identity/security-log/index.ts';
import { findFact, insertFact, recordFact } from '../../../platform/db/index.ts';
import type { Platform } from '../../../platform/deps.ts';
import { deleteSharedChoices } from './store.ts';

/** The fact with the encrypted key, which all nodes share. */
const FACT = 'consent_subject_key';
const PURPOSE = 'consent-subject-key';
/** The topic on which a new key is published to other nodes. */
const KEY_CHANGED = 'consent_subject_key';

const createKey = () => randomBytes(32).toString('base64url');

/** The key with which the server of the site signs tokens. */
export class SubjectKey {
  readonly #platform: Platform;
  #reading: Promise<string | undefined> | undefined;

  constructor(platform: Platform) {
    this.#platform = platform;
    platform.datastore.onChange(KEY_CHANGED, () => {
      this.#reading = undefined;
    });
  }

  /** Cached; undefined until the key is first shown. */
  find(): Promise<string | undefined> {
    if (this.#reading) return this.#reading;
    const reading = this.#read();
    this.#reading = reading;
    reading.catch(() => {
      if (this.#reading === reading) this.#reading = undefined;
    });
    return reading;
  }

  async #read(): Promise<string | undefined> {
    const { datastore, secret } = this.#platform;
    const sealed = await findFact(datastore.db, FACT);
    return sealed === undefined ? undefined : secret.unseal(PURPOSE, sealed);
  }

  /** Shows the key, and creates it the first time. The security log records it. @param actor a login */
  async show(actor: string): Promise<string> {
    const { datastore, secret, clock } = this.#platform;
    const sealed = await datastore.transaction(async (trx, announce) => {
      const isNew = await insertFact(trx, FACT, secret.seal(PURPOSE, createKey()));
      if (isNew) announce(KEY_CHANGED, '');
      await appendSecurityEvent(trx, { event: 'subject_key_shown', actor }, clock.now());
      return (await findFact(trx, FACT)) as string;
    });
    return secret.unseal(PURPOSE, sealed);
  }

  /** Replaces the key. Tokens and shared choices of the old one no longer count. @param actor a login */
  async rotate(actor: string): Promise<string> {
    const { datastore, secret, clock } = this.#platform;
    const key = createKey();
    await datastore.transaction(async (trx, announce) => {
      await recordFact(trx, FACT, secret.seal(PURPOSE, key));
      await deleteSharedChoices(trx);
      await appendSecurityEvent(trx, { event: 'subject_key_rotated', actor }, clock.now());
      announce(KEY_CHANGED, '');
    });
    return key;
  }
}
