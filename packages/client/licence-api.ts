// Made from the OpenAPI document by `npm run client-types`; not to be changed by hand.

export type SiteRequest = { /** The licence key, the same as in the `x-licence-key` header. */ licence_key: string; /** The site: an http or https URL. */ site_url: string; /** The slug of your product. The key of another product then gets the same 404 as an unknown key. */ product?: string };

/** The result for a known licence. */
export type ValidationResult = { /** Whether the licence is valid for this site now. */ valid: boolean; /** The plan of the product. */ tier: string; sites_allowed: number; sites_used: number; /** When the licence stops working; `9999-12-31T23:59:59.000Z` for a lifetime licence. During a grace period this is the end of grace, so it is never in the past while the licence is valid. */ expires_at: string; /** The reason, for people. */ message: string; /** Whether this site is activated. */ site_active: boolean; /** The end of the paid period. During a grace period this is in the past. */ paid_until: string; mode: "live" | "test"; /** The slug of the product. */ product: string; /** The features of the plan, with those that the licence adds and without those that it removes. */ features: (string)[]; /** The reason, for programs. `not_activated`: the site can be activated. `grace`: the paid period has ended. */ state: "active" | "grace" | "not_activated" | "limit_reached" | "expired" | "suspended" | "revoked" };

export type Error = { /** Error code. */ error: "invalid_request" | "unauthorised" | "activation_limit_reached" | "licence_expired" | "licence_suspended" | "licence_revoked" | "site_not_activated" | "link_expired" | "exchange_closed" | "scope_missing" | "product_not_allowed" | "licence_not_found" | "activation_not_found" | "purchase_not_found" | "release_not_found" | "product_not_found" | "renewal_not_needed" | "payment_in_progress" | "trial_used" | "other_subscriber" | "wrong_mode" | "not_possible" | "idempotency_key_used" | "key_rotated" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "headers_too_large" | "internal_error" | "service_unavailable"; /** What is wrong and what to do. */ message: string; /** Only with `activation_limit_reached`: the page on which the customer deactivates another site and activates this one. It requires a sign-in, so you can show it to anybody. */ help_url?: string };

/** The site is active. */
export type ActivationResult = { success: boolean; /** Unchanged if the site was already active. */ activation_id: number; /** The plan of the product. */ tier: string; /** The features of the plan, with those that the licence adds and without those that it removes. */ features: (string)[] };

/** The site is not active. */
export type DeactivationResult = { /** False if the site was never active. */ success: boolean; /** Contains the site URL. */ message: string };

/** The release for this site. Fields with the same value have the names that WordPress, plugin-update-checker and the updater of Easy Digital Downloads expect. */
export type Update = { /** The `Update URI` of the plugin, or the address of the product. */ id: string; /** The name of the product. */ name: string; /** The slug of the product. */ slug: string; /** The version that this site gets; the one it has if there is none for it. It can be lower than the one it has. */ version: string; /** The same. */ new_version: string; /** The same. */ stable_version: string; /** Whether the version is newer. */ update_available: boolean; /** The reason, for people. */ message: string; channel: "stable" | "beta" | null; /** Whether the release fixes a vulnerability. */ security: boolean; /** Website of the product. */ url: string; /** The same. */ homepage: string; /** Signed link to the file, for 15 minutes or 13 hours; empty without one. */ package: string; /** The same. */ download_url: string; /** The same. */ download_link: string; filesize: number | null; sha256: string | null; signature: string | null; requires: string | null; requires_php: string | null; tested: string | null; /** True for a security release: WordPress then installs it in the background, unless the site has turned that off. */ autoupdate: boolean; last_updated: string | null; /** For security releases; otherwise empty. */ upgrade_notice: string; /** HTML for the window with the details. */ sections: { description: string; changelog: string }; /** None. */ icons: Record<string, never>; /** None. */ banners: Record<string, never>; /** None. */ translations: (string)[] };

