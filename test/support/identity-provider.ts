import { generateKeyPairSync } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import Provider from 'oidc-provider';

export interface ProviderClaims {
  sub: string;
  email?: string;
  email_verified?: boolean;
  preferred_username?: string;
  groups?: string[];
}

export interface IdentityProvider {
  /** Who signs in next. */
  person: ProviderClaims | undefined;
  /** Follows the pages of the provider like a browser. @returns the address that it sends the user back to */
  visit(url: string): Promise<string>;
  start(appUrl: string): Promise<void>;
  stop(): Promise<void>;
}

export const CLIENT = { id: 'pavis', secret: 'a secret of the client' };

/** A real OpenID Connect provider that asks nobody for a password. */
export function identityProvider(port: number): IdentityProvider {
  const issuer = `http://127.0.0.1:${port}`;
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const known = new Map<string, ProviderClaims>();
  let server: Server | undefined;

  const idp: IdentityProvider = {
    person: undefined,
    async visit(url) {
      const cookies = new Map<string, string>();
      let at = url;
      while (at.startsWith(issuer)) {
        const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
        const response = await fetch(at, { redirect: 'manual', headers: { cookie } });
        for (const line of response.headers.getSetCookie()) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
          cookies.set(name, value);
        }
        const location = response.headers.get('location');
        if (!location) throw new Error(`${response.status}: ${await response.text()}`);
        at = new URL(location, at).href;
      }
      return at;
    },
    async start(appUrl) {
      const provider = new Provider(issuer, {
        clients: [
          {
            client_id: CLIENT.id,
            client_secret: CLIENT.secret,
            redirect_uris: [`${appUrl}/console/single-sign-on/callback`],
            post_logout_redirect_uris: [`${appUrl}/admin/sign-in`],
          },
        ],
        jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kid: 'one', use: 'sig' }] },
        cookies: { keys: ['a key of the cookies'] },
        claims: {
          openid: ['sub'],
          email: ['email', 'email_verified'],
          profile: ['preferred_username', 'groups'],
        },
        features: { devInteractions: { enabled: false } },
        pkce: { required: () => true },
        interactions: { url: () => '/enter' },
        findAccount: (_context, id) => ({ accountId: id, claims: () => known.get(id) }),
        async loadExistingGrant({ oidc }) {
          const { clientId } = oidc.client;
          const { accountId } = oidc.session;
          const grant = new oidc.provider.Grant({ clientId, accountId });
          grant.addOIDCScope('openid email profile');
          await grant.save();
          return grant;
        },
      });
      const answer = provider.callback();
      server = createServer((request, response) => {
        if (!request.url?.startsWith('/enter')) return answer(request, response);
        const { person } = idp;
        if (person) known.set(person.sub, person);
        const result = person
          ? { login: { accountId: person.sub } }
          : { error: 'access_denied', error_description: 'The user has left.' };
        provider.interactionFinished(request, response, result).catch((error) => {
          response.writeHead(500).end(String(error));
        });
      });
      await new Promise<void>((done) => server?.listen(port, '127.0.0.1', done));
    },
    async stop() {
      server?.closeAllConnections();
      await new Promise<void>((done) => (server ? server.close(() => done()) : done()));
      server = undefined;
    },
  };
  return idp;
}
