import * as client from 'openid-client';
import { HOUR_MS } from '../../platform/durations.ts';
import { createGuardedFetch } from '../../platform/http/guarded-fetch.ts';
import { type ProviderUser, toProviderUser } from './rules.ts';

const TIMEOUT_SECONDS = 5;
/** How long the provider's metadata are used. Its signing keys are read again when an unknown one is used. */
const METADATA_MS = HOUR_MS;
const SCOPE = 'openid profile email';

export interface ProviderSettings {
  issuer: string;
  clientId: string;
  clientSecret: string | undefined;
  roleClaim: string;
}

/** What must be the same when the provider sends the user back. */
export interface SignInChecks {
  state: string;
  nonce: string;
  verifier: string;
}

/** With HTTP Basic, the default (OpenID Connect Core 1.0, section 9), unless the provider takes it in the body only. */
const authenticateClient =
  (secret: string): client.ClientAuth =>
  (server, ...request) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const isBasic = methods.includes('client_secret_basic');
    const authenticate = isBasic ? client.ClientSecretBasic : client.ClientSecretPost;
    authenticate(secret)(server, ...request);
  };

/** What is wrong, for logs and `pavis doctor`; openid-client has errors of the connection as a cause. */
export function formatProviderError(error: unknown): string {
  const { message, cause, code } = error as Error & { code?: string };
  return code === undefined && cause instanceof Error ? cause.message : message;
}

/** @throws Error with what is wrong, unless the provider responds and names its endpoints */
export async function assertProvider(settings: Omit<ProviderSettings, 'roleClaim'>): Promise<void> {
  await discoverProvider(settings).catch((error) => {
    throw new Error(`${settings.issuer} is not usable: ${formatProviderError(error)}`);
  });
}

/** The metadata of a provider (OpenID Connect Discovery 1.0). @throws Error if they cannot be read */
async function discoverProvider({
  issuer,
  clientId,
  clientSecret,
}: Omit<ProviderSettings, 'roleClaim'>): Promise<client.Configuration> {
  const isHttp = new URL(issuer).protocol === 'http:';
  const found = await client.discovery(
    new URL(issuer),
    clientId,
    undefined,
    clientSecret === undefined ? client.None() : authenticateClient(clientSecret),
    {
      timeout: TIMEOUT_SECONDS,
      [client.customFetch]: createGuardedFetch(new URL(issuer).origin),
      // Only an issuer on this machine may have http.
      ...(isHttp && { execute: [client.allowInsecureRequests] }),
    },
  );
  const { authorization_endpoint: authorization, token_endpoint: token } = found.serverMetadata();
  if (!authorization || !token) throw new Error(`${issuer} names no endpoints for signing in`);
  return found;
}

/** An OpenID Connect provider: the code flow with PKCE, state and nonce. */
export class Provider {
  readonly #settings: ProviderSettings;
  readonly #now: () => number;
  #known: { at: number; configuration: Promise<client.Configuration> } | undefined;

  /** @param now monotonic milliseconds */
  constructor(settings: ProviderSettings, now: () => number) {
    this.#settings = settings;
    this.#now = now;
  }

  /** The page of the provider at which the user signs in. @throws Error if the provider does not respond */
  async start(redirectUri: string): Promise<{ url: URL; checks: SignInChecks }> {
    const configuration = await this.#discover();
    const checks = {
      state: client.randomState(),
      nonce: client.randomNonce(),
      verifier: client.randomPKCECodeVerifier(),
    };
    const url = client.buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope: SCOPE,
      state: checks.state,
      nonce: checks.nonce,
      code_challenge: await client.calculatePKCECodeChallenge(checks.verifier),
      code_challenge_method: 'S256',
    });
    return { url, checks };
  }

  /**
   * Exchanges the code of a response for the user.
   * @param response the address that the provider sent the user to
   * @throws Error of openid-client if a check fails or the provider refuses
   */
  async finish(response: URL, { state, nonce, verifier }: SignInChecks): Promise<ProviderUser> {
    const configuration = await this.#discover();
    const tokens = await client.authorizationCodeGrant(configuration, response, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    if (!claims) throw new Error('the provider sent no ID token');
    const info = configuration.serverMetadata().userinfo_endpoint
      ? await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)
      : {};
    return toProviderUser(claims, info, this.#settings.roleClaim);
  }

  /** Where the user also signs out of the provider; undefined if it offers no such page or does not respond. */
  async findSignOutUrl(returnTo: string): Promise<string | undefined> {
    const configuration = await this.#discover().catch(() => undefined);
    if (!configuration?.serverMetadata().end_session_endpoint) return undefined;
    return client.buildEndSessionUrl(configuration, { post_logout_redirect_uri: returnTo }).href;
  }

  #discover(): Promise<client.Configuration> {
    const now = this.#now();
    if (this.#known && now - this.#known.at < METADATA_MS) return this.#known.configuration;
    const known = { at: now, configuration: discoverProvider(this.#settings) };
    this.#known = known;
    // A provider that was away is asked again.
    known.configuration.catch(() => {
      if (this.#known === known) this.#known = undefined;
    });
    return known.configuration;
  }
}