export type EddVersionRequest = { edd_action: "get_version"; /** The licence key. */ license: string; /** The activated site. */ url: string; /** The version that the site has. */ version?: string; /** `1` for beta releases. */ beta?: string; /** The PHP version of the site. */ php_version?: string; /** The WordPress version of the site. */ wp_version?: string };

export type LeaseRequest = { /** The licence key, the same as in the `x-licence-key` header. */ licence_key: string; /** The site: an http or https URL. */ site_url: string; /** The slug of your product. The key of another product then gets the same 404 as an unknown key. */ product?: string; /** Days for which the lease is valid. Default: 14, the setting of the server. */ days?: number };

/** The lease. */
export type LicenceLease = { /** A JWT of the type `pavis-lease+jwt`, signed with Ed25519 (`EdDSA`). Claims: `iss` (`pavis`), `sub` (the licence), `product`, `site` (normalised), `site_url` (as sent), `tier`, `mode`, `features`, `paid_until`, `grace_until`, `iat`, `nbf` and `exp`. `nbf` is 24 hours before `iat`, so that sites whose clock is behind accept the lease. */ lease: string; /** The `kid` of its key in `GET /licence/public-key`. */ key_id: string; /** When the lease was signed. */ issued_at: string; /** Until when the lease is valid: never longer than the licence with its grace period. */ expires_at: string };

export type PublicKey = { kty: "OKP"; crv: "Ed25519"; alg: "EdDSA"; use: "sig"; /** Key id, in the header of what the key signed. */ kid: string; /** The public key, 32 bytes in base64url. */ x: string; created_at: string | null; retired_at: string | null; endorsement: string | null };

/** A JSON Web Key Set (RFC 7517), the current key first. */
export type PublicKeys = { keys: (PublicKey)[] };

export type ExchangeRequest = { /** The old key, as the system before had issued it. */ licence_key: string; /** The site: an http or https URL. */ site_url: string; /** The slug of your product. The key of another product then gets the same 404 as an unknown key. Needed if licences of several products have the same old key. */ product?: string };

/** The new key. The site is active. */
export type ExchangeResult = { /** The new key. Store it instead of the old one. All sites of a licence get the same. */ licence_key: string; /** Unchanged if the site was already active. */ activation_id: number; /** The slug of the product. */ product: string; /** The plan of the product. */ tier: string; /** The features of the plan, with those that the licence adds and without those that it removes. */ features: (string)[]; /** Until when this site can repeat the request, for example after a lost response. */ repeatable_until: string };

export type AdminLicenceListItem = { /** Licence identifier. */ id: string; /** The key, masked. */ key: string; mode: "live" | "test"; /** The plan of the product. */ tier: string; status: "active" | "expired" | "suspended" | "revoked"; sites_allowed: number; sites_used: number; /** When the licence stops working; `9999-12-31T23:59:59.000Z` for a lifetime licence. During a grace period this is the end of grace, so it is never in the past while the licence is valid. */ expires_at: string; /** The end of the paid period. During a grace period this is in the past. */ paid_until: string; /** Only for a trial without a card. It is absent as soon as the licence is bought. */ trial?: true; /** The slug of the product. */ product: string; /** The name of the plan for people. */ plan: string; /** The features of the plan, with those that the licence adds and without those that it removes. */ features: (string)[]; customer_id: number; email: string | null; grace_days: number; development_sites_free: boolean; /** When it was issued. */ issued_at: string; suspended_at: string | null; revoked_at: string | null; /** Features of this licence beside those of its plan. */ features_added: (string)[]; /** Features of the plan that this licence lacks. */ features_removed: (string)[]; /** Internal notes. */ notes: string };

/** Licences that match all parameters, newest first. */
export type AdminLicences = { licences: (AdminLicenceListItem)[]; /** `cursor` of the next page; null on the last page. */ next_cursor: string | null };

