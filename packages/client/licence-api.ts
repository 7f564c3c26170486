// Made from the OpenAPI document by `npm run client-types`; not to be changed by hand.

export type SiteRequest = { /** The licence key, the same as in the `x-licence-key` header. */ licence_key: string; /** The site: an http or https URL. */ site_url: string };

/** The decision about a known licence. */
export type ValidationResult = { /** Whether the licence is good for this site now. */ valid: boolean; tier: "starter" | "pro" | "agency"; sites_allowed: number; sites_used: number; /** When the licence stops working; `9999-12-31T23:59:59.000Z` for a lifetime licence. During a grace period this is the end of grace, so it is never in the past while the licence is valid. */ expires_at: string; /** What decided, for people. */ message: string; /** Whether this site holds an activation. */ site_active: boolean; /** The end of the paid period. During a grace period this is in the past. */ paid_until: string };

export type Error = { /** A code for programs. */ error: "invalid_request" | "unauthorised" | "activation_limit_reached" | "licence_expired" | "licence_suspended" | "licence_revoked" | "licence_not_found" | "activation_not_found" | "purchase_not_found" | "renewal_not_needed" | "payment_in_progress" | "other_subscriber" | "wrong_mode" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "service_unavailable"; /** What is wrong and what to do, for people. */ message: string };

/** The site is active. */
export type ActivationResult = { success: boolean; /** The same when the site was active already. */ activation_id: number; tier: "starter" | "pro" | "agency"; /** What the tier gives. */ features: (string)[] };

/** The site is not active (any more). */
export type DeactivationResult = { /** False if the site never was active. */ success: boolean; /** Names the site URL. */ message: string };

export type PublicKey = { kty: "OKP"; crv: "Ed25519"; alg: "EdDSA"; use: "sig"; kid: string; x: string };

/** A JSON Web Key Set (RFC 7517). */
export type PublicKeys = { keys: (PublicKey)[] };

export type MagicLinkRequest = { /** The address of a customer. */ email: string; /** Identifier of a licence: after signing in, the link leads to its renewal. */ licence?: string };

/** Taken note of, whether or not a customer has this address. */
export type MagicLinkResult = { message: string };

export type TokenRequest = { /** The `token` of the link in the mail. */ token: string };

/** Signed in. */
export type Token = { /** For the `Authorization: Bearer` header. */ token: string; token_type: "Bearer"; /** Until when it works. */ expires_at: string };

export type SignOutResult = { success: boolean; message: string };

export type ActivationRecord = { id: number; /** As it was sent. */ site_url: string; /** When the site took its slot. */ activated_at: string; deactivated_at: string | null };

/** The licence, with every site that uses or used it. Sites that were deactivated before the licence was transferred to this customer are left out. */
export type LicenceInfo = { /** Licence identifier. */ id: string; /** The key, masked. */ key: string; mode: "live" | "test"; tier: "starter" | "pro" | "agency"; status: "active" | "expired" | "suspended" | "revoked"; sites_allowed: number; sites_used: number; /** When the licence stops working; `9999-12-31T23:59:59.000Z` for a lifetime licence. During a grace period this is the end of grace, so it is never in the past while the licence is valid. */ expires_at: string; /** The end of the paid period. During a grace period this is in the past. */ paid_until: string; /** The first activation; the issue if there was none. */ activated_at: string; /** Oldest first. */ activations: (ActivationRecord)[] };

export type Licence = { /** Licence identifier. */ id: string; /** The key, masked. */ key: string; mode: "live" | "test"; tier: "starter" | "pro" | "agency"; status: "active" | "expired" | "suspended" | "revoked"; sites_allowed: number; sites_used: number; /** When the licence stops working; `9999-12-31T23:59:59.000Z` for a lifetime licence. During a grace period this is the end of grace, so it is never in the past while the licence is valid. */ expires_at: string; /** The end of the paid period. During a grace period this is in the past. */ paid_until: string; /** The first activation; the issue if there was none. */ activated_at: string };

/** The licences of the customer, newest first, 1,000 at most. */
export type CustomerLicences = { licences: (Licence)[]; /** What to give as `before` to see more; null if these are the last. */ next: string | null };

export type ActivationChoice = { /** Of the activation to end. */ activation_id: number };

export type CheckoutRequest = { /** What to buy; `pro` if not said. */ tier?: "starter" | "pro" | "agency"; /** How often to pay; `year` if not said. A licence that is paid `once` never ends. */ interval?: "month" | "year" | "once"; /** The currency to pay in: an ISO 4217 code in lower case, of those that are sold. The usual one if not said. */ currency?: string; /** How many times the sites of the tier, in one licence with one key; 1 if not said. */ quantity?: number; /** Where the key is sent; asked for if not said. */ email?: string; /** Where to go after paying: on an origin that is allowed. `{CHECKOUT_SESSION_ID}` in it is filled in. */ success_url?: string; /** Where to go back to. */ cancel_url?: string };

/** Where the buyer is to go. */
export type CheckoutSession = { /** Session identifier. */ id: string; /** The page that takes the payment. */ url: string; /** Until when that page can be used. */ expires_at: string };

