/** The part of `oidc-provider` that tests use; the package has no types. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  interface Grant {
    addOIDCScope(scope: string): void;
    save(): Promise<string>;
  }

  interface Context {
    oidc: {
      client: { clientId: string };
      session: { accountId: string };
      provider: { Grant: new (of: { clientId: string; accountId: string }) => Grant };
    };
  }

  // biome-ignore lint/style/noDefaultExport: the package has a default export
  export default class Provider {
    constructor(
      issuer: string,
      configuration: {
        findAccount(context: Context, id: string): object;
        loadExistingGrant(context: Context): Promise<Grant>;
      } & Record<string, unknown>,
    );
    callback(): (request: IncomingMessage, response: ServerResponse) => void;
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: object,
    ): Promise<void>;
  }
}