export type AdminLicenceIssue = { /** Email address of the customer, who is created if new. */ email: string; /** The slug of the product. Default: the default product. */ product?: string; /** A plan of the product that is not archived. */ tier: string; /** Expiry as a day or an ISO 8601 time with its offset; `9999-12-31T23:59:59.000Z` for a lifetime licence. */ expires_at?: string; mode?: "live" | "test"; /** Default for a new licence: the sites of the plan. */ sites_allowed?: number; /** Days for which it works after expiry. Default for a new licence: those of the plan. */ grace_days?: number; /** Whether development sites (localhost, *.test, staging.…) use no slot. Default for a new licence: of the plan. */ development_sites_free?: boolean; /** Internal notes. The Licence API does not show them. */ notes?: string; /** Whether to email the key to the customer. */ mail?: boolean; /** Days from now until it expires, instead of `expires_at`. */ days?: number; /** Features of this licence beside those of its plan. */ features_added?: (string)[]; /** Features of the plan that this licence lacks. */ features_removed?: (string)[] };

export type LicenceRestriction = { effect: "suspended" | "revoked"; /** `manual`: by hand. `disputed`, `unpaid`, `paused`, `dispute_lost` and `refunded` follow from payments and end with their cause. */ cause: "manual" | "disputed" | "unpaid" | "paused" | "dispute_lost" | "refunded"; /** Start of the restriction. */ since: string; /** The user, API token or payment service. */ actor: string };

export type ActivationRecord = { id: number; /** As sent by the site. */ site_url: string; /** When the site was activated. */ activated_at: string; deactivated_at: string | null };

/** The licence was issued, now or by the same request before. */
export type AdminIssuedLicence = { /** Licence identifier. */ id: string; /** The key, masked. */ key: string; mode: "live" | "test"; /** The plan of the product. */ tier: string; status: "active" | "expired" | "suspended" | "revoked"; sites_allowed: number; sites_used: number; /** When the licence stops working; `9999-12-31T23:59:59.000Z` for a lifetime licence. During a grace period this is the end of grace, so it is never in the past while the licence is valid. */ expires_at: string; /** The end of the paid period. During a grace period this is in the past. */ paid_until: string; /** Only for a trial without a card. It is absent as soon as the licence is bought. */ trial?: true; /** The slug of the product. */ product: string; /** The name of the plan for people. */ plan: string; /** The features of the plan, with those that the licence adds and without those that it removes. */ features: (string)[]; customer_id: number; email: string | null; grace_days: number; development_sites_free: boolean; /** When it was issued. */ issued_at: string; suspended_at: string | null; revoked_at: string | null; /** Features of this licence beside those of its plan. */ features_added: (string)[]; /** Features of the plan that this licence lacks. */ features_removed: (string)[]; /** Internal notes. */ notes: string; /** Why it is suspended or revoked. Several causes can apply. */ restrictions: (LicenceRestriction)[]; /** Whether a subscription pays for it. If a licence is revoked by hand, its subscription goes on until you cancel it in Stripe. */ renews: boolean; notice: string | null; /** Oldest first. */ activations: (ActivationRecord)[]; /** The key in clear. It is shown only here: Pavis stores its hash. Store it with the order, or let `mail` send it. */ licence_key: string };

/** The licence with its activations. The key is masked. */
export type AdminLicence = { /** Licence identifier. */ id: string; /** The key, masked. */ key: string; mode: "live" | "test"; /** The plan of the product. */ tier: string; status: "active" | "expired" | "suspended" | "revoked"; sites_allowed: number; sites_used: number; /** When the licence stops working; `9999-12-31T23:59:59.000Z` for a lifetime licence. During a grace period this is the end of grace, so it is never in the past while the licence is valid. */ expires_at: string; /** The end of the paid period. During a grace period this is in the past. */ paid_until: string; /** Only for a trial without a card. It is absent as soon as the licence is bought. */ trial?: true; /** The slug of the product. */ product: string; /** The name of the plan for people. */ plan: string; /** The features of the plan, with those that the licence adds and without those that it removes. */ features: (string)[]; customer_id: number; email: string | null; grace_days: number; development_sites_free: boolean; /** When it was issued. */ issued_at: string; suspended_at: string | null; revoked_at: string | null; /** Features of this licence beside those of its plan. */ features_added: (string)[]; /** Features of the plan that this licence lacks. */ features_removed: (string)[]; /** Internal notes. */ notes: string; /** Why it is suspended or revoked. Several causes can apply. */ restrictions: (LicenceRestriction)[]; /** Whether a subscription pays for it. If a licence is revoked by hand, its subscription goes on until you cancel it in Stripe. */ renews: boolean; notice: string | null; /** Oldest first. */ activations: (ActivationRecord)[] };