export type Price = { tier: "starter" | "pro" | "agency"; /** How often it is paid. */ interval: "month" | "year" | "once"; /** Sites of one package. */ sites: number; /** Price of one package, in the unit that Stripe counts the currency in (cents of `EUR`); null where it cannot be told now, and the checkout shows it. */ amount: number | null; /** ISO 4217. */ currency: string | null; /** Whether tax is included in the amount or added to it; `unspecified` if the vendor has not said. */ tax: null | "inclusive" | "exclusive" | "unspecified" };

/** What is sold. */
export type Prices = { /** Who takes the payment. `test`: no payment is taken, and the amounts are samples. */ provider: "stripe" | "test"; prices: (Price)[] };

/** What the licence is, and what it can be renewed to. */
export type RenewalOptions = { /** Licence identifier. */ id: string; tier: "starter" | "pro" | "agency"; status: "active" | "expired" | "suspended" | "revoked"; sites_allowed: number; sites_used: number; /** When the licence stops working; `9999-12-31T23:59:59.000Z` for a lifetime licence. During a grace period this is the end of grace, so it is never in the past while the licence is valid. */ expires_at: string; /** The end of the paid period. During a grace period this is in the past. */ paid_until: string; /** How many times the sites of its tier it holds. */ quantity: number; /** How often it is paid; null where it was not bought. */ interval: null | "month" | "year" | "once"; /** Whether a subscription renews it automatically. */ renews: boolean; /** Whether `GET /customer/portal` leads to invoices and the payment method. */ has_portal: boolean; /** Why it cannot be renewed; null if it can. */ obstacle: null | { error: string; message: string }; prices: (Price)[] };

export type RenewalRequest = { /** Default: the tier of the licence. */ tier?: "starter" | "pro" | "agency"; /** Default: the current one, otherwise `year`. */ interval?: "month" | "year" | "once"; /** Lower-case ISO 4217, where prices are in several currencies. A subscription keeps its currency. */ currency?: string; /** How many times the sites of the tier. Default: as many as the licence has. */ quantity?: number; /** Where to go after paying: on an origin that is allowed. Default: `/account/`. */ success_url?: string; /** Where to go back to. */ cancel_url?: string };

/** Where the customer is to go. */
export type RenewalSession = { /** `checkout` to pay, `portal` to change the subscription that goes on. */ kind: "checkout" | "portal"; /** Identifier of the checkout session; null for the portal. */ id: string | null; /** The page to send the customer to. */ url: string; expires_at: string | null };

/** Where the customer is to go. */
export type PortalSession = { /** The page to send the customer to. */ url: string };

/** The event is taken in, or does not concern licences. */
export type WebhookReceipt = { received: true };

/** The service works. */
export type Health = { status: "ok"; version: string; database: "ok"; /** `low`: the disk is almost full or filling up, or the database has become large. */ storage: "ok" | "low" };

export interface LicenceApi {
  /** Check a licence for a site */
  'POST /licence/validate': { body: SiteRequest; answer: ValidationResult };
  /** Record a site activation */
  'POST /licence/activate': { body: SiteRequest; answer: ActivationResult };
  /** Remove a site activation */
  'POST /licence/deactivate': { body: SiteRequest; answer: DeactivationResult };
  /** The key that signs licence files */
  'GET /licence/public-key': { answer: PublicKeys };
  /** Request a sign-in link by email */
  'POST /auth/magic-link': { body: MagicLinkRequest; answer: MagicLinkResult };
  /** Exchange a sign-in link for a bearer token */
  'POST /auth/token': { body: TokenRequest; answer: Token };
  /** Revoke this bearer token */
  'POST /auth/sign-out': { answer: SignOutResult };
  /** Revoke all bearer tokens of the customer */
  'POST /auth/sign-out-everywhere': { answer: SignOutResult };
  /** A licence of the customer, with its activation history */
  'GET /licence/info': { query: { /** The licence key. */ key: string }; answer: LicenceInfo };
  /** The licences of the customer */
  'GET /customer/licences': { query?: { /** Licence identifier, `next` of another answer: goes on with those issued before it. */ before?: string }; answer: CustomerLicences };
  /** A licence of the customer by its id, with its activation history */
  'GET /customer/licences/{id}': { params: { /** Licence identifier. */ id: string }; answer: LicenceInfo };
  /** Deactivate a site of a licence */
  'POST /customer/licences/{id}/deactivate': { params: { /** Licence identifier. */ id: string }; body: ActivationChoice; answer: DeactivationResult };
  /** Create a checkout session */
  'POST /checkout/session': { body?: CheckoutRequest; answer: CheckoutSession };
  /** List prices */
  'GET /checkout/prices': { answer: Prices };
  /** Get what a licence can be renewed to */
  'GET /customer/licences/{id}/renewal': { params: { /** Licence identifier. */ id: string }; answer: RenewalOptions };
  /** Renew a licence on the same key */
  'POST /customer/licences/{id}/renew': { params: { /** Licence identifier. */ id: string }; body?: RenewalRequest; answer: RenewalSession };
  /** Get an address of the Billing Portal */
  'GET /customer/portal': { query?: { /** Licence identifier. Default: the latest purchase of the customer. */ licence?: string }; answer: PortalSession };
  /** Take in an event of Stripe */
  'POST /webhooks/stripe': { answer: WebhookReceipt };
  /** Get the service status */
  'GET /health': { answer: Health };
}
