// Made from the OpenAPI document by `npm run client-types`; not to be changed by hand.

export interface LicenceApi {
  /** Check a licence for a site */
  'POST /licence/validate': { body: { /** The licence key, the same as in the `x-licence-key` header. */ licence_key: string; /** The site: an http or https URL. */ site_url: string }; answer: { /** Whether the licence is good for this site now. */ valid: boolean; tier: "starter" | "pro" | "agency"; sites_allowed: number; sites_used: number; /** When the licence stops working; `9999-12-31T23:59:59.000Z` if it never does. During a grace period this is the end of grace, so it is never in the past while the licence is valid. */ expires_at: string; /** What decided, for people. */ message: string; /** Whether this site holds an activation. */ site_active: boolean; /** The end of the paid period. During a grace period this is in the past. */ paid_until: string } };
  /** Record a site activation */
  'POST /licence/activate': { body: { /** The licence key, the same as in the `x-licence-key` header. */ licence_key: string; /** The site: an http or https URL. */ site_url: string }; answer: { success: boolean; /** The same when the site was active already. */ activation_id: number; tier: "starter" | "pro" | "agency"; /** What the tier gives. */ features: (string)[] } };
  /** Remove a site activation */
  'POST /licence/deactivate': { body: { /** The licence key, the same as in the `x-licence-key` header. */ licence_key: string; /** The site: an http or https URL. */ site_url: string }; answer: { /** False if the site never was active. */ success: boolean; /** Names the site URL. */ message: string } };
  /** The key that signs licence files */
  'GET /licence/public-key': { answer: { keys: ({ kty: "OKP"; crv: "Ed25519"; alg: "EdDSA"; use: "sig"; kid: string; x: string })[] } };
  /** Ask for a sign-in link by e-mail */
  'POST /auth/magic-link': { body: { /** The address of a customer. */ email: string }; answer: { message: string } };
  /** Sign in with the token of a link */
  'POST /auth/token': { body: { /** The `token` of the link in the mail. */ token: string }; answer: { /** For the `Authorization: Bearer` header. */ token: string; token_type: "Bearer"; /** Until when it works. */ expires_at: string } };
  /** End this token */
  'POST /auth/sign-out': { answer: { success: boolean; message: string } };
  /** End every token of the customer */
  'POST /auth/sign-out-everywhere': { answer: { success: boolean; message: string } };
  /** A licence of the customer, with its activation history */
  'GET /licence/info': { query: { key: string }; answer: { /** Licence identifier. */ id: string; /** The key, masked. */ key: string; mode: "live" | "test"; tier: "starter" | "pro" | "agency"; status: "active" | "expired" | "suspended" | "revoked"; sites_allowed: number; sites_used: number; /** When the licence stops working; `9999-12-31T23:59:59.000Z` if it never does. During a grace period this is the end of grace, so it is never in the past while the licence is valid. */ expires_at: string; /** The end of the paid period. During a grace period this is in the past. */ paid_until: string; /** The first activation; the issue if there was none. */ activated_at: string; /** Oldest first. */ activations: ({ id: number; /** As it was sent. */ site_url: string; /** When the site took its slot. */ activated_at: string; deactivated_at: string | null })[] } };
  /** The licences of the customer */
  'GET /customer/licences': { query?: { before?: string }; answer: { licences: ({ /** Licence identifier. */ id: string; /** The key, masked. */ key: string; mode: "live" | "test"; tier: "starter" | "pro" | "agency"; status: "active" | "expired" | "suspended" | "revoked"; sites_allowed: number; sites_used: number; /** When the licence stops working; `9999-12-31T23:59:59.000Z` if it never does. During a grace period this is the end of grace, so it is never in the past while the licence is valid. */ expires_at: string; /** The end of the paid period. During a grace period this is in the past. */ paid_until: string; /** The first activation; the issue if there was none. */ activated_at: string })[]; /** What to give as `before` to see more; null if these are the last. */ next: string | null } };
  /** A licence of the customer by its id, with its activation history */
  'GET /customer/licences/{id}': { params: { id: string }; answer: { /** Licence identifier. */ id: string; /** The key, masked. */ key: string; mode: "live" | "test"; tier: "starter" | "pro" | "agency"; status: "active" | "expired" | "suspended" | "revoked"; sites_allowed: number; sites_used: number; /** When the licence stops working; `9999-12-31T23:59:59.000Z` if it never does. During a grace period this is the end of grace, so it is never in the past while the licence is valid. */ expires_at: string; /** The end of the paid period. During a grace period this is in the past. */ paid_until: string; /** The first activation; the issue if there was none. */ activated_at: string; /** Oldest first. */ activations: ({ id: number; /** As it was sent. */ site_url: string; /** When the site took its slot. */ activated_at: string; deactivated_at: string | null })[] } };
  /** Take a site off a licence of the customer */
  'POST /customer/licences/{id}/deactivate': { params: { id: string }; body: { /** Of the activation to end. */ activation_id: number }; answer: { /** False if the site never was active. */ success: boolean; /** Names the site URL. */ message: string } };
  /** Begin to buy a licence */
  'POST /checkout/session': { body?: { /** What to buy; `pro` if not said. */ tier?: "starter" | "pro" | "agency"; /** How often to pay; `year` if not said. A licence that is paid `once` never ends. */ interval?: "month" | "year" | "once"; /** How many times the sites of the tier, in one licence with one key; 1 if not said. */ quantity?: number; /** Where the key is sent; asked for if not said. */ email?: string; /** Where to go after paying: on an origin that is allowed. `{CHECKOUT_SESSION_ID}` in it is filled in. */ success_url?: string; /** Where to go back to. */ cancel_url?: string }; answer: { /** Session identifier. */ id: string; /** The page that takes the payment. */ url: string; /** Until when that page can be used. */ expires_at: string } };
  /** Take in an event of Stripe */
  'POST /webhooks/stripe': { answer: { received: true } };
  /** Whether the service works */
  'GET /health': { answer: { status: "ok"; version: string; database: "ok"; /** `low`: the disk is almost full or filling up, or the database has become large. */ storage: "ok" | "low" } };
}