export type AdminLicenceChange = { /** A plan of the product that is not archived. */ tier?: string; /** Default for a new licence: the sites of the plan. */ sites_allowed?: number; /** Days for which it works after expiry. Default for a new licence: those of the plan. */ grace_days?: number; /** Whether development sites (localhost, *.test, staging.…) use no slot. Default for a new licence: of the plan. */ development_sites_free?: boolean; /** Internal notes. The Licence API does not show them. */ notes?: string; /** Features of this licence beside those of its plan. */ features_added?: (string)[]; /** Features of the plan that this licence lacks. */ features_removed?: (string)[]; /** Expiry as a day or an ISO 8601 time with its offset; `9999-12-31T23:59:59.000Z` for a lifetime licence. */ expires_at?: string };

export type AdminLicenceRestriction = { /** Why, for the activity of the licence. The Licence API does not show it. A copy of the data of the customer has it. */ reason?: string };

/** All activations of the licence, also ended ones. */
export type AdminActivations = { /** Oldest first. */ activations: (ActivationRecord)[] };

export type ActivationChoice = { /** Identifier of the activation to end. */ activation_id: number };

export type MagicLinkRequest = { /** Email address of the customer. */ email: string; /** Licence identifier. After signing in, the customer goes to its renewal. */ licence?: string; /** A site that finds no free slot. With `licence`, the customer goes to the page that makes room for it. */ site_url?: string };

/** The request was accepted, whether or not a customer has this address. */
export type MagicLinkResult = { message: string };

export type TokenRequest = { /** The `token` in the link of the email. */ token: string };

/** Signed in. */
export type Token = { /** For the `Authorization: Bearer` header. */ token: string; token_type: "Bearer"; /** When the token expires. */ expires_at: string };

/** The token is revoked. */
export type SignOutResult = { success: boolean; message: string };

export type SwitchableSite = { activation_id: number; /** As sent by the site. */ site_url: string; /** When the site was activated. */ activated_at: string };

/** The sites among which the customer chooses one to deactivate. */
export type SwitchOptions = { /** Licence identifier. */ id: string; /** The slug of the product. */ product: string; /** The name of the plan for people. */ plan: string; /** A site can be activated only while the licence is `active`. */ status: "active" | "expired" | "suspended" | "revoked"; sites_allowed: number; sites_used: number; /** Whether the site is active already. */ site_active: boolean; /** The active sites that use a slot, oldest first. */ sites: (SwitchableSite)[] };

export type SwitchRequest = { /** The site to activate: an http or https URL. */ site_url: string; /** The activation to end first. Not needed if a slot is free. */ activation_id?: number };

/** The site is active. */
export type SwitchResult = { success: true; /** Unchanged if the site was already active. */ activation_id: number; deactivated: string | null; message: string };

