import { type Static, type TSchema, Type } from 'typebox';
import { licenceClient, PavisError, PavisUnreachable } from '../../../packages/client/index.ts';
import { toStatus, type Verdict } from './rules.ts';
import type { SiteLicence } from './store.ts';

const TIMEOUT_MS = 5_000;
const UNKNOWN_KEY = ['licence_not_found', 'unauthorised'];
/** The errors of a licence server about a key. Any other error is not the answer of a licence server. */
const KEY_ERRORS = new Set([
  'activation_limit_reached',
  'licence_expired',
  'licence_suspended',
  'licence_revoked',
  ...UNKNOWN_KEY,
]);

const Validation = Type.Object({
  valid: Type.Boolean(),
  tier: Type.String(),
  sites_allowed: Type.Integer(),
  sites_used: Type.Integer(),
  expires_at: Type.String(),
  message: Type.String(),
  site_active: Type.Boolean(),
  paid_until: Type.Optional(Type.String()),
  // Licence servers of earlier versions return it with an activation only.
  features: Type.Optional(Type.Array(Type.String())),
});
type Validation = Static<typeof Validation>;
const Activation = Type.Object({ features: Type.Array(Type.String()) });
const Deactivation = Type.Object({ success: Type.Boolean() });

export type Consultation =
  | { outcome: 'known'; verdict: Verdict; isActivated: boolean }
  | { outcome: 'unknown key'; message: string };

/** The licence server for one site and key. Its methods reject if the server does not answer about the key. */
export class LicenceServer {
  readonly #client: ReturnType<typeof licenceClient>;
  readonly #options: { key: string; siteUrl: string; retry: boolean; signal: AbortSignal };

  /** @param options.retry whether each call is tried twice */
  constructor(
    baseUrl: string,
    options: { key: string; siteUrl: string; retry: boolean; signal: AbortSignal },
  ) {
    this.#client = licenceClient({ baseUrl, licenceKey: options.key });
    this.#options = options;
  }

  /**
   * Validates the licence for the site. A site that was never activated is activated first. One that was is not
   * activated again, because the customer may have deactivated it.
   */
  async consult(known?: Pick<SiteLicence, 'is_activated' | 'verdict'>): Promise<Consultation> {
    const isActivated = known?.is_activated === 1;
    try {
      const before = isActivated ? await this.#validate() : undefined;
      const former = before?.tier === known?.verdict?.tier ? known?.verdict?.features : undefined;
      const features = before?.features ?? former;
      if (before?.valid && (features || !before.site_active))
        return toConsultation(before, features ?? [], isActivated);

      // Only the activation returns the reason why a licence is invalid.
      const activation = await this.#activate();
      const after = await this.#validate();
      return activation instanceof PavisError
        ? toConsultation(after, features ?? [], isActivated, activation)
        : toConsultation(after, activation.features, true);
    } catch (error) {
      if (!(error instanceof PavisError && UNKNOWN_KEY.includes(error.code))) throw error;
      return { outcome: 'unknown key', message: error.message };
    }
  }

  /** Deactivates the site; succeeds as well if it is not active. */
  async deactivate(): Promise<void> {
    try {
      const answer = this.#client.call('POST /licence/deactivate', this.#request);
      await assertAnswer(Deactivation, await answer);
    } catch (error) {
      if (!(error instanceof PavisError && KEY_ERRORS.has(error.code))) throw error;
    }
  }

  /** With a time limit for the whole response: another service at the address could send one without an end. */
  get #request() {
    const { key, siteUrl, retry, signal } = this.#options;
    return {
      body: { licence_key: key, site_url: siteUrl },
      retry,
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    };
  }

  async #validate(): Promise<Validation> {
    const answer = this.#client.call('POST /licence/validate', this.#request);
    return assertAnswer(Validation, await answer);
  }

  async #activate(): Promise<Static<typeof Activation> | PavisError> {
    try {
      const answer = this.#client.call('POST /licence/activate', this.#request);
      return await assertAnswer(Activation, await answer);
    } catch (error) {
      const isRefusal = error instanceof PavisError && error.status === 403;
      if (isRefusal && KEY_ERRORS.has(error.code)) return error;
      throw error;
    }
  }
}

function toConsultation(
  answer: Validation,
  features: string[],
  isActivated: boolean,
  refusal?: PavisError,
): Consultation {
  const verdict = {
    status: toStatus(answer, refusal?.code),
    valid: answer.valid,
    tier: answer.tier,
    features,
    sitesAllowed: answer.sites_allowed,
    sitesUsed: answer.sites_used,
    expiresAt: answer.expires_at,
    paidUntil: answer.paid_until ?? answer.expires_at,
    message: answer.valid ? answer.message : (refusal?.message ?? answer.message),
  };
  return { outcome: 'known', verdict, isActivated };
}

/**
 * Checks the format of an answer, because the configured address can be that of another service.
 * @throws PavisUnreachable if it is not the answer of a licence server
 */
async function assertAnswer<T extends TSchema>(schema: T, answer: unknown): Promise<Static<T>> {
  // Loaded on demand: it is large and seldom used.
  const { Value } = await import('typebox/value');
  if (Value.Check(schema, answer)) return answer;
  throw new PavisUnreachable('The address is not that of a licence server.');
}
