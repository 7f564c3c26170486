import type { Platform } from '../../../platform/deps.ts';
import { SubjectKey } from './key.ts';
import { openSubjectToken } from './rules.ts';
import { bindToken, findSharedChoice, type SharedChoiceRow } from './store.ts';

/** The choices of people who are signed in at the site, for all their devices. */
export class SharedChoices {
  readonly key: SubjectKey;
  readonly #platform: Platform;

  constructor(platform: Platform) {
    this.#platform = platform;
    this.key = new SubjectKey(platform);
  }

  /**
   * The person whom a token proves. The first visitor id that uses a token is the only one that can, so that a copy of a
   * page does not prove anything for others.
   * @returns undefined for a token that is not valid, or that another visitor has used
   */
  async identify(token: string, visitorId: string): Promise<string | undefined> {
    const { datastore, secret, clock } = this.#platform;
    const key = await this.key.find();
    const opened = key === undefined ? undefined : openSubjectToken(key, token, clock.now());
    if (!opened) return undefined;
    const visitor_hash = secret.hash('consent-subject-visitor', visitorId);
    const use = {
      token_hash: secret.hash('consent-subject-token', token),
      visitor_hash,
      expires_at: opened.expiresAt,
    };
    const user = await datastore.transaction((trx) => bindToken(trx, use));
    return user === visitor_hash ? opened.subject : undefined;
  }

  /** The latest choice of a person, unless it has expired. */
  find(subject: string): Promise<SharedChoiceRow | undefined> {
    const { datastore, clock } = this.#platform;
    return findSharedChoice(datastore.db, subject, clock.now());
  }
}