/** The licence and its activation history. Sites that were deactivated before a transfer to this customer are left out. */
export type LicenceInfo = { /** Licence identifier. */ id: string; /** The key, masked. */ key: string; mode: "live" | "test"; /** The plan of the product. */ tier: string; status: "active" | "expired" | "suspended" | "revoked"; sites_allowed: number; sites_used: number; /** When the licence stops working; `9999-12-31T23:59:59.000Z` for a lifetime licence. During a grace period this is the end of grace, so it is never in the past while the licence is valid. */ expires_at: string; /** The end of the paid period. During a grace period this is in the past. */ paid_until: string; /** The first activation; without one, when it was issued. */ activated_at: string; /** Only for a trial without a card. It is absent as soon as the licence is bought. */ trial?: true; /** The slug of the product. */ product: string; /** The name of the plan for people. */ plan: string; /** The features of the plan, with those that the licence adds and without those that it removes. */ features: (string)[]; /** Oldest first. */ activations: (ActivationRecord)[] };

export type Licence = { /** Licence identifier. */ id: string; /** The key, masked. */ key: string; mode: "live" | "test"; /** The plan of the product. */ tier: string; status: "active" | "expired" | "suspended" | "revoked"; sites_allowed: number; sites_used: number; /** When the licence stops working; `9999-12-31T23:59:59.000Z` for a lifetime licence. During a grace period this is the end of grace, so it is never in the past while the licence is valid. */ expires_at: string; /** The end of the paid period. During a grace period this is in the past. */ paid_until: string; /** The first activation; without one, when it was issued. */ activated_at: string; /** Only for a trial without a card. It is absent as soon as the licence is bought. */ trial?: true; /** The slug of the product. */ product: string; /** The name of the plan for people. */ plan: string; /** The features of the plan, with those that the licence adds and without those that it removes. */ features: (string)[] };

/** The licences of the customer, newest first, at most 1,000. */
export type CustomerLicences = { licences: (Licence)[]; next: string | null };

/** The email with the new key is queued. */
export type NewKeyResult = { success: true; message: string };

/** A licence file, which the public keys of the server verify offline. It contains no key and no customer data. */
export type LicenceFile = { /** A JWT, signed with Ed25519. */ file: string; valid_until: string };

export type OfferedTrial = { /** The plan of the product. */ tier: string; /** The name of the plan for people. */ plan: string; days: number; /** Sites of the licence. */ sites: number; features: (string)[]; description: string | null };

/** The trials of the product that need no card; an empty list if it has none. */
export type Trials = { /** The slug of the product. */ product: string; trials: (OfferedTrial)[] };

export type TrialRequest = { /** The email address for the licence key. */ email: string; /** The public address of the site: an http or https URL. */ site_url: string; /** The slug of the product. Default: the default product. */ product?: string; /** The plan. Default: the first one with a trial that needs no card. */ tier?: string };

/** The request was accepted, whether or not the address or the site has had a trial. */
export type TrialRequested = { message: string };

export type TrialConfirmation = { /** The `token` in the link of the email. */ token: string };

/** The trial has started. */
export type TrialStarted = { /** Licence identifier. */ id: string; /** The key, shown only here and in the email. */ licence_key: string; mode: "live" | "test"; /** The slug of the product. */ product: string; /** The plan of the product. */ tier: string; /** The name of the plan for people. */ plan: string; sites_allowed: number; /** When the trial ends by itself. */ expires_at: string };

export type CheckoutRequest = { /** The slug of the product. Default: the default product. */ product?: string; /** Tier to buy. Default: `pro`, or else the first tier on sale. */ tier?: string; /** Billing interval. Default: `year`. `once` buys a lifetime licence. */ interval?: "month" | "year" | "once"; /** Currency: an ISO 4217 code in lower case with a price on sale. Default: the currency of the first price. */ currency?: string; /** Number of packages. Multiplies the sites of the tier, in one licence with one key. Default: 1. */ quantity?: number; /** Email address for the licence key. Default: the checkout asks for it. */ email?: string; /** Where the buyer goes after paying: a URL on an allowed origin. `{CHECKOUT_SESSION_ID}` is replaced by the session identifier. */ success_url?: string; /** Where the buyer goes after cancelling: a URL on an allowed origin. */ cancel_url?: string };

/** The checkout to send the buyer to. */
export type CheckoutSession = { /** Session identifier. */ id: string; /** URL of the checkout. */ url: string; /** When the checkout expires. */ expires_at: string };

