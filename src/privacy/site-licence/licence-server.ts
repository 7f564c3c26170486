import { type Static, type TSchema, Type } from 'typebox';
import { licenceClient, PavisError, PavisUnreachable } from '../../../packages/client/index.ts';
import { toStatus, type Verdict } from './rules.ts';

const TIMEOUT_MS = 5_000;
/** What the server may say of a key; all else says that no licence server has answered. */
const DECISIONS = new Set([
  'activation_limit_reached',
  'licence_expired',
  'licence_suspended',
  'licence_revoked',
  'licence_not_found',
  'unauthorised',
]);
const UNKNOWN_KEY = new Set(['licence_not_found', 'unauthorised']);

const Validation = Type.Object({
  valid: Type.Boolean(),
  tier: Type.String(),
  sites_allowed: Type.Integer(),
  sites_used: Type.Integer(),
  expires_at: Type.String(),
  message: Type.String(),
  site_active: Type.Boolean(),
  paid_until: Type.Optional(Type.String()),
});
const Activation = Type.Object({ features: Type.Array(Type.String()) });
const Deactivation = Type.Object({ success: Type.Boolean() });

/** What the server made of a key, or that it does not know it. */
export type Consultation =
  | { outcome: 'known'; verdict: Verdict; isActivated: boolean }
  | { outcome: 'unknown key'; message: string };

/** The licence server as one site with one key sees it. Its methods reject when no decision is to be had. */
export class LicenceServer {
  readonly #ask: ReturnType<typeof licenceClient>;
  readonly #asked: {
    body: { licence_key: string; site_url: string };
    retry: boolean;
    signal: AbortSignal;
  };

  constructor(
    baseUrl: string,
    {
      key,
      siteUrl,
      retry,
      signal,
    }: { key: string; siteUrl: string; retry: boolean; signal: AbortSignal },
  ) {
    this.#ask = licenceClient({ baseUrl, licenceKey: key, timeoutMs: TIMEOUT_MS });
    // Each call may be made twice.
    this.#asked = { body: { licence_key: key, site_url: siteUrl }, retry, signal };
  }

  /**
   * Asks what the licence is worth to the site. A site that never had a slot takes one; one that had
   * is not given another, since its customer may have wanted it back.
   */
  async consult(known?: { isActivated: boolean; verdict: Verdict | null }): Promise<Consultation> {
    const isActivated = known?.isActivated ?? false;
    try {
      const before = isActivated ? await this.#validate() : undefined;
      const features = before?.tier === known?.verdict?.tier ? known?.verdict?.features : undefined;
      if (before?.valid && (features || !before.site_active))
        return this.#known(before, { features: features ?? [], isActivated });

      // The reason of an invalid licence, and the features of its tier, are told when activating.
      const activation = await this.#activate();
      const after = await this.#validate();
      if (activation instanceof PavisError) {
        const refusal = { code: activation.code, message: activation.message };
        return this.#known(after, { features: features ?? [], isActivated, refusal });
      }
      return this.#known(after, { features: activation.features, isActivated: true });
    } catch (error) {
      if (!(error instanceof PavisError && UNKNOWN_KEY.has(error.code))) throw error;
      return { outcome: 'unknown key', message: error.message };
    }
  }

  /** Takes the site off the licence; one that is not known there is off already. */
  async deactivate(): Promise<void> {
    try {
      await parseAnswer(
        Deactivation,
        await this.#ask.call('POST /licence/deactivate', this.#asked),
      );
    } catch (error) {
      if (!(error instanceof PavisError && DECISIONS.has(error.code))) throw error;
    }
  }

  async #validate(): Promise<Static<typeof Validation>> {
    return parseAnswer(Validation, await this.#ask.call('POST /licence/validate', this.#asked));
  }

  async #activate(): Promise<Static<typeof Activation> | PavisError> {
    try {
      return await parseAnswer(
        Activation,
        await this.#ask.call('POST /licence/activate', this.#asked),
      );
    } catch (error) {
      const isRefusal = error instanceof PavisError && error.status === 403;
      if (isRefusal && DECISIONS.has(error.code)) return error;
      throw error;
    }
  }

  #known(
    checked: Static<typeof Validation>,
    {
      features,
      isActivated,
      refusal,
    }: {
      features: string[];
      isActivated: boolean;
      refusal?: { code: string; message: string };
    },
  ): Consultation {
    const verdict = {
      status: toStatus(checked, refusal?.code),
      valid: checked.valid,
      tier: checked.tier,
      features,
      sitesAllowed: checked.sites_allowed,
      sitesUsed: checked.sites_used,
      expiresAt: checked.expires_at,
      paidUntil: checked.paid_until ?? checked.expires_at,
      message: checked.valid ? checked.message : (refusal?.message ?? checked.message),
    };
    return { outcome: 'known', verdict, isActivated };
  }
}

/**
 * Holds an answer against what a licence server says: anything may stand at an address.
 * @throws PavisUnreachable if it is none of its answers
 */
async function parseAnswer<T extends TSchema>(schema: T, answer: unknown): Promise<Static<T>> {
  // Loaded here: it is large, and a server asks seldom.
  const { Value } = await import('typebox/value');
  if (Value.Check(schema, answer)) return answer;
  throw new PavisUnreachable('What answers is no licence server.');
}