export type Price = { tier: string; /** The name of the tier for people. */ plan: string; /** Billing interval. */ interval: "month" | "year" | "once"; /** Sites per package. */ sites: number; features: (string)[]; description: string | null; amount: number | null; currency: string | null; tax: "inclusive" | "exclusive" | "unspecified" | null };

/** The prices on sale. */
export type Prices = { /** Payment provider. `test`: no payment is taken, and the amounts are samples. */ provider: "stripe" | "test"; /** The slug of the product. */ product: string; prices: (Price)[] };

/** The licence and the prices for its renewal. */
export type RenewalOptions = { /** Licence identifier. */ id: string; /** The slug of the product. */ product: string; tier: string; /** The name of the tier for people. */ plan: string; status: "active" | "expired" | "suspended" | "revoked"; /** Only for a trial without a card. It is absent as soon as the licence is bought. */ trial?: true; sites_allowed: number; sites_used: number; /** When the licence stops working; `9999-12-31T23:59:59.000Z` for a lifetime licence. During a grace period this is the end of grace, so it is never in the past while the licence is valid. */ expires_at: string; /** The end of the paid period. During a grace period this is in the past. */ paid_until: string; quantity: number | null; interval: "month" | "year" | "once" | null; currency: string | null; /** Whether a subscription renews it automatically. */ renews: boolean; subscription: "active" | "cancelled" | "unpaid" | "paused" | null; /** False while the payment service does not answer: `subscription` and `currency` are null then. */ subscription_known: boolean; /** Whether `GET /customer/portal` leads to invoices and the payment method. */ has_portal: boolean; obstacle: { error: string; message: string } | null; provider: "stripe" | "test" | null; /** With an active subscription, those in its currency, and for its tier and interval the price that it keeps, on sale or not. Otherwise, a tier and interval that is on sale in the currency of the last purchase has that price only. */ prices: (Price)[] };

export type RenewalRequest = { /** Default: the tier of the licence. */ tier?: string; /** Default: the current one, otherwise `year`. */ interval?: "month" | "year" | "once"; /** Currency: an ISO 4217 code in lower case with a price on sale. A subscription keeps its currency. Default: that of the last purchase, if the choice is on sale in it. */ currency?: string; /** Number of packages. Default: as many as the licence has. */ quantity?: number; /** Where the customer goes after paying: a URL on an allowed origin. Default: `/account/`. */ success_url?: string; /** Where the buyer goes after cancelling: a URL on an allowed origin. */ cancel_url?: string };

/** The page to send the customer to. */
export type RenewalSession = { /** `checkout` to pay, `portal` to change the active subscription. */ kind: "checkout" | "portal"; id: string | null; /** URL of the page. */ url: string; expires_at: string | null };

/** The Billing Portal to send the customer to. */
export type PortalSession = { /** URL of the Billing Portal. */ url: string };

/** The event was processed or does not concern licences. */
export type WebhookReceipt = { received: true };

/** The service works. */
export type Health = { status: "ok"; version: string; database: "ok"; /** `failing`: this node does not hear of changes on other nodes at once, so what it answers can be 5 seconds old, or about 15 after its connection to PostgreSQL was lost silently; its log says why. */ notifications: "ok" | "failing"; /** `low`: the disk is almost full or filling up, or the database has become large. */ storage: "ok" | "low"; /** `failing`: this node cannot write the consent log; its log and `GET /consent/log` of the plugin API say why. Absent if this server does not serve the plugin API. */ consent_log?: "ok" | "failing" };

export interface LicenceApi {
  /** Validate a licence for a site */
  'POST /licence/validate': { body: SiteRequest; answer: ValidationResult };
  /** Record a site activation */
  'POST /licence/activate': { body: SiteRequest; answer: ActivationResult };
  /** Remove a site activation */
  'POST /licence/deactivate': { body: SiteRequest; answer: DeactivationResult };
  /** Get the release for a site */
  'GET /releases/{product}/update': { params: { /** The slug of the product. */ product: string }; query: { /** The licence key, for updaters that cannot send the `x-licence-key` header. Proxies log URLs, so prefer the header. */ licence_key?: string; /** The activated site: an http or https URL. */ site_url: string; /** The version that the site has. */ version?: string; /** The same, as plugin-update-checker sends it. */ installed_version?: string; /** `beta` gets stable releases too. */ channel?: "stable" | "beta"; /** The PHP version of the site. Releases that need a higher one are not offered. */ php?: string; /** The WordPress version of the site, likewise. */ wp?: string; /** How long the link is valid: `short` for 15 minutes, `cached` for 13 hours, for updaters that keep the answer as WordPress and plugin-update-checker do. */ link?: "short" | "cached" }; answer: Update };
  /** Get the release for a site that uses the updater of Easy Digital Downloads */
  'POST /releases/{product}/update': { params: { /** The slug of the product. */ product: string }; answer: Update };
  /** Download a release */
  'GET /releases/{product}/{version}/download': { params: { /** The slug of the product. */ product: string; /** The version of the release. */ version: string }; query: { /** From the link. */ token: string }; answer: Blob };
  /** Get the software bill of materials of a release */
  'GET /releases/{product}/{version}/sbom': { params: { /** The slug of the product. */ product: string; /** The version of the release. */ version: string }; answer: Blob };
  /** Sign a lease for a site */
  'POST /licence/lease': { body: LeaseRequest; answer: LicenceLease };
  /** List the public keys of licence files and leases */
  'GET /licence/public-key': { answer: PublicKeys };
  /** Get the PHP licence client of a product */
  'GET /licence/client/{product}.php': { params: { /** The slug of the product. */ product: string }; answer: string };
  /** Exchange the old key of an imported licence */
  'POST /licence/exchange': { body: ExchangeRequest; answer: ExchangeResult };
  /** List licences */
  'GET /admin/licences': { query?: { /** Part of an email address, an identifier, the URL of a site or of its page, or a masked key, also a rotated one. */ search?: string; status?: "active" | "expired" | "suspended" | "revoked"; /** Licences whose paid period ends within this number of days. Not those in their grace period: their paid period has ended. */ expires_within?: number; /** The slug of a product. */ product?: string; tier?: string; mode?: "live" | "test"; /** The email address of the customer. */ email?: string; /** The http or https URL of a site that is or was activated. The scheme, `www.` and a trailing slash do not matter. */ site_url?: string; limit?: number; /** `next_cursor` of the previous page. */ cursor?: string }; answer: AdminLicences };
  /** Issue a licence */
  'POST /admin/licences': { body: AdminLicenceIssue; /** For example the number of the order. A repeated request with the same token, key and body returns the same licence and licence key, however late it comes. */ idempotencyKey?: string; answer: AdminIssuedLicence };
  /** Get a licence */
  'GET /admin/licences/{id}': { params: { /** Licence identifier. */ id: string }; answer: AdminLicence };
  /** Update a licence */
  'PATCH /admin/licences/{id}': { params: { /** Licence identifier. */ id: string }; body?: AdminLicenceChange; answer: AdminLicence };
  /** Suspend a licence */
  'POST /admin/licences/{id}/suspend': { params: { /** Licence identifier. */ id: string }; body?: AdminLicenceRestriction; answer: AdminLicence };
  /** Revoke a licence permanently */
  'POST /admin/licences/{id}/revoke': { params: { /** Licence identifier. */ id: string }; body?: AdminLicenceRestriction; answer: AdminLicence };
  /** Reinstate a suspended licence */
  'POST /admin/licences/{id}/reinstate': { params: { /** Licence identifier. */ id: string }; answer: AdminLicence };
  /** List activations of a licence */
  'GET /admin/licences/{id}/activations': { params: { /** Licence identifier. */ id: string }; answer: AdminActivations };
  /** Deactivate a site of a licence */
  'POST /admin/licences/{id}/deactivate': { params: { /** Licence identifier. */ id: string }; body: ActivationChoice; answer: DeactivationResult };
  /** Request a sign-in link by email */
  'POST /auth/magic-link': { body: MagicLinkRequest; answer: MagicLinkResult };
  /** Exchange a sign-in link for a bearer token */
  'POST /auth/token': { body: TokenRequest; answer: Token };
  /** Revoke this bearer token */
  'POST /auth/sign-out': { answer: SignOutResult };
  /** Revoke all bearer tokens of the customer */
  'POST /auth/sign-out-everywhere': { answer: SignOutResult };
  /** List the sites that can make room for another */
  'GET /customer/licences/{id}/switch': { params: { /** Licence identifier. */ id: string }; query: { /** The site to activate: an http or https URL. */ site_url: string }; answer: SwitchOptions };
  /** Deactivate a site and activate another */
  'POST /customer/licences/{id}/switch': { params: { /** Licence identifier. */ id: string }; body: SwitchRequest; answer: SwitchResult };
  /** Get a licence by its key, with its activation history */
  'GET /licence/info': { query: { /** The licence key. */ key: string }; answer: LicenceInfo };
  /** List the licences of the customer */
  'GET /customer/licences': { query?: { /** The `next` of the previous response: lists licences issued before it. */ before?: string; /** Part of an identifier, a masked key or the URL of an active site; or a key. */ search?: string }; answer: CustomerLicences };
  /** Get a licence by its identifier, with its activation history */
  'GET /customer/licences/{id}': { params: { /** Licence identifier. */ id: string }; answer: LicenceInfo };
  /** Email a new key of a licence */
  'POST /customer/licences/{id}/new-key': { params: { /** Licence identifier. */ id: string }; answer: NewKeyResult };
  /** Create a licence file */
  'POST /customer/licences/{id}/file': { params: { /** Licence identifier. */ id: string }; answer: LicenceFile };
  /** Deactivate a site of a licence */
  'POST /customer/licences/{id}/deactivate': { params: { /** Licence identifier. */ id: string }; body: ActivationChoice; answer: DeactivationResult };
  /** List the trials of a product that need no card */
  'GET /trials': { query?: { /** The slug of the product. Default: the default product. */ product?: string }; answer: Trials };
  /** Request a trial by email */
  'POST /trials': { body: TrialRequest; answer: TrialRequested };
  /** Start a trial */
  'POST /trials/confirm': { body: TrialConfirmation; answer: TrialStarted };
  /** Create a checkout session */
  'POST /checkout/session': { body?: CheckoutRequest; /** Requests with the same key and the same body within 24 hours return the same session. */ idempotencyKey?: string; answer: CheckoutSession };
  /** List the prices of a product */
  'GET /checkout/prices': { query?: { /** The slug of the product. Default: the default product. */ product?: string }; answer: Prices };
  /** Get the renewal options of a licence */
  'GET /customer/licences/{id}/renewal': { params: { /** Licence identifier. */ id: string }; answer: RenewalOptions };
  /** Renew a licence on the same key */
  'POST /customer/licences/{id}/renew': { params: { /** Licence identifier. */ id: string }; body?: RenewalRequest; /** Requests with the same key and the same body within 24 hours return the same session. */ idempotencyKey?: string; answer: RenewalSession };
  /** Get a URL of the Billing Portal */
  'GET /customer/portal': { query?: { /** Licence identifier. Default: the latest purchase of the customer with invoices. */ licence?: string }; answer: PortalSession };
  /** Receive an event from Stripe */
  'POST /webhooks/stripe': { answer: WebhookReceipt };
  /** Get the service status */
  'GET /health': { answer: Health };
}

/** Routes that take an idempotency key. */
export const KEYED_ROUTES: ReadonlySet<string> = new Set([
  'POST /admin/licences',
  'POST /checkout/session',
  'POST /customer/licences/{id}/renew',
]);
