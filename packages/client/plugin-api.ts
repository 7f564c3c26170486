// Made from the OpenAPI document by `npm run client-types`; not to be changed by hand.

export type ConsentDecision = { /** Identifies the visitor. The banner generates a random one with the first choice. */ visitor_id: string; consent_action: "accept_all" | "reject_all" | "manage"; /** Category ids. Completed by the server for `accept_all` and `reject_all`. */ categories_accepted?: (string)[]; /** Category ids. Completed by the server for `accept_all` and `reject_all`. */ categories_rejected?: (string)[]; /** Slugs of vendors that are accepted although their category is rejected (`consent.vendor_choices`). Vendors that visitors cannot choose one by one, for example because they were deleted, and those whose category is accepted, are left out of the record. */ vendors_accepted?: (string)[]; /** Slugs of vendors that are rejected although their category is accepted. The same are left out, those whose category is rejected as well. */ vendors_rejected?: (string)[]; /** The banner version that was shown, from `GET /consent/status` or `GET /consent/texts`. If absent, the record states no version. An unknown or outdated version is rejected with 400 and `data.current_version`. */ config_version?: number; /** The hash of that version, from `GET /consent/texts`, or at least its first 16 digits. A hash that does not match is rejected with 400. */ config_hash?: string; /** Where the choice was made: `banner`, `preferences`, `placeholder`, `gpc` or `api`; `shared` for a choice that the person made on another device, and `resent` for one that is sent again with a `subject_token`. `erasure` is rejected: it marks the withdrawal that Pavis records when it erases the data of a visitor. */ source?: string; /** A language tag. The record has its first 35 characters. */ language?: string; /** Stored without its query string, if that leaves an http or https URL of up to 2048 characters. Otherwise the record has none. */ page_url?: string; /** Whether the browser sent Global Privacy Control. */ gpc?: boolean; /** The time of the choice in epoch seconds. A choice that is sent late does not replace a newer one in the cookie of the site. The record has the time at which the server received it, but with `source` `resent` it expires as if it had been received at `at`, and at the earliest when it is received. This cannot extend consent, so it requires no valid `subject_token`. */ at?: number; /** The token that the server of the site made for the signed-in person (`consent.shared_choices`): the choice then counts as the latest of this person on all their devices, unless `source` is `shared`. Requires `config_version`. A token that is malformed, expired, not signed with the subject key or used by another visitor is ignored, and the response is the same. */ subject_token?: string; /** Kept for the banner in the cookie of the site: what it compared last, and when. */ shared?: string; /** Kept for the banner in the cookie of the site: whether it has to send the choice again with a valid `subject_token`. */ unshared?: boolean; /** The `visitor_token` of an earlier response, or `true` to get one (default: false). Visitors with a token are counted apart from others at their network address and get a renewed token. A response has a token only if the visitor id cannot be guessed (a version 4 UUID, or an id that the banner generated) and the client recorded the first consent under it. */ visitor_token?: boolean | string };

export type ConsentResult = { id: number; message: string; /** Proves possession of the visitor id in a subject request and with the next choice, until the consent expires. Only the client that recorded the first consent under the id gets one. Store it with the visitor id and send it with the next choice; the response has a renewed one. */ visitor_token?: string };

export type Error = { /** A code for programs. */ code: string; /** What is wrong, for people. */ message: string; /** The status and details of the error. With `rest_missing_callback_param`, `params` lists the missing parameters. With `rest_invalid_param`, `params` and `details` say what is wrong with each. */ data: { /** The HTTP status. */ status: number } };

export type SharedChoiceQuery = { /** The token that the server of the site made for the signed-in person. */ subject_token: string; /** Identifies the visitor. The banner generates a random one with the first choice. */ visitor_id: string };

export type SharedChoice = { consent_action: "accept_all" | "reject_all" | "manage"; categories_accepted: (string)[]; categories_rejected: (string)[]; /** Vendors that were accepted although their category was not. */ vendors_accepted?: (string)[]; /** Vendors that were rejected although their category was accepted. */ vendors_rejected?: (string)[]; /** The banner version that the person saw. */ config_version: number; language: string | null; /** Whether nothing optional was on before the choice. If false, it is no consent where visitors must be asked first. */ asked_first: boolean; /** When the server recorded the choice, or when it was made if it was sent again. */ created_at: string; /** When the consent expires. */ expires_at: string; /** Seconds since `created_at`, by the clock of the server. */ age: number };

/** The latest choice of the person. Null if there is none to which consent is still valid, if the token does not count, and while `consent.shared_choices` is off. */
export type SharedChoiceResult = { choice: SharedChoice | null };

export type ConsentSubjectKey = { /** The text that is the HMAC key, as it is. It must stay on the server of the site. */ key: string };

export type BannerPaletteUpdate = { background?: string | null; text?: string | null; muted?: string | null; accent?: string | null; border?: string | null };

export type BannerColorsUpdate = { light?: BannerPaletteUpdate; dark?: BannerPaletteUpdate };

export type BannerLogo = { /** A path on the page’s own site, for example `/logo.svg`, or an address on an allowed origin. Others are refused, because the banner requests the logo before consent. */ url: string; /** Alternative text. Empty: decorative. */ alt: string; /** Height in CSS pixels. It is reserved, so that the layout does not shift. */ height: number };

export type BannerAppearanceUpdate = { /** At the positions `bottom` and `top`. `card`: as wide as the page, with a margin. `bar`: from edge to edge. `box`: as narrow as in a corner. */ layout?: "card" | "bar" | "box"; /** `system`: that of the visitor. */ theme?: "system" | "light" | "dark"; colors?: BannerColorsUpdate; /** Corner radius in CSS pixels. */ radius?: number; /** `inherit`: the font of the page’s body. */ font?: "system" | "serif" | "monospace" | "inherit"; logo?: BannerLogo | null; /** The buttons of the first layer in their order. All have the same style. */ button_order?: ("reject" | "accept" | "manage")[]; /** The corner of the button that opens the preferences. `off`: the site must have an element with `data-pavis-open` on each page, because withdrawing consent must be as easy as giving it (GDPR Art. 7(3)). */ reopen_button?: "bottom-left" | "bottom-right" | "top-left" | "top-right" | "off" };

export type BannerAppearanceCheck = { appearance: BannerAppearanceUpdate };

/** What differs from the default appearance. Absent if nothing does. */
export type ShownBannerAppearance = { /** CSS for the shadow root of the banner. */ styles?: string; /** The buttons of the first layer in their order. All have the same style. */ button_order?: ("reject" | "accept" | "manage")[]; /** The corner of the button that opens the preferences. `off`: the site must have an element with `data-pavis-open` on each page, because withdrawing consent must be as easy as giving it (GDPR Art. 7(3)). */ reopen_button?: "bottom-left" | "bottom-right" | "top-left" | "top-right" | "off" };

export type BannerContrast = { scheme: "light" | "dark"; /** The colour in front. */ color: "background" | "text" | "muted" | "accent" | "border"; /** `button`: the background of buttons, with 9 % of the accent. */ against: "background" | "button"; foreground: string; ground: string; /** The measured contrast, rounded down to two decimals. */ ratio: number; /** The contrast that WCAG 2.2 AA requires. */ needed: number; passes: boolean; nearest: string | null };

export type CheckedBannerAppearance = { shown: ShownBannerAppearance; /** The default colours. */ defaults: { light: { background: string; text: string; muted: string; accent: string; border: string }; dark: { background: string; text: string; muted: string; accent: string; border: string } }; /** Each pair of colours in both themes. `PUT /settings` refuses what does not pass. */ contrasts: (BannerContrast)[] };

export type ConsentCategory = { id: string; label: string; required: boolean };

export type ConsentBannerSettings = { position: "bottom" | "top" | "bottom-left" | "bottom-right" | "top-left" | "top-right" | "center"; title: string; message: string; accept_text: string; reject_text: string; /** Consent lifetime in days. */ expiry_days: number; privacy_url: string };

export type ConsentStatus = { enabled: boolean; categories: Record<string, ConsentCategory>; settings: ConsentBannerSettings; /** The current banner version. Each published change raises it. */ version: number; appearance?: ShownBannerAppearance };

export type ConsentCategoryTexts = { label: string; description: string };

export type ConsentTexts = { /** The language of these texts. */ language: string; direction: "ltr" | "rtl"; title: string; message: string; /** Shown in place of `message` where the regime of the visitor does not require consent first. */ opt_out_message: string; /** The button that opens the preferences where the regime requires a link to opt out. In California: Your Privacy Choices (11 CCR § 7015). */ opt_out_text: string; /** Shown where the regime requires a confirmation that Global Privacy Control was honoured. */ opted_out_text: string; /** Shown where the regime exempts own use. `{categories}` stands for the names of the categories that are on without consent. */ own_use_text: string; accept_text: string; reject_text: string; manage_text: string; save_text: string; /** The label of the link to `privacy_url`. */ privacy_text: string; /** The label of the link to the receipt, in the preferences after a choice. */ receipt_text: string; /** The label of the visitor id, in the preferences after a choice. */ consent_id_text: string; /** What visitors can use this id for. */ consent_id_help_text: string; /** The button that rejects all categories, in the preferences after consent. */ withdraw_text: string; /** The button that shows the vendors of a category and their cookies. */ vendors_text: string; /** The lifetime of a session cookie. */ session_text: string; /** The lifetime of what has no end, in storage. */ until_deleted_text: string; /** A lifetime that the vendor library lists and no scan has observed. `{duration}` stands for the lifetime. */ typical_text: string; /** The button that opens the preferences again. */ reopen_text: string; /** The label of a required category. */ required_text: string; /** Shown in place of embedded content that is blocked. `{host}` stands for the host that provides it. */ placeholder_text: string; /** The button that loads this content once. */ load_text: string; /** The button that accepts the category of the content. `{category}` stands for its label. */ always_text: string; /** With `shared_choices`, shown after the message: for whom the choice applies elsewhere. */ shared_text: string; /** The same with `vendor_choices`, for content of a vendor with a switch. It accepts this vendor only. `{vendor}` stands for its name. */ always_vendor_text: string; categories: Record<string, ConsentCategoryTexts>; /** The banner version of these texts. */ version: number; /** SHA-256 of the stored version. */ hash: string; /** The oldest version to which consent is still valid. */ asked_since: number };

export type BannerPicture = { id: number; /** The banner version. */ version: number; language: string; /** The banner as it opens, or its preferences. */ layer: "banner" | "preferences"; /** The size in CSS pixels: phone (390 × 844) or desktop (1280 × 800). */ viewport: "phone" | "desktop"; /** The colour scheme of the visitor’s system. */ scheme: "light" | "dark"; /** SHA-256 of the PNG file. */ sha256: string; /** SHA-256 of the built files `banner.js`, `banner.details.js` and `banner.preferences.js`, one after another, with which the picture was taken. */ build_hash: string; /** When the picture was taken. */ taken_at: string; /** The PNG file. Requires the same capability. */ url: string };

export type BannerPictures = { version: number; pictures: (BannerPicture)[]; /** The number of pictures of this version that are still to be taken. */ missing: number; /** `unavailable`: no browser could be started to take missing pictures. */ browser: "ok" | "unavailable"; /** Says whether pictures are missing, and why. */ message: string };

export type ConsentRecord = { id: number; visitor_id: string; categories_accepted: (string)[]; categories_rejected: (string)[]; consent_action: "accept_all" | "reject_all" | "manage"; /** When the server recorded the choice. Anonymising leaves the start of the day in UTC. */ created_at: string; config_version: number | null; /** When the consent expires. Anonymising leaves the end of the day in UTC. */ expires_at: string; source: string | null; language: string | null; page_url: string | null; gpc: boolean | null; banner_pictures: string | null; /** Vendors that were accepted although their category was not. */ vendors_accepted: (string)[]; /** Vendors that were rejected although their category was accepted. */ vendors_rejected: (string)[]; /** The day of the choice in the time zone of the site. It stays when the record is anonymised. */ day: string; /** Whether the visitor id, the times and further personal data have been removed. */ anonymised: boolean };

export type ConsentActionCounts = { accept_all: number; reject_all: number; manage: number };

export type ConsentCategoryStats = { accepted: number; rejected: number; acceptance_rate: number };

export type ConsentDayStats = { date: string; total: number; by_action: ConsentActionCounts };

export type ConsentStats = { period: { from: string; to: string } | null; total: number; by_action: ConsentActionCounts; categories: Record<string, ConsentCategoryStats>; /** Each day of the period in order. Without a period: the last 30 days. */ daily: (ConsentDayStats)[] };

/** Why this node cannot write the log at present. Consent choices are recorded, and logged once the problem is solved. */
export type ConsentLogError = { /** When it occurred last. */ at: string; message: string };

/** The log does not begin with the entries that the database has noted, or an entry was changed. It is not written until the log is back or replaced. Consent choices are recorded all the same. */
export type ConsentLogLoss = { /** What is wrong. */ message: string; /** What to do. */ advice: string };

export type LostConsentLog = { /** The name of the log. */ origin: string; /** Number of its entries, as far as is known. */ size: number; /** When the log that followed it was started, or when this was stated again after a restore of the database from before. */ replaced_at: string; /** Its public key, with which receipts of the lost log are verified. */ verifier_key: string };

export type DatabaseRestore = { /** When the server recognised the restore. */ restored_at: string; /** Number of consent records that were lost. */ consent_records: number; /** Number of other logged records that were lost, for example of banner versions. */ log_records: number };

export type ConsentLogWitness = { /** The name in its verifier key. */ name: string; url: string; /** Verifier key of the witness. */ key: string; size: number | null; cosigned_at: string | null; error: string | null; error_at: string | null; /** Whether the witness has cosigned entries that this log does not have: it was changed, shortened, or restored from a backup. */ contradicts: boolean };

/** The consent log. It holds a hash of each consent choice, and nothing else about it. */
export type ConsentLogState = { /** The name of the log and of its key. */ origin: string; /** The public key with which checkpoints are verified, as in C2SP signed-note. */ verifier_key: string; /** Number of entries. */ size: number; root: string | null; checkpoint_at: string | null; /** Number of rows without an entry. Usually those of the last second; they are logged in the background. */ not_logged: number; not_logged_since: string | null; last_error: ConsentLogError | null; loss: ConsentLogLoss | null; /** Logs that were lost and replaced with `pavis log restart`, newest first. Of records from before, it is proven only that they were there then. */ lost_logs: (LostConsentLog)[]; /** Restores of the database from a backup that lost logged records, newest first. Always empty on PostgreSQL, where the log is restored with the database. */ restores: (DatabaseRestore)[]; /** The witnesses of the settings, with their last cosignatures and errors. */ witnesses: (ConsentLogWitness)[]; cosigned_checkpoint: string | null; /** Whether everyone may read the checkpoint, hashes and entries. */ public: boolean };

export type ConsentLogVerificationRequest = { /** Whether to compare the contents of each record with the log, and not only which records there are. */ deep?: boolean };

export type VerificationProblem = { kind: "log" | "checkpoint" | "altered" | "missing" | "unlogged"; subject: "consent_record" | "log_record" | null; first_id: number | null; last_id: number | null; /** Number of rows. */ count: number; message: string; /** What to do. */ advice: string };

/** The result of a verification of the consent log. */
export type VerificationReport = { /** When the verification started. */ started_at: string; /** How long it took. */ seconds: number; /** Whether the contents of each record were compared. */ deep: boolean; /** Whether there is no problem. */ ok: boolean; origin: string | null; /** Number of entries. */ size: number; checkpoint_at: string | null; /** Checkpoints with which the log was compared, besides its own. */ checkpoints: ({ name: string; /** Who has kept it: a person, a witness (of its last one there is a copy beside the log), or the main database. */ source: "file" | "witness" | "database"; size: number | null; /** Whether the log begins with its entries. */ consistent: boolean })[]; /** Logs that were lost and replaced with `pavis log restart`. Of records from before, it is proven only that they were there then. */ lost_logs: ({ /** The name of the log. */ origin: string; /** Number of its entries, as far as is known. */ size: number; /** When the log that followed it was started, or when this was stated again after a restore of the database from before. */ replaced_at: string })[]; /** Consent records by their state. */ consent_records: { /** Unchanged since they were logged. */ intact: number; /** There, without a comparison of their contents. */ present: number; /** From before the log: unchanged since the log began, if contents were compared. */ earlier: number; /** Anonymised by a logged run. The facts are unchanged. If contents were compared, the other columns have nothing but what anonymising leaves. */ anonymised: number; /** Deleted by a logged run. */ deleted: number; /** Lost when the database was restored from a backup, which is logged. */ lost: number; /** Recorded in the last minute and not logged yet. */ pending: number; /** Changed after they were logged, or anonymised without a logged run. */ altered: number; /** Logged, and removed without a logged run. */ missing: number; /** Without an entry in the log. */ unlogged: number }; /** Records of facts by their state. */ log_records: { /** Unchanged since they were logged. */ intact: number; /** There, without a comparison of their contents. */ present: number; /** From before the log: unchanged since the log began, if contents were compared. */ earlier: number; /** Anonymised by a logged run. The facts are unchanged. If contents were compared, the other columns have nothing but what anonymising leaves. */ anonymised: number; /** Deleted by a logged run. */ deleted: number; /** Lost when the database was restored from a backup, which is logged. */ lost: number; /** Recorded in the last minute and not logged yet. */ pending: number; /** Changed after they were logged, or anonymised without a logged run. */ altered: number; /** Logged, and removed without a logged run. */ missing: number; /** Without an entry in the log. */ unlogged: number }; problem_count: number; problems: (VerificationProblem)[] };

/** A verification of the consent log. Its report lists the first 100 problems and has the number of all; `pavis log verify --json` lists all. */
export type ConsentLogVerification = { id: number; /** Whether the contents of each record are compared. */ deep: boolean; /** `completed`: see `report`, which may list problems. `failed`: see `error`. `interrupted`: the server stopped before the end. */ status: "running" | "completed" | "failed" | "interrupted"; /** When it started. */ started_at: string; finished_at: string | null; /** Number of entries and records that were checked. */ done: number; /** Number of entries and records to check; 0 until they are counted. */ total: number; error: string | null; report: VerificationReport | null };

/** A consent record, compared with its entry in the consent log. */
export type ConsentRecordState = { id: number; /** `intact`: unchanged since it was logged. `earlier`: from before the log, unchanged since the log began. `anonymised`: its facts are unchanged, and the other columns have nothing but what anonymising leaves; a verification of the log checks that a logged run did it. `altered`: other content than was logged. `pending`: recorded in the last minute and not logged yet. `unlogged`: older, without an entry. */ state: "intact" | "earlier" | "anonymised" | "altered" | "pending" | "unlogged"; index: number | null; /** Number of entries of the log. */ size: number };

export type RegimeRuleSource = { /** Article or section. */ article: string; title: string; url: string };

export type RegimeFlag = { value: boolean; source: RegimeRuleSource | null; note: string | null; valid_from: string | null; valid_until: string | null };

/** Purposes that need notice and an easy objection only, if the site uses the data for itself. */
export type RegimePurposes = { value: ("statistics" | "appearance")[]; source: RegimeRuleSource | null; note: string | null; valid_from: string | null; valid_until: string | null };

/** Days after a refusal in which visitors are not asked again; 0: no such rule. */
export type RegimeDays = { value: number; source: RegimeRuleSource | null; note: string | null; valid_from: string | null; valid_until: string | null };

export type RegimeRules = { must_ask: RegimeFlag; /** Rejecting is as easy as accepting. */ reject_equals_accept: RegimeFlag; /** Global Privacy Control counts as an opt-out. */ gpc_is_opt_out: RegimeFlag; /** A link to opt out is always shown. */ show_opt_out_link: RegimeFlag; /** Visitors see that their signal was honoured. */ confirm_opt_out: RegimeFlag; exempt_purposes: RegimePurposes; refused_until_days: RegimeDays };

export type Regime = { id: "eu" | "uk" | "us" | "ch" | "br" | "default"; title: string; summary: string; /** ISO 3166-1 alpha-2, and XK (Kosovo). `default` has all that no other regime has. */ countries: (string)[]; rules: RegimeRules };

export type Regimes = { /** The day whose rules these are. */ date: string; regimes: (Regime)[] };

/** The rules that apply to the visitor. Where rules of their country are stricter than those of the chosen regime, they are in their place. `refused_until_days` is the minimum; the setting `consent.refused_until_days` can be longer. */
export type RegimeRuleValues = { /** Visitors are asked before anything is stored that is not strictly necessary. */ must_ask: boolean; /** Rejecting is as easy as accepting. */ reject_equals_accept: boolean; /** Global Privacy Control counts as an opt-out. */ gpc_is_opt_out: boolean; /** A link to opt out is always shown. */ show_opt_out_link: boolean; /** Visitors see that their signal was honoured. */ confirm_opt_out: boolean; /** Purposes that need notice and an easy objection only, if the site uses the data for itself. */ exempt_purposes: ("statistics" | "appearance")[]; /** Days after a refusal in which visitors are not asked again; 0: no such rule. */ refused_until_days: number };

export type VisitorRegime = { /** Today, in the time zone of the site. */ date: string; /** The regime that applies under the setting `consent.regimes`: `default` with `opt_in_everywhere`, or if the country of the visitor is unknown. */ regime: "eu" | "uk" | "us" | "ch" | "br" | "default"; rules: RegimeRuleValues };

/** An origin whose pages were refused because it is not allowed. */
export type RefusedOrigin = { id: number; /** Scheme, host and port. */ origin: string; /** How many requests were refused. */ requests: number; /** The first refused request. */ first_at: string; /** The latest refused request. */ last_at: string };

export type DeletedRefusedOrigin = { deleted: true; previous: RefusedOrigin };

export type BannerLanguage = { language: string; /** The name of the language in English. */ name: string; /** The name of the language in the language itself. */ native_name: string; direction: "ltr" | "rtl"; /** Whether the texts are machine-translated. Those in English and German are not. */ needs_review: boolean };

export type BannerLanguageCategory = { id: "functional" | "analytics" | "marketing" | "personalisation"; label: string; description: string };

export type BannerLanguageTexts = { language: string; title: string; message: string; /** Shown in place of `message` where the regime of the visitor does not require consent first. */ opt_out_message: string; /** The button that opens the preferences where the regime requires a link to opt out. In California: Your Privacy Choices (11 CCR § 7015). */ opt_out_text: string; /** Shown where the regime requires a confirmation that Global Privacy Control was honoured. */ opted_out_text: string; /** Shown where the regime exempts own use. `{categories}` stands for the names of the categories that are on without consent. */ own_use_text: string; accept_text: string; reject_text: string; manage_text: string; save_text: string; /** The label of the link to `privacy_url`. */ privacy_text: string; /** The label of the link to the receipt, in the preferences after a choice. */ receipt_text: string; /** The label of the visitor id, in the preferences after a choice. */ consent_id_text: string; /** What visitors can use this id for. */ consent_id_help_text: string; /** The button that rejects all categories, in the preferences after consent. */ withdraw_text: string; /** The button that shows the vendors of a category and their cookies. */ vendors_text: string; /** The lifetime of a session cookie. */ session_text: string; /** The lifetime of what has no end, in storage. */ until_deleted_text: string; /** A lifetime that the vendor library lists and no scan has observed. `{duration}` stands for the lifetime. */ typical_text: string; /** The button that opens the preferences again. */ reopen_text: string; /** The label of a required category. */ required_text: string; /** Shown in place of embedded content that is blocked. `{host}` stands for the host that provides it. */ placeholder_text: string; /** The button that loads this content once. */ load_text: string; /** The button that accepts the category of the content. `{category}` stands for its label. */ always_text: string; /** With `shared_choices`, shown after the message: for whom the choice applies elsewhere. */ shared_text: string; /** The same with `vendor_choices`, for content of a vendor with a switch. It accepts this vendor only. `{vendor}` stands for its name. */ always_vendor_text: string; /** The categories of a new installation. */ categories: (BannerLanguageCategory)[]; /** The texts are machine-translated, and no one has reviewed them. Visitors see them nevertheless. Set it to false, or leave it out, after a review. Changing it never asks visitors again. */ needs_review?: boolean };

export type BannerPalette = { background: string | null; text: string | null; muted: string | null; accent: string | null; border: string | null };

export type BannerColors = { light: BannerPalette; dark: BannerPalette };

/** Colours must meet WCAG 2.2 AA. Attributes of the banner’s tag win over these settings. Changing them never asks visitors again. Versions from before this setting do not have it. */
export type BannerAppearance = { /** At the positions `bottom` and `top`. `card`: as wide as the page, with a margin. `bar`: from edge to edge. `box`: as narrow as in a corner. */ layout: "card" | "bar" | "box"; /** `system`: that of the visitor. */ theme: "system" | "light" | "dark"; colors: BannerColors; /** Corner radius in CSS pixels. */ radius: number; /** `inherit`: the font of the page’s body. */ font: "system" | "serif" | "monospace" | "inherit"; logo: BannerLogo | null; /** The buttons of the first layer in their order. All have the same style. */ button_order: ("reject" | "accept" | "manage")[]; /** The corner of the button that opens the preferences. `off`: the site must have an element with `data-pavis-open` on each page, because withdrawing consent must be as easy as giving it (GDPR Art. 7(3)). */ reopen_button: "bottom-left" | "bottom-right" | "top-left" | "top-right" | "off" };

export type RegimeOverride = { /** ISO 3166-1 alpha-2, or XK (Kosovo). */ country: string; regime: "eu" | "uk" | "us" | "ch" | "br" | "default" };

/** Which rules apply. The banner and `GET /consent/regime` follow this setting. */
export type RegimeSettings = { /** `opt_in_everywhere`: all visitors are asked for consent, wherever they are. `by_country`: visitors are asked by the rules of their country, and for consent if it is unknown. In both cases, duties of their country remain, for example the opt-out link in the United States. */ mode: "opt_in_everywhere" | "by_country"; /** Regimes for single countries in place of their own, with `by_country`. A country with a regime of its own can only get one whose question is at least as strict today. Pavis does not know the law of the countries of `default`: there you can choose any regime and are responsible for the choice. */ overrides: (RegimeOverride)[] };

export type BannerTranslation = { language: string; title?: string; message?: string; /** Shown in place of `message` where the regime of the visitor does not require consent first. */ opt_out_message?: string; /** The button that opens the preferences where the regime requires a link to opt out. In California: Your Privacy Choices (11 CCR § 7015). */ opt_out_text?: string; /** Shown where the regime requires a confirmation that Global Privacy Control was honoured. */ opted_out_text?: string; /** Shown where the regime exempts own use. `{categories}` stands for the names of the categories that are on without consent. */ own_use_text?: string; accept_text?: string; reject_text?: string; manage_text?: string; save_text?: string; /** The label of the link to `privacy_url`. */ privacy_text?: string; /** The label of the link to the receipt, in the preferences after a choice. */ receipt_text?: string; /** The label of the visitor id, in the preferences after a choice. */ consent_id_text?: string; /** What visitors can use this id for. */ consent_id_help_text?: string; /** The button that rejects all categories, in the preferences after consent. */ withdraw_text?: string; /** The button that shows the vendors of a category and their cookies. */ vendors_text?: string; /** The lifetime of a session cookie. */ session_text?: string; /** The lifetime of what has no end, in storage. */ until_deleted_text?: string; /** A lifetime that the vendor library lists and no scan has observed. `{duration}` stands for the lifetime. */ typical_text?: string; /** The button that opens the preferences again. */ reopen_text?: string; /** The label of a required category. */ required_text?: string; /** Shown in place of embedded content that is blocked. `{host}` stands for the host that provides it. */ placeholder_text?: string; /** The button that loads this content once. */ load_text?: string; /** The button that accepts the category of the content. `{category}` stands for its label. */ always_text?: string; /** With `shared_choices`, shown after the message: for whom the choice applies elsewhere. */ shared_text?: string; /** The same with `vendor_choices`, for content of a vendor with a switch. It accepts this vendor only. `{vendor}` stands for its name. */ always_vendor_text?: string; categories?: ({ id: string; label?: string; description?: string })[]; /** The texts are machine-translated, and no one has reviewed them. Visitors see them nevertheless. Set it to false, or leave it out, after a review. Changing it never asks visitors again. */ needs_review?: boolean };

export type ConsentCategorySettings = { id: string; label: string; description: string; /** Strictly necessary: always active, and visitors are not asked. The category `functional` must be required. */ required: boolean; /** The site uses the data of the category only for itself and only for this purpose: `statistics` to improve the service or the website, `appearance` to adapt it to preferences of the visitor. Where the rules of the country exempt the purpose (`exempt_purposes`), the category needs notice and an easy objection in place of consent. Leave it out if a vendor uses the data for purposes of its own. */ own_use?: "statistics" | "appearance" };

export type ConsentSettings = { /** If false, no banner is shown and blocked content stays blocked. */ enabled: boolean; position: "bottom" | "top" | "bottom-left" | "bottom-right" | "top-left" | "top-right" | "center"; appearance: BannerAppearance; title: string; message: string; /** Shown in place of `message` where the regime of the visitor does not require consent first. */ opt_out_message: string; /** The button that opens the preferences where the regime requires a link to opt out. In California: Your Privacy Choices (11 CCR § 7015). */ opt_out_text: string; /** Shown where the regime requires a confirmation that Global Privacy Control was honoured. */ opted_out_text: string; /** Shown where the regime exempts own use. `{categories}` stands for the names of the categories that are on without consent. */ own_use_text: string; accept_text: string; reject_text: string; manage_text: string; save_text: string; /** The label of the link to `privacy_url`. */ privacy_text: string; /** The label of the link to the receipt, in the preferences after a choice. */ receipt_text: string; /** The label of the visitor id, in the preferences after a choice. */ consent_id_text: string; /** What visitors can use this id for. */ consent_id_help_text: string; /** The button that rejects all categories, in the preferences after consent. */ withdraw_text: string; /** The button that shows the vendors of a category and their cookies. */ vendors_text: string; /** The lifetime of a session cookie. */ session_text: string; /** The lifetime of what has no end, in storage. */ until_deleted_text: string; /** A lifetime that the vendor library lists and no scan has observed. `{duration}` stands for the lifetime. */ typical_text: string; /** The button that opens the preferences again. */ reopen_text: string; /** The label of a required category. */ required_text: string; /** Shown in place of embedded content that is blocked. `{host}` stands for the host that provides it. */ placeholder_text: string; /** The button that loads this content once. */ load_text: string; /** The button that accepts the category of the content. `{category}` stands for its label. */ always_text: string; /** With `shared_choices`, shown after the message: for whom the choice applies elsewhere. */ shared_text: string; /** The same with `vendor_choices`, for content of a vendor with a switch. It accepts this vendor only. `{vendor}` stands for its name. */ always_vendor_text: string; /** Consent lifetime in days. */ expiry_days: number; /** Days after a refusal in which visitors are not asked again, or longer where the rules of their country require it. A material change (`ask_again_on`) ends it earlier. */ refused_until_days: number; regimes: RegimeSettings; privacy_url: string; /** The languages of the site. The texts outside `translations` are in the first. If you change the first, the texts change places with its translation, which must be complete and reviewed. Change texts in an update of their own, or send all texts, and no translation into the new first language. */ languages: (string)[]; /** The texts in other languages. A missing text is shown in the first language. */ translations: (BannerTranslation)[]; /** The consent categories. Scripts of a category that is removed stay registered and blocked until they get another category or it is added again. */ categories: (ConsentCategorySettings)[]; /** The changes after which visitors are asked again. `vendors`: a vendor is added. `purposes`: a purpose is added. Both are those of active data map entries whose legal basis is consent. `categories`: a category is added, removed, or made required or optional. `texts`: the title, the message, the address of the privacy policy, or the name or description of a category changes, in any language. */ ask_again_on: ("vendors" | "purposes" | "categories" | "texts")[]; /** Whether the preferences have a switch for each vendor with active scripts in the registry, besides those of the categories. Only these vendors can be blocked one by one. */ vendor_choices: boolean; /** Whether the choice of a person who is signed in at the site applies on all their devices where they are signed in. The server of the site makes a token for each page view, with the key of `GET /consent/subject-key`. Visitors read `shared_text` below the message. Changing it never asks visitors again. */ shared_choices: boolean; /** The services that the banner informs about consent, each in the form that the service defines. `google`: Google Consent Mode v2, on by default, because tags of Google use cookies without it. `wordpress`: the WP Consent API. `uet`: Microsoft Advertising (UET consent mode). `clarity`: Microsoft Clarity (Consent API v2). `meta`: Meta Pixel. `shopify`: the Customer Privacy API of Shopify. A signal blocks no tag. Under versions from before this setting, `google` and `wordpress` were on. Changing it never asks visitors again. */ signals: ("google" | "wordpress" | "uet" | "clarity" | "meta" | "shopify")[] };

export type DsarSettings = { enabled: boolean; /** The law whose deadlines, rights and remedies apply. */ regime: "gdpr" | "uk" | "ccpa" | "lgpd"; /** Erase without the approval of a person, once the address is confirmed. It applies to deletion requests whose work begins after it is set. */ auto_erase: boolean };

export type MailSettings = { /** The sender name of emails, except those about licences. Default: the name of the controller. */ from_name: string; /** The reply-to address of emails about requests. Default: the email address of the controller, then `PAVIS_MAIL_FROM` unless it is a no-reply address. */ reply_to: string };

/** The controller (GDPR Art. 4(7)). Shown in emails, data packages, the privacy notice of the request form and the records of processing activities. */
export type ControllerSettings = { /** The organisation or person. */ name: string; /** The postal address; line breaks are kept. */ address: string; /** The email address of the controller, or empty. */ email: string; /** The data protection officer, if any. */ dpo_name: string; /** The email address of the data protection officer, or empty. */ dpo_email: string };

export type OriginSettings = { /** Origins (scheme, host and port) whose pages may record consent and read what the banner needs, beside those of PAVIS_ALLOWED_ORIGINS and the origin of this service. */ allowed: (string)[] };

export type ScanSchedule = { /** Whether the server scans the site on this schedule. */ enabled: boolean; /** Cron expression in the time zone of the installation: minute, hour, day of month, month and day of week. `0 3 * * *` is every day at 03:00, `0 3 * * 1` every Monday at 03:00. */ cron: string; /** States in which each page is visited, as in `POST /scanner/scans`. */ states: ("before" | "rejected" | "accepted" | "withdrawn" | "gpc")[]; /** Crawl depth. */ depth: number };

export type ScannerSettings = { /** Maximum number of pages of a scan. */ max_pages: number; /** Number of pages scanned at the same time. */ concurrency: number; /** States in which each page is visited by a scan for which none are named. `before` is always included. */ states: ("before" | "rejected" | "accepted" | "withdrawn" | "gpc")[]; /** Scan pages that robots.txt disallows too: for a site of your own, such as a staging site, whose robots.txt keeps search engines out. */ ignore_robots: boolean; /** Slugs of vendors that are strictly necessary for your site: their findings need no consent (ePrivacy Directive Art. 5(3)). It applies to pages that are scanned later. */ necessary_vendors: (string)[]; schedule: ScanSchedule };

export type LogWitness = { /** Address before `/add-checkpoint`: https, or http on this machine. */ url: string; /** The verifier key, as `pavis witness key` prints it. */ key: string };

export type ConsentLogSettings = { /** Whether everyone may read the checkpoint, hashes and entries of the consent log. They contain no personal data, but tell how many consent choices were recorded. */ public: boolean; /** Servers that confirm that the log only grows (C2SP tlog-witness). */ witnesses: (LogWitness)[]; /** Whether the newest checkpoint is sent once a day to the data protection officer, or without one to the controller, if the log has grown and an address is set. */ mail_checkpoint: boolean };

export type Settings = { consent: ConsentSettings; dsar: DsarSettings; mail: MailSettings; controller: ControllerSettings; origins: OriginSettings; scanner: ScannerSettings; consent_log: ConsentLogSettings };

export type RegimeSettingsUpdate = { /** `opt_in_everywhere`: all visitors are asked for consent, wherever they are. `by_country`: visitors are asked by the rules of their country, and for consent if it is unknown. In both cases, duties of their country remain, for example the opt-out link in the United States. */ mode?: "opt_in_everywhere" | "by_country"; /** Regimes for single countries in place of their own, with `by_country`. A country with a regime of its own can only get one whose question is at least as strict today. Pavis does not know the law of the countries of `default`: there you can choose any regime and are responsible for the choice. */ overrides?: (RegimeOverride)[] };

export type ConsentSettingsUpdate = { /** If false, no banner is shown and blocked content stays blocked. */ enabled?: boolean; position?: "bottom" | "top" | "bottom-left" | "bottom-right" | "top-left" | "top-right" | "center"; appearance?: BannerAppearanceUpdate; title?: string; message?: string; /** Shown in place of `message` where the regime of the visitor does not require consent first. */ opt_out_message?: string; /** The button that opens the preferences where the regime requires a link to opt out. In California: Your Privacy Choices (11 CCR § 7015). */ opt_out_text?: string; /** Shown where the regime requires a confirmation that Global Privacy Control was honoured. */ opted_out_text?: string; /** Shown where the regime exempts own use. `{categories}` stands for the names of the categories that are on without consent. */ own_use_text?: string; accept_text?: string; reject_text?: string; manage_text?: string; save_text?: string; /** The label of the link to `privacy_url`. */ privacy_text?: string; /** The label of the link to the receipt, in the preferences after a choice. */ receipt_text?: string; /** The label of the visitor id, in the preferences after a choice. */ consent_id_text?: string; /** What visitors can use this id for. */ consent_id_help_text?: string; /** The button that rejects all categories, in the preferences after consent. */ withdraw_text?: string; /** The button that shows the vendors of a category and their cookies. */ vendors_text?: string; /** The lifetime of a session cookie. */ session_text?: string; /** The lifetime of what has no end, in storage. */ until_deleted_text?: string; /** A lifetime that the vendor library lists and no scan has observed. `{duration}` stands for the lifetime. */ typical_text?: string; /** The button that opens the preferences again. */ reopen_text?: string; /** The label of a required category. */ required_text?: string; /** Shown in place of embedded content that is blocked. `{host}` stands for the host that provides it. */ placeholder_text?: string; /** The button that loads this content once. */ load_text?: string; /** The button that accepts the category of the content. `{category}` stands for its label. */ always_text?: string; /** With `shared_choices`, shown after the message: for whom the choice applies elsewhere. */ shared_text?: string; /** The same with `vendor_choices`, for content of a vendor with a switch. It accepts this vendor only. `{vendor}` stands for its name. */ always_vendor_text?: string; /** Consent lifetime in days. */ expiry_days?: number; /** Days after a refusal in which visitors are not asked again, or longer where the rules of their country require it. A material change (`ask_again_on`) ends it earlier. */ refused_until_days?: number; regimes?: RegimeSettingsUpdate; privacy_url?: string; /** The languages of the site. The texts outside `translations` are in the first. If you change the first, the texts change places with its translation, which must be complete and reviewed. Change texts in an update of their own, or send all texts, and no translation into the new first language. */ languages?: (string)[]; /** The texts in other languages. A missing text is shown in the first language. */ translations?: (BannerTranslation)[]; /** The consent categories. Scripts of a category that is removed stay registered and blocked until they get another category or it is added again. */ categories?: (ConsentCategorySettings)[]; /** The changes after which visitors are asked again. `vendors`: a vendor is added. `purposes`: a purpose is added. Both are those of active data map entries whose legal basis is consent. `categories`: a category is added, removed, or made required or optional. `texts`: the title, the message, the address of the privacy policy, or the name or description of a category changes, in any language. */ ask_again_on?: ("vendors" | "purposes" | "categories" | "texts")[]; /** Whether the preferences have a switch for each vendor with active scripts in the registry, besides those of the categories. Only these vendors can be blocked one by one. */ vendor_choices?: boolean; /** Whether the choice of a person who is signed in at the site applies on all their devices where they are signed in. The server of the site makes a token for each page view, with the key of `GET /consent/subject-key`. Visitors read `shared_text` below the message. Changing it never asks visitors again. */ shared_choices?: boolean; /** The services that the banner informs about consent, each in the form that the service defines. `google`: Google Consent Mode v2, on by default, because tags of Google use cookies without it. `wordpress`: the WP Consent API. `uet`: Microsoft Advertising (UET consent mode). `clarity`: Microsoft Clarity (Consent API v2). `meta`: Meta Pixel. `shopify`: the Customer Privacy API of Shopify. A signal blocks no tag. Under versions from before this setting, `google` and `wordpress` were on. Changing it never asks visitors again. */ signals?: ("google" | "wordpress" | "uet" | "clarity" | "meta" | "shopify")[] };

export type DsarSettingsUpdate = { enabled?: boolean; /** The law whose deadlines, rights and remedies apply. */ regime?: "gdpr" | "uk" | "ccpa" | "lgpd"; /** Erase without the approval of a person, once the address is confirmed. It applies to deletion requests whose work begins after it is set. */ auto_erase?: boolean };

export type MailSettingsUpdate = { /** The sender name of emails, except those about licences. Default: the name of the controller. */ from_name?: string; /** The reply-to address of emails about requests. Default: the email address of the controller, then `PAVIS_MAIL_FROM` unless it is a no-reply address. */ reply_to?: string };

export type ControllerSettingsUpdate = { /** The organisation or person. */ name?: string; /** The postal address; line breaks are kept. */ address?: string; /** The email address of the controller, or empty. */ email?: string; /** The data protection officer, if any. */ dpo_name?: string; /** The email address of the data protection officer, or empty. */ dpo_email?: string };

export type OriginSettingsUpdate = { /** Origins (scheme, host and port) whose pages may record consent and read what the banner needs, beside those of PAVIS_ALLOWED_ORIGINS and the origin of this service. */ allowed?: (string)[] };

export type ScanScheduleUpdate = { /** Whether the server scans the site on this schedule. */ enabled?: boolean; /** Cron expression in the time zone of the installation: minute, hour, day of month, month and day of week. `0 3 * * *` is every day at 03:00, `0 3 * * 1` every Monday at 03:00. */ cron?: string; /** States in which each page is visited, as in `POST /scanner/scans`. */ states?: ("before" | "rejected" | "accepted" | "withdrawn" | "gpc")[]; /** Crawl depth. */ depth?: number };

export type ScannerSettingsUpdate = { /** Maximum number of pages of a scan. */ max_pages?: number; /** Number of pages scanned at the same time. */ concurrency?: number; /** States in which each page is visited by a scan for which none are named. `before` is always included. */ states?: ("before" | "rejected" | "accepted" | "withdrawn" | "gpc")[]; /** Scan pages that robots.txt disallows too: for a site of your own, such as a staging site, whose robots.txt keeps search engines out. */ ignore_robots?: boolean; /** Slugs of vendors that are strictly necessary for your site: their findings need no consent (ePrivacy Directive Art. 5(3)). It applies to pages that are scanned later. */ necessary_vendors?: (string)[]; schedule?: ScanScheduleUpdate };

export type ConsentLogSettingsUpdate = { /** Whether everyone may read the checkpoint, hashes and entries of the consent log. They contain no personal data, but tell how many consent choices were recorded. */ public?: boolean; /** Servers that confirm that the log only grows (C2SP tlog-witness). */ witnesses?: (LogWitness)[]; /** Whether the newest checkpoint is sent once a day to the data protection officer, or without one to the controller, if the log has grown and an address is set. */ mail_checkpoint?: boolean };

export type SettingsUpdate = { consent?: ConsentSettingsUpdate; dsar?: DsarSettingsUpdate; mail?: MailSettingsUpdate; controller?: ControllerSettingsUpdate; origins?: OriginSettingsUpdate; scanner?: ScannerSettingsUpdate; consent_log?: ConsentLogSettingsUpdate };

/** A setting from the environment. Changing it requires a restart. */
export type EnvironmentSetting = { /** The variable, for example `PAVIS_SMTP_URL`. */ name: string; /** The current value; secrets are masked. */ value: string };

export type ConsentVersion = { version: number; /** SHA-256 of the stored configuration. */ hash: string; /** When this version was published. */ created_at: string; config: ConsentSettings; vendors: ({ slug: string; name: string })[] | null; purposes: (string)[] | null; /** The oldest version to which consent is valid under this one. The version itself if visitors were asked again. */ asked_since: number };

export type SettingsImportRequest = { /** The content of the exported file. */ content: string; /** Default: recognised from the content. */ format?: "complianz" | "cookieyes" | "vanilla-cookieconsent"; /** The language of the texts, for files that do not state it (Complianz). Default: the first language of the banner. */ language?: string; /** Whether the settings are saved. If false, nothing changes (dry run). */ apply?: boolean };

/** The number of lines by outcome. */
export type SettingsImportCounts = { imported: number; changed: number; ignored: number; rejected: number };

export type SettingsImportLine = { /** The place in the file. */ source: string; /** `imported`: as it is. `changed`: imported differently, see `reason`. `ignored`: not imported. `rejected`: invalid. */ outcome: "imported" | "changed" | "ignored" | "rejected"; field: string | null; value: string | null; reason: string | null };

/** For `PUT /settings`: only what differs from the settings that were read. */
export type SettingsImportUpdate = { consent?: ConsentSettingsUpdate };

export type SettingsImportChange = { /** The setting. */ field: string; before: string | null; after: string | null };

export type SettingsImportProposal = { /** `script`: for the script registry. `cookie` and `service`: for vendors and the data map. */ kind: "script" | "cookie" | "service"; name: string; category: string | null; vendor: string | null; script_url: string | null; /** The place in the file. */ source: string };

export type SettingsImport = { format: "complianz" | "cookieyes" | "vanilla-cookieconsent"; /** Whether the settings were saved. */ applied: boolean; counts: SettingsImportCounts; /** Each line of the file, in its order. Parts that are ignored are one line. */ report: (SettingsImportLine)[]; /** What to check before you publish. */ notes: (string)[]; update: SettingsImportUpdate; /** What `update` changes in the settings that were read. */ changes: (SettingsImportChange)[]; /** Why visitors are asked again with `update`. Empty: they are not. */ asks_again_because: (string)[]; /** Scripts, cookies and services of the file. They are not added. */ proposals: (SettingsImportProposal)[] };

export type Hook = { name: string; /** Only hooks of this type. */ type: "action" | "filter"; description: string; parameters: ({ name: string; type: string; description: string })[]; /** The version that added it. */ since: string };

export type ExtensionsListing = { extensions: { dsar_sources: ({ id: string; label: string })[]; consent_scripts: ({ handle: string; label: string })[]; vendors: ({ slug: string; name: string })[] }; totals: { dsar_sources: number; consent_scripts: number; vendors: number }; /** Registrations that were rejected, with the reason. */ problems: ({ extension: string; message: string })[] };

/** A company that receives data of visitors. */
export type Vendor = { id: number; name: string; slug: string; /** Purpose of processing. */ purpose: string; /** Categories of personal data. */ data_categories: (string)[]; /** Default retention period, for example `13 months`. */ default_retention: string; /** Consent category; one of the categories in the settings. A new vendor without it gets `marketing`, or the last optional category. */ category: string; /** Host names, for example `ads.example.com`, including their subdomains. */ domains: (string)[]; /** Cookie names. `*` matches any characters. */ cookies: (string)[]; privacy_url: string | null; /** What the built-in library knows about the `cookies`. Fields are null if unknown. Their purpose is that of the vendor. */ cookie_details: ({ name: string; type: "cookie" | "storage" | null; domain: string | null; lifetime: string | null; lifetime_seconds: number | null })[]; is_builtin: boolean; /** `extension`: provided by an extension and read-only. */ source: "builtin" | "custom" | "extension" };

export type VendorCreation = { name: string; /** Unique. Cannot be changed later. */ slug: string; /** Purpose of processing. */ purpose?: string; /** Categories of personal data. */ data_categories?: (string)[]; /** Default retention period, for example `13 months`. */ default_retention?: string; /** Consent category; one of the categories in the settings. A new vendor without it gets `marketing`, or the last optional category. */ category?: string; /** Host names, for example `ads.example.com`, including their subdomains. */ domains?: (string)[]; /** Cookie names. `*` matches any characters. */ cookies?: (string)[]; privacy_url?: string | null };

export type VendorUpdate = { name?: string; slug?: string; purpose?: string | null; data_categories?: (string)[] | null; default_retention?: string | null; /** Consent category; one of the categories in the settings. A new vendor without it gets `marketing`, or the last optional category. */ category?: string; domains?: (string)[] | null; cookies?: (string)[] | null; privacy_url?: string | null };

export type DeletedVendor = { deleted: true; previous: Vendor };

/** A script that is blocked until consent. */
export type Script = { id: number; /** Unique. */ handle: string; /** Display name. */ label: string; /** The consent category that must be accepted; one of those of the settings. */ category: string; /** Address of the script: an http or https URL without user name and password. */ script_url: string; /** How the script is blocked until consent. Default: type_attribute. */ blocking_method: "type_attribute" | "data_src" | "iframe_placeholder" | "dynamic_load"; is_active: 0 | 1; /** Who registered it. A script of an extension can be changed only in the extension. */ source: "custom" | "extension"; /** When it was registered. */ created_at: string; /** When it was last changed. */ updated_at: string };

export type ScriptCreation = { /** Unique. */ handle: string; /** Display name. */ label: string; /** The consent category that must be accepted; one of those of the settings. */ category: string; /** Address of the script: an http or https URL without user name and password. */ script_url: string; /** How the script is blocked until consent. Default: type_attribute. */ blocking_method?: "type_attribute" | "data_src" | "iframe_placeholder" | "dynamic_load"; /** Whether the banner loads it after consent. Default: 1. */ is_active?: 0 | 1 | boolean };

export type ScriptUpdate = { /** Unique. */ handle?: string; /** Display name. */ label?: string; /** The consent category that must be accepted; one of those of the settings. */ category?: string; /** Address of the script: an http or https URL without user name and password. */ script_url?: string; /** How the script is blocked until consent. Default: type_attribute. */ blocking_method?: "type_attribute" | "data_src" | "iframe_placeholder" | "dynamic_load"; /** Whether the banner loads it after consent. Default: 1. */ is_active?: 0 | 1 | boolean };

export type DeletedScript = { deleted: true; previous: Script };

/** An active script that is blocked until consent. */
export type BlockedScript = { /** Unique. */ handle: string; /** Display name. */ label: string; /** The consent category that must be accepted; one of those of the settings. */ category: string; /** Address of the script: an http or https URL without user name and password. */ script_url: string; /** How the script is blocked until consent. Default: type_attribute. */ blocking_method: "type_attribute" | "data_src" | "iframe_placeholder" | "dynamic_load" };

/** An entry of the data map. */
export type DataMapEntry = { id: number; vendor_name: string; vendor_slug: string; /** The vendor that processes the data. */ vendor_id: number; /** What the data is used for. */ purpose: string; /** Kinds of data that are processed. */ data_categories: (string)[]; /** Retention period as text, for example "14 months". */ retention_period: string; /** Archived entries are kept for the record. */ status: "active" | "archived"; legal_basis: "consent" | "contract" | "legal_obligation" | "vital_interests" | "public_task" | "legitimate_interests"; data_subjects: string | null; recipients: string | null; third_countries: string | null; safeguards: string | null; security_measures: string | null; controller: string | null; data_source: string | null; automated_decisions: string | null; review_date: string | null; /** The fields that GDPR Art. 30(1)(c) to (g) requires and that are empty. `safeguards` is listed only if `third_countries` names any; write "None" where there are no transfers. The controller is stated once, in the settings. */ missing: ("data_subjects" | "data_categories" | "third_countries" | "safeguards" | "retention_period" | "security_measures")[]; /** When the entry was created. */ created_at: string; /** When it was last changed. */ updated_at: string };

export type DataMapEntryCreation = { /** The vendor that processes the data. */ vendor_id: number; /** What the data is used for. */ purpose: string; /** One of consent, contract, legal_obligation, vital_interests, public_task, legitimate_interests; common synonyms are accepted, for example "contractual", "legitimate interest" and "Art. 6(1)(f)". */ legal_basis: string; data_categories?: (string)[] | null; retention_period?: string | null; /** Archived entries are kept for the record. */ status?: "active" | "archived"; data_subjects?: string | null; recipients?: string | null; third_countries?: string | null; safeguards?: string | null; security_measures?: string | null; controller?: string | null; data_source?: string | null; automated_decisions?: string | null; review_date?: string | null };

export type DataMapBulkAdd = { /** The scan that found the vendors. */ scan_id: number; /** Slugs of vendors. */ vendors: (string)[] };

export type DataMapBulkAddResult = { added: (DataMapEntry)[]; skipped: ({ slug: string; reason: string })[] };

export type OwnProcessingStatus = { /** Number of entries that updates of Pavis include and that were never added. */ missing: number };

export type OwnProcessingResult = { /** Empty if no entry was missing. */ added: (DataMapEntry)[] };

export type DataMapCountry = { /** ISO 3166-1 alpha-2. */ code: string; /** In English. */ name: string; /** `eea`: no third country. `adequate`: covered by an adequacy decision (GDPR Art. 45). `restricted`: a transfer needs safeguards (Art. 46) or a derogation (Art. 49). */ status: "eea" | "adequate" | "restricted"; condition: string | null };

export type TransferSafeguard = { article: string; label: string };

export type DataMapSuggestions = { /** All countries and territories, by name. */ countries: (DataMapCountry)[]; /** International organisations with an adequacy decision. */ organisations: (string)[]; /** The date of the list of adequacy decisions. */ adequacy_as_of: string; adequacy_source: string; /** The legal bases of a transfer, by article of the GDPR. */ safeguards: (TransferSafeguard)[]; /** Vendors and recipients of active entries, by name. */ recipients: (string)[]; /** Those of active entries. */ data_subjects: (string)[]; /** Those of active entries. */ data_categories: (string)[] };

export type DataMapEntryUpdate = { /** The vendor that processes the data. */ vendor_id?: number; /** What the data is used for. */ purpose?: string; /** One of consent, contract, legal_obligation, vital_interests, public_task, legitimate_interests; common synonyms are accepted, for example "contractual", "legitimate interest" and "Art. 6(1)(f)". */ legal_basis?: string; data_categories?: (string)[] | null; retention_period?: string | null; /** Archived entries are kept for the record. */ status?: "active" | "archived"; data_subjects?: string | null; recipients?: string | null; third_countries?: string | null; safeguards?: string | null; security_measures?: string | null; controller?: string | null; data_source?: string | null; automated_decisions?: string | null; review_date?: string | null };

export type DeletedDataMapEntry = { deleted: true; previous: DataMapEntry };

export type DeclaredStorage = { /** `*` stands for parts that vary from visit to visit. */ name: string; /** `local`, `session`: localStorage, sessionStorage. `indexeddb`: a database. */ kind: "cookie" | "local" | "session" | "indexeddb"; kind_label: string; /** Domain of the cookie, or host of the storage. */ domain: string; /** The longest duration that the scan observed. */ duration: string; duration_seconds: number | null; usual_duration: string | null; purpose: string | null };

export type DeclaredRecipient = { /** The vendor, the host, or the site itself. */ name: string; /** `host`: a third party whose operator is not known. `site`: the site itself. */ kind: "vendor" | "host" | "site"; slug: string | null; note: string | null; /** As in the data map; for vendors without an entry, of the vendor library. Purposes of the library are in words for visitors. */ purposes: (string)[]; /** As in the data map. */ legal_bases: (string)[]; /** As in the data map. */ third_countries: (string)[]; /** As in the data map. */ safeguards: (string)[]; /** Third-party hosts that the scan saw. */ domains: (string)[]; stored: (DeclaredStorage)[] };

export type DeclaredCategory = { id: string | null; label: string; description: string; recipients: (DeclaredRecipient)[] };

export type DeclarationLabels = { title: string; lead: string; /** The day and the pages of the scan, and what it cannot see. */ basis: string; purpose: string; legal_basis: string; domains: string; third_countries: string; safeguards: string; not_stated: string; columns: { name: string; kind: string; domain: string; duration: string } };

/** Vendors, cookies and browser storage that the latest completed scan of the site observed. */
export type Declaration = { /** The language of the texts. */ language: string; /** The language of the labels and descriptions of the categories. */ category_language: string; site_url: string; scanned_at: string | null; /** Pages scanned. */ pages: number; /** Without those in which nothing was seen. */ categories: (DeclaredCategory)[]; labels: DeclarationLabels };

export type PreferencesStorage = { /** `*` stands for parts that vary from visit to visit. */ name: string; /** For example `1 year`. Absent if it is not known. */ lifetime?: string; /** As classified by the owner of the site, or of what the banner itself stores. */ purpose?: string };

export type PreferencesVendor = { /** Absent if it is no vendor of the library. */ slug?: string; name: string; /** Whether visitors can choose this vendor by itself. Absent if they cannot. */ choice?: boolean; purpose?: string; /** If the purpose is in another language than the texts. */ purpose_language?: string; /** The privacy policy of the vendor. */ privacy_url?: string; /** Cookies and keys of browser storage: those that the scan observed. If it observed none of the vendor, those that the vendor library lists, with typical lifetimes. */ stored?: (PreferencesStorage)[] };

/** What the preferences of the banner list in each category: what the latest completed scan saw, active data map entries with consent as legal basis, and active scripts of the registry. */
export type PreferencesVendors = { /** The language of the lifetimes. */ language: string; /** By category id, without categories that have no vendors. */ categories: Record<string, (PreferencesVendor)[]> };

/** Names of cookies and storage keys by consent category. Vendors with active scripts are in the categories of these, others in their own. Cookies that you have classified are in the category of their classification, which can be a required one. `*` stands for any characters. Of several patterns that match a name, the name itself counts, otherwise the longest. */
export type VendorCookies = Record<string, (string)[]>;

export type UndeclaredThirdParty = { vendor_id: number | null; slug: string | null; /** The vendor or the host. */ name: string; category: string | null; hosts: (string)[]; /** When a scan of the site first saw it. */ since: string };

export type UnseenDataMapEntry = { /** The data map entry. */ entry_id: number; vendor_id: number; slug: string; /** The vendor. */ name: string; purpose: string; /** The latest scans in a row without it. */ scans: number; /** When the first of these scans was completed. */ since: string; last_seen: string | null };

/** Differences between the data map and the latest completed scan of the site. */
export type DeclarationDrift = { scan_id: number | null; scanned_at: string | null; /** Third parties that the scan saw and that have no active data map entry. */ undeclared: (UndeclaredThirdParty)[]; /** Active data map entries whose vendor the scan did not see. Entries of vendors that a scan cannot recognise, without domains and cookies, are left out. */ unseen: (UnseenDataMapEntry)[] };

export type ScanStart = { /** Crawl depth: 0 scans the home page only, n follows links up to n levels deep. */ scan_depth?: number; /** States in which each page is visited. Default: the setting `scanner.states`. `before`: before any choice, always included. `accepted`, `rejected`: after accepting or rejecting all. `withdrawn`: after accepting and then withdrawing. `gpc`: with Global Privacy Control and no choice. */ states?: ("before" | "rejected" | "accepted" | "withdrawn" | "gpc")[] };

export type Scan = { scan_id: number; /** `queued`: the server will run it. `started`: running, or not yet completed by a client. `interrupted`: the process that ran it ended. `failed`: see `error`. */ status: "queued" | "started" | "completed" | "cancelled" | "interrupted" | "failed"; site_url: string; depth: number; /** Browser that scanned the pages, or `html` without a browser. */ engine: string; unseen: string | null; /** Pages excluded by robots.txt that the crawl before the scan found. */ robots_excluded: number; crawl_limit: "time" | "max_pages" | "variants" | "sitemaps" | null; notice: string | null; /** What runs the scan: a client that calls `scan-page`, the server, or `pavis scan`. */ runner: "client" | "server" | "command"; error: string | null; /** States in which each page is visited. */ states: ("before" | "rejected" | "accepted" | "withdrawn" | "gpc")[]; /** `request`: a person or program. `schedule`: the setting `scanner.schedule`. `proof`: a decision to block findings, to check their pages at once. */ started_by: "request" | "schedule" | "proof"; /** When the scan was started. */ started_at: string; completed_at: string | null; /** Pages scanned. */ pages: number; /** Pages that could not be scanned. */ pages_failed: number; /** All pages of the scan, including pages not scanned yet. */ pages_planned: number; /** Findings on all pages. */ findings: number; /** Findings that loaded before consent although they require it. */ before_consent: number; /** Findings at work although the visitor rejected, or withdrew consent. */ broken_promises: number; /** The same by resource: one that several pages load is several findings, but one resource. */ resources: { /** Resources on all pages. */ total: number; /** Those that loaded before consent although they require it. */ before_consent: number; /** Those at work although the visitor rejected, or withdrew consent. */ broken_promises: number }; /** Vendors of these findings. */ vendors: number };

export type DeletedScan = { deleted: true; previous: Scan };

export type ScanPage = { url: string; /** `failed`: the page could not be scanned, see `error`. */ state: "planned" | "scanned" | "failed"; http_status: number | null; banner: "accepted" | "not_accepted" | "not_found" | null; partial: boolean; error: string | null; /** Findings on the page. */ findings: number };

export type ComparedResource = { resource_type: string; url: string; host: string; name: string; /** Pages with the resource. */ pages: number };

export type ScanDetail = { scan_id: number; /** `queued`: the server will run it. `started`: running, or not yet completed by a client. `interrupted`: the process that ran it ended. `failed`: see `error`. */ status: "queued" | "started" | "completed" | "cancelled" | "interrupted" | "failed"; site_url: string; depth: number; /** Browser that scanned the pages, or `html` without a browser. */ engine: string; unseen: string | null; /** Pages excluded by robots.txt that the crawl before the scan found. */ robots_excluded: number; crawl_limit: "time" | "max_pages" | "variants" | "sitemaps" | null; notice: string | null; /** What runs the scan: a client that calls `scan-page`, the server, or `pavis scan`. */ runner: "client" | "server" | "command"; error: string | null; /** States in which each page is visited. */ states: ("before" | "rejected" | "accepted" | "withdrawn" | "gpc")[]; /** `request`: a person or program. `schedule`: the setting `scanner.schedule`. `proof`: a decision to block findings, to check their pages at once. */ started_by: "request" | "schedule" | "proof"; /** When the scan was started. */ started_at: string; completed_at: string | null; /** Pages scanned. */ pages: number; /** Pages that could not be scanned. */ pages_failed: number; /** All pages of the scan, including pages not scanned yet. */ pages_planned: number; /** Findings on all pages. */ findings: number; /** Findings that loaded before consent although they require it. */ before_consent: number; /** Findings at work although the visitor rejected, or withdrew consent. */ broken_promises: number; /** The same by resource: one that several pages load is several findings, but one resource. */ resources: { /** Resources on all pages. */ total: number; /** Those that loaded before consent although they require it. */ before_consent: number; /** Those at work although the visitor rejected, or withdrew consent. */ broken_promises: number }; /** Vendors of these findings. */ vendors: number; urls: (ScanPage)[]; comparison?: { /** The earlier scan. */ with: number; new: (ComparedResource)[]; gone: (ComparedResource)[]; /** Resources of both scans whose verdict differs. */ changed: ({ resource_type: string; url: string; host: string; name: string; /** Pages with the resource. */ pages: number; /** Verdict of the earlier scan. */ before: "loaded_without_consent" | "loaded_despite_rejection" | "not_stopped_by_withdrawal" | "ignores_gpc" | "cookieless_ping" | "blocked_until_consent" | "strictly_necessary"; /** Verdict of this scan. */ after: "loaded_without_consent" | "loaded_despite_rejection" | "not_stopped_by_withdrawal" | "ignores_gpc" | "cookieless_ping" | "blocked_until_consent" | "strictly_necessary" })[]; /** Number of resources in both scans. */ same: number } };

/** `last_scan`: the latest scan of the schedule. */
export type ScanScheduleStatus = { /** Whether the server scans the site on this schedule. */ enabled: boolean; /** Cron expression in the time zone of the installation: minute, hour, day of month, month and day of week. `0 3 * * *` is every day at 03:00, `0 3 * * 1` every Monday at 03:00. */ cron: string; /** States in which each page is visited, as in `POST /scanner/scans`. */ states: ("before" | "rejected" | "accepted" | "withdrawn" | "gpc")[]; /** Crawl depth. */ depth: number; next_run_at: string | null; last_scan: Scan | null };

export type FindingDecisionRequest = { /** The scan with the findings. */ scan_id: number; /** IDs of findings of the scan. Default: all open findings. */ findings?: (number)[]; /** `blocked` adds missing script registry entries. `necessary` and `ignored` require a `reason`. `open` withdraws an earlier decision. */ decision: "blocked" | "necessary" | "ignored" | "open"; /** Reason for the decision. Do not include personal data. */ reason?: string; /** Return what the decision would change, without changing anything. */ dry_run?: boolean };

export type FindingDecisionResult = { dry_run: boolean; /** Findings of the scan that the decision covers, on all pages. */ findings: number; /** The same by resource: one that several pages load is several findings. */ resources: number; /** Script registry entries that were added or activated, or would be with `dry_run`. */ scripts: ({ handle: string; label: string; category: string; script_url: string; blocking_method: string })[]; skipped: ({ finding_id: number; /** Why it cannot be blocked. */ reason: string })[]; /** The reasons in `skipped`, each once. */ skipped_reasons: ({ reason: string; /** The resources that it applies to. */ resources: number })[]; proof: { scan_id: number } | null };

/** An entry of the decision log. */
export type FindingDecision = { id: number; /** When it was decided. */ decided_at: string; /** Login of the user, or the command line. */ decided_by: string; site_url: string; resource_type: string; name: string; url: string; /** As in the request. `classified` and `unclassified` are changes to cookie classifications. */ decision: "blocked" | "necessary" | "ignored" | "open" | "classified" | "unclassified"; reason: string | null };

/** One resource with all pages that have it. `states`, `consent_state`, `needs_consent` and the verdicts are those of all pages. Where pages differ, the other fields describe the page that most needs attention. */
export type ScanResource = { /** The finding that represents the resource. */ id: number; resource_type: "script" | "iframe" | "pixel" | "cookie" | "api_call" | "gtm_tag" | "form"; /** URL without the values of query parameters. */ url: string; host: string; /** Whether it belongs to another site. */ third_party: boolean; vendor: { id: number; slug: string; name: string } | null; category: string | null; /** Cookie name or container ID, otherwise the name of the vendor or host. */ name: string; /** When a scan of this site first found it. */ first_seen: string; /** `before`: loaded before consent. `after`: loaded only after consent. */ consent_state: "before" | "after"; /** Loaded before consent, or after it was refused or withdrawn, although it requires consent. */ needs_consent: boolean; /** In the page, but blocked until consent. */ blocked: boolean; /** How it was detected: `network`, `dom`, `html`, `header`, `script`, `inferred`. */ sources: (string)[]; /** Further fields that depend on the type. Cookie values are never included. */ details: Record<string, never>; /** States of the scan in which it was at work: requested, set or stored. */ states: ("before" | "rejected" | "accepted" | "withdrawn" | "gpc")[]; verdict: "loaded_without_consent" | "loaded_despite_rejection" | "not_stopped_by_withdrawal" | "ignores_gpc" | "cookieless_ping" | "blocked_until_consent" | "strictly_necessary" | "ignored" | null; /** What the visits of the page show. `loaded_without_consent`: at work before any choice, although it requires consent. `loaded_despite_rejection`, `not_stopped_by_withdrawal`: at work after the visitor rejected or withdrew. `ignores_gpc`: at work although the browser sends Global Privacy Control. `cookieless_ping`: a request of Google Consent Mode without identifiers. `blocked_until_consent`: in the page or at work after consent, and not at work without it; `proven` in `details` means that it was also absent after a rejection. `strictly_necessary`: requires no consent. */ verdicts: ("loaded_without_consent" | "loaded_despite_rejection" | "not_stopped_by_withdrawal" | "ignores_gpc" | "cookieless_ping" | "blocked_until_consent" | "strictly_necessary")[]; /** At work although the visitor rejected, or withdrew consent. */ broken_promise: boolean; /** One piece of evidence for each of `states`. */ evidence: ({ state: "before" | "rejected" | "accepted" | "withdrawn" | "gpc"; /** The request, or what set the cookie or stored the data. Without query values. */ url: string; initiator: string | null; /** Milliseconds after the visit began. */ at_ms: number })[]; state: "open" | "blocked" | "necessary" | "ignored" | null; open_reason: "undecided" | "not_registered" | "in_html" | "in_noscript" | "inline_code" | "other_script" | "set_by_server" | "loaded_despite_rejection" | "not_stopped_by_withdrawal" | null; decision: { decision: "blocked" | "necessary" | "ignored"; reason: string | null; /** When it was decided. */ decided_at: string } | null; initiator: { id: number; name: string; url: string } | null; script_id: number | null; /** Whether a script registry entry can block it. */ can_block: boolean; proof: { /** The proof scan. */ scan_id: number; /** `pending`: the scan is queued or running. `proven`: the page was read completely, and the resource was not at work before consent, nor after rejection and withdrawal where the scan reached them. */ status: "pending" | "proven" | "not_proven"; reason: "undecided" | "not_registered" | "in_html" | "in_noscript" | "inline_code" | "other_script" | "set_by_server" | "loaded_despite_rejection" | "not_stopped_by_withdrawal" | "page_failed" | "page_partial" | "no_browser" | "scan_ended" | null; initiator: string | null; checked_at: string | null; pending_scan_id: number | null } | null; /** Number of pages that have the resource. */ pages: number; /** The first 20 of these pages. */ page_urls: (string)[]; /** Finding ids to send to `POST /scanner/decisions` to decide about the resource on all pages. Empty if there is nothing to decide. */ decision_ids: (number)[] };

export type ScanShortcoming = { /** Identifies the kind of shortcoming. */ code: string; title: string; /** What was measured, with figures. */ explanation: string; /** Where the expectation comes from. */ source: string };

export type ScanBanner = { controls: ({ role: "accept" | "reject" | "settings" | "save"; label: string; /** 1: shown with the banner. 2: shown after `settings`. */ layer: number; /** In CSS pixels of the window. */ x: number; y: number; width: number; height: number; font_size: number; font_weight: number; color: string; background: string; /** Rendered as a link or as text. */ is_link: boolean })[]; window: { width: number; height: number } | null; clicks_to_accept: number | null; clicks_to_reject: number | null; /** Labels of optional choices that are ticked in advance. */ pre_ticked: (string)[]; /** Part of the window that the banner covers. */ coverage: number; /** The page cannot be used before a choice. */ blocks_page: boolean; shortcomings: (ScanShortcoming)[] };

/** One visit of a page in one state. */
export type ScanVisit = { id: number; page_url: string; state: "before" | "rejected" | "accepted" | "withdrawn" | "gpc"; /** `reached`: the choice was made and took effect. `no_banner`, `no_control`: there was nothing to press. `no_effect`: the press changed nothing. `failed`: see `error`. */ outcome: "reached" | "no_banner" | "no_control" | "no_effect" | "failed"; error: string | null; /** Clicks that the choice took; for `withdrawn`, those of the withdrawal alone. */ clicks: number; duration_ms: number; /** When the page was visited. */ visited_at: string; signals: { /** Consent that requests to Google and Microsoft report. */ consent_mode: ({ service: "google" | "microsoft"; /** The request, without query values. */ url: string; /** Milliseconds after the visit began. */ at_ms: number; is_after_choice: boolean; /** As sent: `gcs` and `gcd` of Google, `asc` of Microsoft. */ parameters: Record<string, string>; consent: { ad_storage?: { default: "granted" | "denied" | null; update: "granted" | "denied" | null; in_force: "granted" | "denied" | null }; analytics_storage?: { default: "granted" | "denied" | null; update: "granted" | "denied" | null; in_force: "granted" | "denied" | null }; ad_user_data?: { default: "granted" | "denied" | null; update: "granted" | "denied" | null; in_force: "granted" | "denied" | null }; ad_personalization?: { default: "granted" | "denied" | null; update: "granted" | "denied" | null; in_force: "granted" | "denied" | null } } })[]; tcf: { version: number; created: string; updated: string; cmp_id: number; cmp_version: number; policy_version: number; purpose_consents: (number)[]; purpose_legitimate_interests: (number)[]; /** Number of vendors with consent. */ vendor_consents: number; vendors_disclosed: number | null } | null; shortcomings: (ScanShortcoming)[] }; banner: ScanBanner | null; /** Whether `/scanner/visits/{id}/picture` has a picture of the page. Only pictures of the 30 most recent completed scans are kept, and of checks of blocked findings since then. */ has_picture: boolean };

/** Category and purpose of first-party cookies. */
export type CookieClassification = { id: number; /** Name of a first-party cookie or storage key. `*` matches any characters. */ pattern: string; /** A consent category from the settings. A required category marks the cookie as strictly necessary. */ category: string; /** What the cookie is for. */ purpose: string; /** When it was added. */ created_at: string; /** When it was last changed. */ updated_at: string };

/** Replaces an earlier classification of the same pattern. A required category applies immediately to the findings of all scans, everything else from the next scan on. */
export type CookieClassificationCreation = { /** Name of a first-party cookie or storage key. `*` matches any characters. */ pattern: string; /** A consent category from the settings. A required category marks the cookie as strictly necessary. */ category: string; /** What the cookie is for. */ purpose: string };

export type DeletedCookieClassification = { deleted: true; previous: CookieClassification };

export type ScanStartResult = { scan_id: number; urls: (string)[]; /** Number of `urls`. */ total: number; /** Pages excluded by robots.txt that the crawl before the scan found. */ robots_excluded: number; crawl_limit: "time" | "max_pages" | "variants" | "sitemaps" | null; notice: string | null };

export type PageScan = { /** The `scan_id` that `start` returned. */ scan_id: number; /** A page of the protected site. */ url: string };

/** A resource that a scan found on one page. */
export type ScanFinding = { id: number; scan_id: number; resource_type: "script" | "iframe" | "pixel" | "cookie" | "api_call" | "gtm_tag" | "form"; /** URL without the values of query parameters. */ url: string; host: string; /** Whether it belongs to another site. */ third_party: boolean; vendor: { id: number; slug: string; name: string } | null; category: string | null; /** Cookie name or container ID, otherwise the name of the vendor or host. */ name: string; page_url: string; /** When a scan of this site first found it. */ first_seen: string; /** `before`: loaded before consent. `after`: loaded only after consent. */ consent_state: "before" | "after"; /** Loaded before consent, or after it was refused or withdrawn, although it requires consent. */ needs_consent: boolean; /** In the page, but blocked until consent. */ blocked: boolean; /** How it was detected: `network`, `dom`, `html`, `header`, `script`, `inferred`. */ sources: (string)[]; /** Further fields that depend on the type. Cookie values are never included. */ details: Record<string, never>; /** States of the scan in which it was at work: requested, set or stored. */ states: ("before" | "rejected" | "accepted" | "withdrawn" | "gpc")[]; verdict: "loaded_without_consent" | "loaded_despite_rejection" | "not_stopped_by_withdrawal" | "ignores_gpc" | "cookieless_ping" | "blocked_until_consent" | "strictly_necessary" | "ignored" | null; /** What the visits of the page show. `loaded_without_consent`: at work before any choice, although it requires consent. `loaded_despite_rejection`, `not_stopped_by_withdrawal`: at work after the visitor rejected or withdrew. `ignores_gpc`: at work although the browser sends Global Privacy Control. `cookieless_ping`: a request of Google Consent Mode without identifiers. `blocked_until_consent`: in the page or at work after consent, and not at work without it; `proven` in `details` means that it was also absent after a rejection. `strictly_necessary`: requires no consent. */ verdicts: ("loaded_without_consent" | "loaded_despite_rejection" | "not_stopped_by_withdrawal" | "ignores_gpc" | "cookieless_ping" | "blocked_until_consent" | "strictly_necessary")[]; /** At work although the visitor rejected, or withdrew consent. */ broken_promise: boolean; /** One piece of evidence for each of `states`. */ evidence: ({ state: "before" | "rejected" | "accepted" | "withdrawn" | "gpc"; /** The request, or what set the cookie or stored the data. Without query values. */ url: string; initiator: string | null; /** Milliseconds after the visit began. */ at_ms: number })[]; state: "open" | "blocked" | "necessary" | "ignored" | null; open_reason: "undecided" | "not_registered" | "in_html" | "in_noscript" | "inline_code" | "other_script" | "set_by_server" | "loaded_despite_rejection" | "not_stopped_by_withdrawal" | null; decision: { decision: "blocked" | "necessary" | "ignored"; reason: string | null; /** When it was decided. */ decided_at: string } | null; initiator: { id: number; name: string; url: string } | null; script_id: number | null; /** Whether a script registry entry can block it. */ can_block: boolean; proof: { /** The proof scan. */ scan_id: number; /** `pending`: the scan is queued or running. `proven`: the page was read completely, and the resource was not at work before consent, nor after rejection and withdrawal where the scan reached them. */ status: "pending" | "proven" | "not_proven"; reason: "undecided" | "not_registered" | "in_html" | "in_noscript" | "inline_code" | "other_script" | "set_by_server" | "loaded_despite_rejection" | "not_stopped_by_withdrawal" | "page_failed" | "page_partial" | "no_browser" | "scan_ended" | null; initiator: string | null; checked_at: string | null; pending_scan_id: number | null } | null };

export type PageScanResult = { url: string; findings: (ScanFinding)[]; /** Number of `findings`. */ count: number; http_status: number | null; banner: "accepted" | "not_accepted" | "not_found" | null; /** The page was not scanned completely: there may be more findings. */ partial: boolean; /** Pages that scripts of this page link to, added to the scan. Scan them before you complete the scan. */ discovered: (string)[]; /** Why the page could not be scanned. */ error?: string };

export type ScanCompletion = { /** The `scan_id` that `start` returned. */ scan_id: number };

export type ScanCompletionResult = { scan_id: number; /** `queued`: the server will run it. `started`: running, or not yet completed by a client. `interrupted`: the process that ran it ended. `failed`: see `error`. */ status: "queued" | "started" | "completed" | "cancelled" | "interrupted" | "failed"; /** Pages scanned. */ pages: number; /** Findings on all pages. */ findings: number; /** Vendors of these findings. */ vendors: number };

export type ScanResults = { scan_id: number; /** `queued`: the server will run it. `started`: running, or not yet completed by a client. `interrupted`: the process that ran it ended. `failed`: see `error`. */ status: "queued" | "started" | "completed" | "cancelled" | "interrupted" | "failed"; site_url: string; depth: number; /** Browser that scanned the pages, or `html` without a browser. */ engine: string; unseen: string | null; /** Pages excluded by robots.txt that the crawl before the scan found. */ robots_excluded: number; crawl_limit: "time" | "max_pages" | "variants" | "sitemaps" | null; notice: string | null; /** What runs the scan: a client that calls `scan-page`, the server, or `pavis scan`. */ runner: "client" | "server" | "command"; error: string | null; /** States in which each page is visited. */ states: ("before" | "rejected" | "accepted" | "withdrawn" | "gpc")[]; /** `request`: a person or program. `schedule`: the setting `scanner.schedule`. `proof`: a decision to block findings, to check their pages at once. */ started_by: "request" | "schedule" | "proof"; /** When the scan was started. */ started_at: string; completed_at: string | null; /** Pages scanned. */ pages: number; /** Pages that could not be scanned. */ pages_failed: number; /** All pages of the scan, including pages not scanned yet. */ pages_planned: number; /** Findings on all pages. */ findings: number; /** Findings that loaded before consent although they require it. */ before_consent: number; /** Findings at work although the visitor rejected, or withdrew consent. */ broken_promises: number; /** The same by resource: one that several pages load is several findings, but one resource. */ resources: { /** Resources on all pages. */ total: number; /** Those that loaded before consent although they require it. */ before_consent: number; /** Those at work although the visitor rejected, or withdrew consent. */ broken_promises: number }; /** Findings that match the filter. */ total: number; /** All pages of the scan. */ urls: (ScanPage)[]; /** Pages that could not be scanned. */ failed_pages: ({ url: string; http_status: number | null; error: string })[]; /** Findings that loaded without consent although they require it, and need a decision. */ open: number; /** Resources of the open findings. */ open_resources: number; results: (ScanFinding)[]; types: ({ resource_type: "script" | "iframe" | "pixel" | "cookie" | "api_call" | "gtm_tag" | "form"; /** Findings. */ count: number; /** Findings that loaded before consent although they require it. */ before_consent: number; /** The same by resource: one that several pages load counts once. */ resources: { /** Resources on all pages. */ total: number; /** Those that loaded before consent although they require it. */ before_consent: number }; /** Findings that loaded without consent although they require it, and need a decision. */ open: number })[]; vendors: ({ vendor_id: number; slug: string; name: string; category: string; purpose: string; data_categories: (string)[]; default_retention: string; /** Findings. */ count: number; /** Findings that loaded before consent although they require it. */ before_consent: number; /** The same by resource: one that several pages load counts once. */ resources: { /** Resources on all pages. */ total: number; /** Those that loaded before consent although they require it. */ before_consent: number }; /** Pages with such findings. */ pages: number; resource_types: (string)[]; /** Whether the data map has an active entry for the vendor. */ in_data_map: boolean })[]; /** What came of the visits of the pages in each state. */ outcomes: ({ state: "before" | "rejected" | "accepted" | "withdrawn" | "gpc"; outcome: "reached" | "no_banner" | "no_control" | "no_effect" | "failed"; /** Pages with this outcome. */ pages: number; /** Those whose visit of a choice ended before the page was read completely. In the states `before` and `accepted`, the page is `partial` instead. */ ended_early: number })[]; /** Verdicts of all findings. A finding can have several. */ verdicts: ({ verdict: "loaded_without_consent" | "loaded_despite_rejection" | "not_stopped_by_withdrawal" | "ignores_gpc" | "cookieless_ping" | "blocked_until_consent" | "strictly_necessary"; /** Findings with this verdict. */ count: number; /** Resources of these findings. */ resources: number })[]; /** Shortcomings of the consent banner and of consent signals. */ shortcomings: ({ /** Identifies the kind of shortcoming. */ code: string; title: string; /** What was measured, with figures. */ explanation: string; /** Where the expectation comes from. */ source: string; /** Pages with it. */ pages: number; /** The first 20 of these pages. */ page_urls: (string)[] })[]; /** Third-party hosts without a known vendor. */ unknown_hosts: ({ host: string; /** Findings. */ count: number; /** Findings that loaded before consent although they require it. */ before_consent: number; /** The same by resource: one that several pages load counts once. */ resources: { /** Resources on all pages. */ total: number; /** Those that loaded before consent although they require it. */ before_consent: number } })[] };

export type DsarIntakeRequest = { /** The right that is exercised. */ request_type: "access" | "deletion" | "rectification" | "portability" | "objection"; email: string; first_name?: string | null; last_name?: string | null; additional_info?: string | null; visitor_id?: string | null; visitor_token?: string | null; language?: string | null };

/** A request that was received. */
export type DsarIntake = { id: number; reference: string; deadline_date: string; message: string };

/** The status of a request. */
export type DsarStatus = { reference: string; /** The right that is exercised. */ request_type: "access" | "deletion" | "rectification" | "portability" | "objection"; status: "received" | "in_progress" | "on_hold" | "completed" | "rejected" | "withdrawn"; status_label: string; deadline: string; /** When it was received, in the time zone of the site. */ submitted: string; completed: string | null };

export type DsarReference = { reference: string; email: string };

/** The link to withdraw a request was emailed. */
export type DsarWithdrawal = { message: string };

export type DsarToken = { /** The value of `token` in the emailed link. */ token: string };

/** A user who may handle requests. */
export type Assignee = { login: string; role: "administrator" | "editor" | "viewer" | "subscriber" };

/** A request of a data subject. */
export type DsarCase = { id: number; reference: string; /** The right that is exercised. */ request_type: "access" | "deletion" | "rectification" | "portability" | "objection"; status: "received" | "in_progress" | "on_hold" | "completed" | "rejected" | "withdrawn"; status_label: string; deadline: string; /** When it was received, in the time zone of the site. */ submitted: string; completed: string | null; first_name: string | null; last_name: string | null; email: string | null; additional_info: string | null; visitor_id: string | null; visitor_claim: string | null; language: string; /** How the request was received. */ channel: "web" | "email" | "phone" | "letter" | "in_person" | "representative"; received_on: string; postal_address: string | null; phone: string | null; representative: string | null; identity_proof: string | null; regime: "gdpr" | "uk" | "ccpa" | "lgpd"; verified_at: string | null; assignee: string | null; ground: "identity" | "clarification" | "legal_hold" | "unfounded" | "excessive" | "no_data" | "not_controller" | "still_needed" | "freedom_of_expression" | "legal_obligation" | "public_health" | "archiving" | "legal_claims" | "compelling_grounds" | "rights_of_others" | "exemption" | "other" | null; extended: boolean; /** Whether the request is open and past its deadline. */ overdue: boolean; days_left: number | null; paused_since: string | null; paused_days: number; duplicate_of: number | null };

export type DsarCaseCreation = { /** The right that is exercised. */ request_type: "access" | "deletion" | "rectification" | "portability" | "objection"; /** How the request was received. */ channel: "web" | "email" | "phone" | "letter" | "in_person" | "representative"; /** The day of receipt in the time zone of the site. The deadline is counted from it (GDPR Art. 12(3)). */ received_on: string; first_name?: string | null; last_name?: string | null; email?: string | null; postal_address?: string | null; phone?: string | null; representative?: string | null; /** Whether the identity is verified. If true, work starts at once and no confirmation link is sent. */ verified?: boolean; identity_proof?: string | null; additional_info?: string | null; language?: string | null };

export type DsarCaseUpdate = { status?: "received" | "in_progress" | "on_hold" | "completed" | "rejected" | "withdrawn"; /** Included in the email to the requester. */ reason?: string; /** The ground for a hold (`identity` pauses the deadline) or for a refusal, where it must fit the type of request. */ ground?: "identity" | "clarification" | "legal_hold" | "unfounded" | "excessive" | "no_data" | "not_controller" | "still_needed" | "freedom_of_expression" | "legal_obligation" | "public_health" | "archiving" | "legal_claims" | "compelling_grounds" | "rights_of_others" | "exemption" | "other"; assignee?: string | null; extend?: { /** Included in the email to the requester. */ reason: string } };

/** A request after an update. */
export type DsarUpdatedCase = { id: number; reference: string; /** The right that is exercised. */ request_type: "access" | "deletion" | "rectification" | "portability" | "objection"; status: "received" | "in_progress" | "on_hold" | "completed" | "rejected" | "withdrawn"; status_label: string; deadline: string; /** When it was received, in the time zone of the site. */ submitted: string; completed: string | null; first_name: string | null; last_name: string | null; email: string | null; additional_info: string | null; visitor_id: string | null; visitor_claim: string | null; language: string; /** How the request was received. */ channel: "web" | "email" | "phone" | "letter" | "in_person" | "representative"; received_on: string; postal_address: string | null; phone: string | null; representative: string | null; identity_proof: string | null; regime: "gdpr" | "uk" | "ccpa" | "lgpd"; verified_at: string | null; assignee: string | null; ground: "identity" | "clarification" | "legal_hold" | "unfounded" | "excessive" | "no_data" | "not_controller" | "still_needed" | "freedom_of_expression" | "legal_obligation" | "public_health" | "archiving" | "legal_claims" | "compelling_grounds" | "rights_of_others" | "exemption" | "other" | null; extended: boolean; /** Whether the request is open and past its deadline. */ overdue: boolean; days_left: number | null; paused_since: string | null; paused_days: number; duplicate_of: number | null; /** What to send to a requester without an email address: the emails that the update would have sent. They are not stored. */ letters: ({ subject: string; text: string })[] };

export type DsarDeletionReason = { /** Why the request is deleted. Recommended. It is kept in the deletion log, so do not name a person. */ reason?: string };

export type DeletedDsarCase = { deleted: true; previous: DsarCase };

export type DsarLinkRequest = { /** `confirm` for an open request with an unconfirmed address, except an opt-out under the CCPA, which needs no confirmation; `download` for a completed request with a package. Earlier links stop working. */ purpose: "confirm" | "download" };

/** A link that was emailed to the requester. */
export type DsarLink = { purpose: "confirm" | "download"; /** When the link stops working. */ expires_at: string };

/** Figures on the requests received in a period. */
export type DsarMetrics = { received: number; open: number; overdue: number; completed: number; rejected: number; withdrawn: number; /** Requests that were deleted later. */ deleted: number; median_days: number | null; by_type: Record<string, { received: number; open: number; overdue: number; completed: number; rejected: number; withdrawn: number; /** Requests that were deleted later. */ deleted: number; median_days: number | null }> };

/** An entry in the activity of a request. */
export type DsarEvent = { id: number; /** When it happened. */ at: string; /** A login, `requestor` or `system`. */ actor: string; action: string; details: Record<string, unknown> };

export type DsarNote = { note: string };

export type DsarKeptRecords = { count: number; reason: string; /** The legal ground, if the source names one. */ ground?: string; /** When retention takes the last of them. */ until?: string };

/** The work on a request in one source. */
export type DsarTask = { id: number; case_id: number; kind: "collect" | "erase" | "manual" | "package"; source: string; label: string; /** A `waiting` task of kind `erase` needs approval. */ status: "pending" | "running" | "waiting" | "done" | "skipped" | "failed"; attempts: number; /** Number of records collected. */ records: number; erased: number; anonymised: number; kept: (DsarKeptRecords)[]; last_error: string | null; reason: string | null; ground: "identity" | "clarification" | "legal_hold" | "unfounded" | "excessive" | "no_data" | "not_controller" | "still_needed" | "freedom_of_expression" | "legal_obligation" | "public_health" | "archiving" | "legal_claims" | "compelling_grounds" | "rights_of_others" | "exemption" | "other" | null; result: string | null; finished_at: string | null };

export type DsarTaskUpdate = { /** `pending` retries the task, `done` completes a manual task, `skipped` needs a reason. */ status: "pending" | "done" | "skipped"; /** Why the task is skipped. Included in the email to the requester. */ reason?: string; /** Why data is kept: an exception of GDPR Art. 17(3), or another legal basis. */ ground?: "still_needed" | "freedom_of_expression" | "legal_obligation" | "public_health" | "archiving" | "legal_claims" | "exemption" | "other"; /** What was done manually. Required for rectification and objection. Included in the email to the requester, except that of the check of a visitor id. */ result?: string };

/** The effect of erasing in a source now. `outcome` is null if an extension has no preview. */
export type DsarErasurePreview = { task_id: number; source: string; label: string; outcome: { erased: number; anonymised: number; kept: (DsarKeptRecords)[] } | null; error: string | null };

export type DsarApproval = { /** Decisions on single sources. Sources that are not listed stay pending approval. Without `decisions`, every source is approved. A refusal needs a ground and a reason. `customers`, `dsar_cases` and `users` can be approved only with the sources whose records are found by them. */ decisions?: ({ /** The `source` of a task that needs approval. */ source: string; decision: "approve" | "refuse"; /** Why data is kept: an exception of GDPR Art. 17(3), or another legal basis. */ ground?: "still_needed" | "freedom_of_expression" | "legal_obligation" | "public_health" | "archiving" | "legal_claims" | "exemption" | "other"; /** The reason for a refusal. Included in the email to the requester. */ reason?: string })[] };

/** The email that completing a request sends to the requester; without an email address, a text to send another way. */
export type DsarCompletionPreview = { recipient: string | null; language: string; subject: string; /** The email as plain text, without the download link. If `recipient` is null, no email is sent: send the text another way. */ text: string; /** Open tasks. Completing the request needs a reason for skipping them. */ open: (DsarTask)[]; package: { bytes: number; sha256: string; /** When it was made. */ created_at: string } | null };

/** An entry of the deletion log. It holds no data about the person who made the request. */
export type DsarDeletion = { /** The id of the entry in the log. */ id: number; /** The reference of the request. */ reference: string; request_type: "access" | "deletion" | "rectification" | "portability" | "objection"; /** The status of the request when it was deleted. */ status: "received" | "in_progress" | "on_hold" | "completed" | "rejected" | "withdrawn"; /** When the request was received. */ received_at: string; closed_at: string | null; /** When it was deleted. */ deleted_at: string; /** The login of the user who deleted it, or `schedule` for a nightly retention run. */ actor: string; reason: string | null };

/** An email of the outbox. */
export type Mail = { id: number; kind: string; about: string | null; recipient: string | null; subject: string | null; status: "pending" | "sending" | "sent" | "dead" | "held"; attempts: number; last_error: string | null; /** When it was queued. */ created_at: string; next_attempt_at: string | null; sent_at: string | null; expires_at: string | null };

/** An endpoint that receives events. */
export type Webhook = { id: number; url: string; description: string; event_types: ("licence.issued" | "licence.updated" | "licence.renewed" | "licence.suspended" | "licence.reinstated" | "licence.revoked" | "licence.expiring" | "licence.limit_reached" | "activation.created" | "activation.deleted" | "checkout.completed" | "payment.received" | "payment.failed" | "payment.refunded" | "payment.refund_failed" | "payment.disputed" | "release.published" | "release.updated" | "release.yanked" | "consent.recorded" | "dsar.created" | "dsar.updated" | "scan.finished")[]; is_active: boolean; inactive_reason: "by_hand" | "gone" | "failing" | null; failing_since: string | null; /** When it was created. */ created_at: string; /** When it was last changed. */ updated_at: string };

export type WebhookCreation = { /** An https URL without user, password and fragment. It must not redirect. http and private networks only with `PAVIS_PRIVATE_WEBHOOKS=on`. */ url: string; /** The events that it receives, at least one. See `GET /webhooks/event-types`. */ event_types: ("licence.issued" | "licence.updated" | "licence.renewed" | "licence.suspended" | "licence.reinstated" | "licence.revoked" | "licence.expiring" | "licence.limit_reached" | "activation.created" | "activation.deleted" | "checkout.completed" | "payment.received" | "payment.failed" | "payment.refunded" | "payment.refund_failed" | "payment.disputed" | "release.published" | "release.updated" | "release.yanked" | "consent.recorded" | "dsar.created" | "dsar.updated" | "scan.finished")[]; /** For your own use. */ description?: string; /** Inactive endpoints receive no events, also not later. Defaults to true. */ is_active?: boolean };

export type WebhookWithSecret = { id: number; url: string; description: string; event_types: ("licence.issued" | "licence.updated" | "licence.renewed" | "licence.suspended" | "licence.reinstated" | "licence.revoked" | "licence.expiring" | "licence.limit_reached" | "activation.created" | "activation.deleted" | "checkout.completed" | "payment.received" | "payment.failed" | "payment.refunded" | "payment.refund_failed" | "payment.disputed" | "release.published" | "release.updated" | "release.yanked" | "consent.recorded" | "dsar.created" | "dsar.updated" | "scan.finished")[]; is_active: boolean; inactive_reason: "by_hand" | "gone" | "failing" | null; failing_since: string | null; /** When it was created. */ created_at: string; /** When it was last changed. */ updated_at: string; /** Verifies the signature of requests. It is shown only here; a new one can be created. */ secret: string };

export type WebhookUpdate = { /** An https URL without user, password and fragment. It must not redirect. http and private networks only with `PAVIS_PRIVATE_WEBHOOKS=on`. */ url?: string; /** The events that it receives, at least one. See `GET /webhooks/event-types`. */ event_types?: ("licence.issued" | "licence.updated" | "licence.renewed" | "licence.suspended" | "licence.reinstated" | "licence.revoked" | "licence.expiring" | "licence.limit_reached" | "activation.created" | "activation.deleted" | "checkout.completed" | "payment.received" | "payment.failed" | "payment.refunded" | "payment.refund_failed" | "payment.disputed" | "release.published" | "release.updated" | "release.yanked" | "consent.recorded" | "dsar.created" | "dsar.updated" | "scan.finished")[]; description?: string | null; /** Inactive endpoints receive no events, also not later. Defaults to true. */ is_active?: boolean };

export type DeletedWebhook = { deleted: true; previous: Webhook };

export type WebhookEventType = { type: "licence.issued" | "licence.updated" | "licence.renewed" | "licence.suspended" | "licence.reinstated" | "licence.revoked" | "licence.expiring" | "licence.limit_reached" | "activation.created" | "activation.deleted" | "checkout.completed" | "payment.received" | "payment.failed" | "payment.refunded" | "payment.refund_failed" | "payment.disputed" | "release.published" | "release.updated" | "release.yanked" | "consent.recorded" | "dsar.created" | "dsar.updated" | "scan.finished"; description: string };

/** An event for one webhook. */
export type WebhookDelivery = { id: number; webhook_id: number; /** The current URL of the webhook. */ url: string; /** The header `webhook-id`: the same for every attempt and every webhook. */ message_id: string; type: string; /** `pending`: waits for its first or next attempt. `sending`: an attempt runs. `failed`: there is no further attempt. */ status: "pending" | "sending" | "delivered" | "failed"; /** Since it was queued, or last sent again by hand. */ attempts: number; next_attempt_at: string | null; last_attempt_at: string | null; last_status: number | null; last_error: string | null; last_response: string | null; delivered_at: string | null; /** When the event happened. */ created_at: string };

export type WebhookDeliveryWithPayload = { id: number; webhook_id: number; /** The current URL of the webhook. */ url: string; /** The header `webhook-id`: the same for every attempt and every webhook. */ message_id: string; type: string; /** `pending`: waits for its first or next attempt. `sending`: an attempt runs. `failed`: there is no further attempt. */ status: "pending" | "sending" | "delivered" | "failed"; /** Since it was queued, or last sent again by hand. */ attempts: number; next_attempt_at: string | null; last_attempt_at: string | null; last_status: number | null; last_error: string | null; last_response: string | null; delivered_at: string | null; /** When the event happened. */ created_at: string; payload: { /** The event type. */ type: string; /** When the event happened. */ timestamp: string; data: Record<string, unknown> } | null };

export type WebhookReplay = { /** Events from this moment on. Default: all that are still in the delivery log. */ since?: string };

export type WebhookReplayed = { /** The number of deliveries that are sent again. */ queued: number };

export type SiteLicence = { key: string | null; /** `none`: no key is saved. `unverified`: the licence server has not answered yet. `inactive`: the licence is valid, but this site was deactivated, or the key was saved for another site. `full`: the licence has no free slot for this site. */ status: "none" | "unverified" | "active" | "inactive" | "full" | "expired" | "suspended" | "revoked" | "invalid" | "unknown_key"; /** For information. No function depends on it. */ valid: boolean; tier: string | null; features: (string)[]; sites_allowed: number | null; sites_used: number | null; expires_at: string | null; paid_until: string | null; site_url: string | null; checked_at: string | null; /** Whether the last answer is older than 12 hours, the licence was to expire since, or a later check has failed. */ stale: boolean; stale_since: string | null; /** The status in one or two sentences. */ message: string };

export type SiteLicenceKey = { /** The licence key of this site. It is stored encrypted. */ key: string };

export type SiteLicenceRemoval = { deleted: true; previous: SiteLicence; /** False if the licence server could not be reached. The site is deactivated as soon as it can. */ deactivated: boolean; message: string };

export type RetentionCategory = { /** The slug of a data category. */ slug: string; label: string; /** The field from which the age of a record counts. */ counted_from: string };

/** How long records are kept, and what happens to them afterwards. */
export type RetentionPolicy = { /** The id of the policy. */ id: number; /** The display name. */ name: string; /** The slug of a data category. */ data_category: string; /** The retention period in `period_unit`, at most 100 years. */ period_value: number; /** Months and years are calendar units. */ period_unit: "days" | "months" | "years"; /** `anonymise` removes the personal data of a record, `delete` removes the whole record. */ action: "anonymise" | "delete"; is_active: 0 | 1; last_run_at: string | null; /** When it was created. */ created_at: string; /** When it was last changed. */ updated_at: string };

export type RetentionPolicyCreation = { /** The display name. */ name: string; /** The category of the records. */ data_category: "consent_records" | "activation_history" | "purchases" | "audit_log" | "customers" | "dsar_events" | "dsar_cases" | "dsar_packages" | "dsar_deletions" | "user_log" | "security_log" | "outbox_mail" | "webhook_events" | "retention_changes" | "scan_findings" | "finding_decisions"; /** The retention period in `period_unit`, at most 100 years. */ period_value: number; /** Months and years are calendar units. */ period_unit: "days" | "months" | "years"; /** `anonymise` removes the personal data of a record, `delete` removes the whole record. */ action: "anonymise" | "delete"; /** Whether scheduled runs include the policy. Defaults to 1. */ is_active?: 0 | 1 | boolean };

export type RetentionPolicyUpdate = { /** The display name. */ name?: string; /** The category of the records. */ data_category?: "consent_records" | "activation_history" | "purchases" | "audit_log" | "customers" | "dsar_events" | "dsar_cases" | "dsar_packages" | "dsar_deletions" | "user_log" | "security_log" | "outbox_mail" | "webhook_events" | "retention_changes" | "scan_findings" | "finding_decisions"; /** The retention period in `period_unit`, at most 100 years. */ period_value?: number; /** Months and years are calendar units. */ period_unit?: "days" | "months" | "years"; /** `anonymise` removes the personal data of a record, `delete` removes the whole record. */ action?: "anonymise" | "delete"; /** Whether scheduled runs include the policy. Defaults to 1. */ is_active?: 0 | 1 | boolean };

export type DeletedRetentionPolicy = { deleted: true; previous: RetentionPolicy };

export type RetentionPreview = { policy: RetentionPolicy; /** The moment as of which ages were calculated. */ as_of: string; /** Records whose age counts from before this moment are due. */ due_before: string; /** Records that are due by this policy on its own. */ records_affected: number; /** Due records that are protected by a legal hold. */ records_held: number; oldest: string | null; /** The records by the number of days that they have been due. */ ages: ({ from_days: number; to_days: number | null; records: number })[]; /** Up to ten ids. */ sample_ids: (number)[] };

export type RetentionStatus = { /** When the next scheduled run starts; the present moment while one is due or running. */ next_run_at: string };

export type RetentionRunRequest = { /** Whether to only count the records. Send false to change them. */ dry_run?: boolean; /** Runs one policy instead of all active ones. */ policy_id?: number };

export type RetentionResult = { /** The id of the policy. */ policy_id: number; policy_name: string; /** The slug of a data category. */ data_category: string; /** `anonymise` removes the personal data of a record, `delete` removes the whole record. */ action: "anonymise" | "delete"; /** Records whose age counts from before this moment are due. */ due_before: string; /** Records that were changed, or that a dry run would change. */ records_affected: number; /** Due records that are protected by a legal hold. */ records_held: number; error: string | null };

export type RetentionRunResult = { results: (RetentionResult)[]; /** The number of results. */ policies_run: number; /** The sum of `records_affected` over all results. */ total_affected: number; /** The moment as of which ages were calculated. */ as_of: string; /** Whether records were only counted. */ dry_run: boolean; run_id: number | null };

export type RetentionRun = { /** The id of the run. */ id: number; /** The next run continues an interrupted one. */ status: "running" | "finished" | "interrupted"; /** A login, `schedule`, the command line, or `anonymised` once a policy of `retention_changes` has removed it. */ started_by: string; /** When it started. */ started_at: string; finished_at: string | null; results: (RetentionResult)[]; /** The number of results. */ policies_run: number; /** The sum of `records_affected` over all results. */ total_affected: number; /** The moment as of which ages were calculated. */ as_of: string };

/** A change of a retention policy or of a legal hold. */
export type RetentionChange = { /** The id of the change. */ id: number; /** When it was made. */ at: string; /** A login, or the command line. */ actor: string; /** What was changed. */ subject: "policy" | "hold"; /** The id of the policy or the hold. */ subject_id: number; /** Policies are created, updated and deleted; holds are placed and lifted. */ action: "created" | "updated" | "deleted" | "placed" | "lifted"; before: Record<string, unknown> | null; after: Record<string, unknown> | null; reason: string | null };

/** A legal hold: it protects records from retention policies and erasures. */
export type RetentionHold = { /** The id of the hold. */ id: number; /** The slug of a data category. */ data_category: string; record_id: number | null; reason: string; /** The login of the user who placed it. */ placed_by: string; /** When it was placed. */ created_at: string; lifted_at: string | null; lifted_by: string | null; lifted_reason: string | null };

export type RetentionHoldCreation = { /** The category of the records. */ data_category: "consent_records" | "activation_history" | "purchases" | "audit_log" | "customers" | "dsar_events" | "dsar_cases" | "dsar_packages" | "dsar_deletions" | "user_log" | "security_log" | "outbox_mail" | "webhook_events" | "retention_changes" | "scan_findings" | "finding_decisions"; record_id?: number | null; /** Why the data must be kept. Do not name a person. */ reason: string };

export type RetentionHoldLift = { /** Why the hold is lifted. Recommended. It is kept in the change history, so do not name a person. */ reason?: string };

export type DeletedRetentionHold = { deleted: true; previous: RetentionHold };

/** A user of the console and the API. */
export type User = { id: number; username: string; /** The display name of a WordPress user; otherwise the login. */ name: string; email: string; /** False if the user has entered the address and no other administrator has confirmed it. Single sign-on does not find the account by it. `PUT` with the unchanged `email` by another administrator confirms it. */ email_confirmed: boolean; roles: (string)[]; /** Capabilities of the role. */ capabilities: Record<string, boolean>; /** When the user was created. */ registered_date: string; last_seen: string | null; locked_until: string | null; /** Number of active sessions. */ sessions: number; /** Number of application passwords. */ application_passwords: number; /** Whether the user has an authenticator app or a passkey. */ second_factor: boolean; /** Whether an identity of a single sign-on provider, the present or a former one, is linked. */ single_sign_on: boolean; /** Where the account is managed. WordPress users (`PAVIS_WORDPRESS_URL`) have the id, login, name and roles of WordPress and change their account there. */ source: "pavis" | "wordpress" };

export type UserCreation = { /** Letters, digits, `.`, `_` and `-`. Reserved are `customer`, `requestor`, `schedule`, `stripe`, `system` and `wordpress`, which stand for no user in logs. It cannot be changed. */ username: string; /** Unique. Can be used to sign in instead of the login. */ email: string; /** One role. `administrator` can do everything (`manage_options`), `editor` handles data subject requests and edits the texts of the banner, `viewer` reads what identifies no person, `subscriber` can only use their own account. */ roles?: ("administrator" | "editor" | "viewer" | "subscriber")[]; /** 8 to 200 characters; for an administrator at least 12, and not easy to guess. Made up if absent. */ password?: string };

export type CreatedUser = { id: number; username: string; /** The display name of a WordPress user; otherwise the login. */ name: string; email: string; /** False if the user has entered the address and no other administrator has confirmed it. Single sign-on does not find the account by it. `PUT` with the unchanged `email` by another administrator confirms it. */ email_confirmed: boolean; roles: (string)[]; /** Capabilities of the role. */ capabilities: Record<string, boolean>; /** When the user was created. */ registered_date: string; last_seen: string | null; locked_until: string | null; /** Number of active sessions. */ sessions: number; /** Number of application passwords. */ application_passwords: number; /** Whether the user has an authenticator app or a passkey. */ second_factor: boolean; /** Whether an identity of a single sign-on provider, the present or a former one, is linked. */ single_sign_on: boolean; /** Where the account is managed. WordPress users (`PAVIS_WORDPRESS_URL`) have the id, login, name and roles of WordPress and change their account there. */ source: "pavis" | "wordpress"; /** In plain text. Shown only once. */ password?: string };

/** An entry of the user activity log. */
export type UserEvent = { id: number; /** When it happened. */ at: string; /** Login of the user who did it, or the command line. */ actor: string; action: string; user_id: number; /** Login of the user who was changed. */ username: string; details: Record<string, unknown> };

export type UserUpdate = { /** Unique. Can be used to sign in instead of the login. */ email?: string; /** One role. `administrator` can do everything (`manage_options`), `editor` handles data subject requests and edits the texts of the banner, `viewer` reads what identifies no person, `subscriber` can only use their own account. */ roles?: ("administrator" | "editor" | "viewer" | "subscriber")[]; /** 8 to 200 characters; for an administrator at least 12, and not easy to guess. */ password?: string; /** The current password. Required to change your own password or email address. */ current_password?: string };

export type DeletedUser = { deleted: true; previous: User };

export type PasswordConfirmation = { /** The current password of the user. */ current_password: string };

export type PasskeyRegistration = { /** Confirms the registration, for 10 minutes, once. */ registration: string; /** For `PublicKeyCredential.parseCreationOptionsFromJSON()` in a browser. */ options: { rp: { id: string; name: string }; user: { id: string; name: string; displayName: string }; challenge: string; pubKeyCredParams: ({ alg: number; type: "public-key" })[]; /** In milliseconds. */ timeout: number; attestation: string; excludeCredentials: ({ id: string; type: "public-key"; transports?: (string)[] })[]; authenticatorSelection: { residentKey: string; requireResidentKey: boolean; userVerification: string }; extensions: { credProps: boolean }; hints: (string)[] } };

export type PasskeyCreation = { /** From the registration. */ registration: string; /** For you to recognise it by. */ name: string; /** `toJSON()` of the credential that the browser created. More is ignored. */ response: { id: string; response: { clientDataJSON: string; attestationObject: string; transports?: (string)[] } } };

export type RecoveryCodes = { /** New recovery codes, each for one sign-in. Shown only once. Empty if earlier ones stay valid. */ recovery_codes: (string)[] };

export type PasskeyUpdate = { /** For you to recognise it by. */ name: string };

/** A passkey with which a user signs in. */
export type Passkey = { id: number; name: string; /** When it was added. */ created: string; last_used: string | null };

/** What a user needs beside the password to sign in to the console: nothing without an authenticator app and passkeys. */
export type SecondFactor = { authenticator_app: string | null; /** Number of unused recovery codes. */ recovery_codes: number; /** Oldest first. */ passkeys: (Passkey)[]; /** Whether the role of the user needs one to sign in with the password (`PAVIS_REQUIRE_SECOND_FACTOR`). */ required: boolean; passkey_problem: string | null };

export type AuthenticatorAppSetup = { /** Confirms the setup, for 15 minutes. */ setup: string; /** The secret for the app, in base32. Shown only once. */ secret: string; /** The secret as an `otpauth://` address, for a QR code. */ uri: string };

export type AuthenticatorAppConfirmation = { /** From the setup. */ setup: string; /** The 6 digits that the app shows. */ code: string };

export type PasswordReset = { id: number; username: string; /** The display name of a WordPress user; otherwise the login. */ name: string; email: string; /** False if the user has entered the address and no other administrator has confirmed it. Single sign-on does not find the account by it. `PUT` with the unchanged `email` by another administrator confirms it. */ email_confirmed: boolean; roles: (string)[]; /** Capabilities of the role. */ capabilities: Record<string, boolean>; /** When the user was created. */ registered_date: string; last_seen: string | null; locked_until: string | null; /** Number of active sessions. */ sessions: number; /** Number of application passwords. */ application_passwords: number; /** Whether the user has an authenticator app or a passkey. */ second_factor: boolean; /** Whether an identity of a single sign-on provider, the present or a former one, is linked. */ single_sign_on: boolean; /** Where the account is managed. WordPress users (`PAVIS_WORDPRESS_URL`) have the id, login, name and roles of WordPress and change their account there. */ source: "pavis" | "wordpress"; /** In plain text. Shown only once. */ password: string };

/** A password for an application. */
export type ApplicationPassword = { uuid: string; /** UUID of the application, or an empty string. */ app_id: string; name: string; /** When it was made. */ created: string; last_used: string | null; expires_at: string | null; scopes: ("consent:read" | "consent:write" | "settings:read" | "settings:write" | "scanner:read" | "scanner:write" | "vendors:read" | "vendors:write" | "data-map:read" | "data-map:write" | "scripts:read" | "scripts:write" | "dsar:read" | "dsar:write" | "retention:read" | "retention:write" | "mail:read" | "mail:write" | "webhooks:read" | "webhooks:write" | "licence:read" | "licence:write" | "developer:read" | "users:read" | "security-log:read")[] | null };

export type ApplicationPasswordCreation = { /** Name of the application. Unique per user. */ name: string; /** UUID of the application. */ app_id?: string; expires_at?: string | null; /** What it is limited to, within the rights of the user. Default: all rights of the user. `consent:read`: Read consent records, consent statistics, the consent log and banner pictures, as far as your role may. `consent:write`: Verify the consent log, dismiss refused origins, and show or rotate the key for signed-in people. `settings:read`: Read the settings and the banner versions. `settings:write`: Change and import settings, with the texts of the banner. `scanner:read`: Read scans, their findings and evidence. `scanner:write`: Start, cancel and delete scans, and decide about findings. `vendors:read`: Read vendors. `vendors:write`: Create, change and delete vendors. `data-map:read`: Read and export the data map, and compare it with the latest scan. `data-map:write`: Create, change and delete data map entries. `scripts:read`: Read scripts. `scripts:write`: Register, change and delete scripts. `dsar:read`: Read subject requests and their statistics, with the personal data your role sees. `dsar:write`: Create and handle subject requests, approve erasures; administrators also delete requests. `retention:read`: Read retention policies and runs; administrators also legal holds. `retention:write`: Change and run retention policies, place and release legal holds. `mail:read`: Read the list of emails. `mail:write`: Retry emails and send test emails. `webhooks:read`: Read webhooks and their deliveries, with the payloads. `webhooks:write`: Create, change, test and delete webhooks, and send events again. `licence:read`: Read the licence of the site. `licence:write`: Save and remove the licence key of the site. `developer:read`: Read hooks and registered extensions. `users:read`: Read the account of the user; administrators also read all users and their activity. `security-log:read`: Read and export the security log. */ scopes?: ("consent:read" | "consent:write" | "settings:read" | "settings:write" | "scanner:read" | "scanner:write" | "vendors:read" | "vendors:write" | "data-map:read" | "data-map:write" | "scripts:read" | "scripts:write" | "dsar:read" | "dsar:write" | "retention:read" | "retention:write" | "mail:read" | "mail:write" | "webhooks:read" | "webhooks:write" | "licence:read" | "licence:write" | "developer:read" | "users:read" | "security-log:read")[] };

export type NewApplicationPassword = { uuid: string; /** UUID of the application, or an empty string. */ app_id: string; name: string; /** When it was made. */ created: string; last_used: string | null; expires_at: string | null; scopes: ("consent:read" | "consent:write" | "settings:read" | "settings:write" | "scanner:read" | "scanner:write" | "vendors:read" | "vendors:write" | "data-map:read" | "data-map:write" | "scripts:read" | "scripts:write" | "dsar:read" | "dsar:write" | "retention:read" | "retention:write" | "mail:read" | "mail:write" | "webhooks:read" | "webhooks:write" | "licence:read" | "licence:write" | "developer:read" | "users:read" | "security-log:read")[] | null; /** Six groups of four characters. Shown only once. */ password: string };

/** What an application password can be limited to. */
export type ApplicationPasswordScope = { scope: "consent:read" | "consent:write" | "settings:read" | "settings:write" | "scanner:read" | "scanner:write" | "vendors:read" | "vendors:write" | "data-map:read" | "data-map:write" | "scripts:read" | "scripts:write" | "dsar:read" | "dsar:write" | "retention:read" | "retention:write" | "mail:read" | "mail:write" | "webhooks:read" | "webhooks:write" | "licence:read" | "licence:write" | "developer:read" | "users:read" | "security-log:read"; /** What it allows, for people. */ description: string };

export type DeletedApplicationPassword = { deleted: true; previous: ApplicationPassword };

/** A browser in which a user is signed in to the console. */
export type Session = { id: number; /** Browser and system, for example `Firefox on Windows`. */ device: string; address: string | null; /** When the user signed in. */ created: string; last_used: string | null; /** When the session ends by itself. */ expires: string; /** Whether this request belongs to the session. */ current: boolean };

export type SessionsDeletion = { /** Keep the session of this request. Has no effect without one, for example with an application password, and for other users. */ except_current?: boolean };

export type EndedSessions = { deleted: true; /** Number of sessions that were ended. */ count: number };

export type DeletedSession = { deleted: true; previous: Session };

/** A security event. */
export type SecurityEvent = { id: number; /** When it happened first. */ at: string; /** When it happened last, within the same minute. */ last_at: string; event: "sign_in" | "sign_in_failed" | "sign_in_burst" | "sign_out" | "account_locked" | "account_unlocked" | "credential_refused" | "user_created" | "user_deleted" | "role_changed" | "email_changed" | "password_changed" | "password_reset" | "password_reset_requested" | "signed_out_everywhere" | "sessions_ended" | "application_password_added" | "application_password_revoked" | "second_factor_changed" | "single_sign_on_unlinked" | "data_exported" | "product_changed" | "plan_changed" | "branding_changed" | "release_changed" | "release_key_changed" | "webhook_changed" | "licences_imported" | "api_token_changed" | "subject_key_shown" | "subject_key_rotated" | "signing_key_rotated"; outcome: "success" | "failure"; /** Number of occurrences. Repetitions within a minute are one record. */ count: number; user_id: number | null; username: string | null; actor_id: number | null; actor: string | null; address: string | null; user_agent: string | null; details: Record<string, unknown> };

export interface PluginApi {
  /** Record a consent choice */
  'POST /consent': { body: ConsentDecision; /** A request that is repeated within 10 seconds with the same key and body is recorded once. Both responses have the same id. */ idempotencyKey?: string; answer: ConsentResult };
  /** Get the latest consent choice of a signed-in person */
  'POST /consent/subject': { body: SharedChoiceQuery; answer: SharedChoiceResult };
  /** Get the key for tokens of signed-in people */
  'GET /consent/subject-key': { answer: ConsentSubjectKey };
  /** Rotate the key for tokens of signed-in people */
  'POST /consent/subject-key': { answer: ConsentSubjectKey };
  /** Check an appearance of the banner without saving it */
  'POST /consent/banner/appearance': { body: BannerAppearanceCheck; answer: CheckedBannerAppearance };
  /** Get the consent status and banner settings */
  'GET /consent/status': { answer: ConsentStatus };
  /** Get the texts of the banner in the best matching language */
  'GET /consent/texts': { query?: { /** For example `de` or `pt-BR`. Default: the first language of the site. */ language?: string; /** The banner version of a status that was read before. Default, and if consent to it is no longer valid: the current version. */ version?: number }; answer: ConsentTexts };
  /** List the pictures of a banner version */
  'GET /consent/banner/pictures': { query?: { /** The banner version. Default: the current one. */ version?: number; /** For example `de`: only the pictures of the texts that visitors with this language see. Default: all languages. */ language?: string }; answer: BannerPictures };
  /** Get a picture of a banner version */
  'GET /consent/banner/pictures/{id}': { params: { /** Names the item, by its id. */ id: number }; answer: Blob };
  /** List consent records */
  'GET /consent/records': { query?: { consent_action?: "accept_all" | "reject_all" | "manage"; /** First day, in the time zone of the site. */ date_from?: string; /** Last day, in the time zone of the site. */ date_to?: string; /** Start of the visitor id. An id that is all in lower case or all in upper case is found by both. */ search?: string; /** Items per page. */ per_page?: number; /** Page number. `offset` takes precedence. */ page?: number; /** Number of items to skip. */ offset?: number }; answer: (ConsentRecord)[] };
  /** Export consent records as CSV or JSON */
  'GET /consent/records/export': { query?: { consent_action?: "accept_all" | "reject_all" | "manage"; /** First day, in the time zone of the site. */ date_from?: string; /** Last day, in the time zone of the site. */ date_to?: string; /** Start of the visitor id. An id that is all in lower case or all in upper case is found by both. */ search?: string; format?: "csv" | "json" }; answer: (ConsentRecord)[] | string };
  /** Get consent statistics */
  'GET /consent/stats': { query?: { /** First day, in the time zone of the site. Default: 29 days before `to`. A period has at most 3660 days. */ from?: string; /** Last day, in the time zone of the site. Default: today. A reversed period is empty. */ to?: string }; answer: ConsentStats };
  /** Get the state of the consent log */
  'GET /consent/log': { answer: ConsentLogState };
  /** Get the checkpoint of the consent log */
  'GET /consent/log/checkpoint': { answer: string };
  /** Get a tile or an entry bundle of the consent log */
  'GET /consent/log/tile/{tile}': { params: { /** Level and number of the tile, or `entries` and the number of the bundle, as in C2SP tlog-tiles. */ tile: string }; answer: Blob };
  /** Start a verification of the consent log */
  'POST /consent/log/verifications': { body?: ConsentLogVerificationRequest; answer: ConsentLogVerification };
  /** List verifications of the consent log, newest first */
  'GET /consent/log/verifications': { query?: { /** Items per page. */ per_page?: number; /** Page number. `offset` takes precedence. */ page?: number; /** Number of items to skip. */ offset?: number }; answer: (ConsentLogVerification)[] };
  /** Get a verification of the consent log */
  'GET /consent/log/verifications/{id}': { params: { /** Names the item, by its id. */ id: number }; answer: ConsentLogVerification };
  /** Compare a consent record with the consent log */
  'GET /consent/records/{id}/log-state': { params: { /** Names the item, by its id. */ id: number }; answer: ConsentRecordState };
  /** Get the proof that a consent record is in the consent log */
  'GET /consent/records/{id}/proof': { params: { /** Names the item, by its id. */ id: number }; answer: string };
  /** Get the receipt of a consent choice */
  'GET /consent/receipt': { query: { /** The visitor id of the choice. Only ids that cannot be guessed have receipts: version 4 UUIDs, and ids that the banner generated. */ visitor_id: string; /** The consent record. Default: the newest of the visitor. */ id?: number; /** A page with the proof in it, or the proof alone (C2SP tlog-proof). */ format?: "html" | "proof"; /** Of the page, `en` or `de`. Default: the language of the banner that was shown. */ language?: string }; answer: string };
  /** Download consent records with proofs as a ZIP file */
  'GET /consent/log/bundle': { query: { /** First day, in the time zone of the site. */ date_from: string; /** Last day, in the time zone of the site. */ date_to: string }; answer: Blob };
  /** List the rules of each regime on a day, with their sources and countries */
  'GET /consent/regimes': { query?: { /** The day whose rules to list, from 2020-01-01 on. Default: today in the time zone of the site. */ date?: string }; answer: Regimes };
  /** Get the rules that apply to the visitor, by their country and the settings */
  'GET /consent/regime': { answer: VisitorRegime };
  /** List refused origins */
  'GET /consent/refused-origins': { query?: { /** Items per page. */ per_page?: number; /** Page number. `offset` takes precedence. */ page?: number; /** Number of items to skip. */ offset?: number }; answer: (RefusedOrigin)[] };
  /** Dismiss a refused origin */
  'DELETE /consent/refused-origins/{id}': { params: { /** Names the item, by its id. */ id: number }; answer: DeletedRefusedOrigin };
  /** List the languages with banner texts */
  'GET /consent/languages': { query?: { /** Items per page. */ per_page?: number; /** Page number. `offset` takes precedence. */ page?: number; /** Number of items to skip. */ offset?: number }; answer: (BannerLanguage)[] };
  /** Get the banner texts in a language */
  'GET /consent/languages/{tag}': { params: { /** Names the language, for example `pt-BR`. */ tag: string }; answer: BannerLanguageTexts };
  /** Get the settings */
  'GET /settings': { answer: Settings };
  /** Update the settings */
  'PUT /settings': { body?: SettingsUpdate; answer: Settings };
  /** List the settings from environment variables */
  'GET /settings/environment': { query?: { /** Items per page. */ per_page?: number; /** Page number. `offset` takes precedence. */ page?: number; /** Number of items to skip. */ offset?: number }; answer: (EnvironmentSetting)[] };
  /** List banner versions */
  'GET /settings/consent-versions': { query?: { /** Versions per response. All versions are returned if it is missing. */ per_page?: number; /** Page number. `offset` takes precedence. */ page?: number; /** Number of items to skip. */ offset?: number }; answer: (ConsentVersion)[] };
  /** Import the settings of another banner */
  'POST /settings/import': { body: SettingsImportRequest; answer: SettingsImport };
  /** List hooks */
  'GET /developer/hooks': { query?: { /** Only hooks of this type. */ type?: "action" | "filter"; /** Items per page. */ per_page?: number; /** Page number. `offset` takes precedence. */ page?: number; /** Number of items to skip. */ offset?: number }; answer: (Hook)[] };
  /** List registered extensions */
  'GET /developer/extensions': { answer: ExtensionsListing };
  /** List vendors */
  'GET /vendors': { query?: { /** Text in the name or slug. */ search?: string; /** Items per page. */ per_page?: number; /** Page number. `offset` takes precedence. */ page?: number; /** Number of items to skip. */ offset?: number }; answer: (Vendor)[] };
  /** Create a vendor */
  'POST /vendors': { body: VendorCreation; answer: Vendor };
  /** Get a vendor */
  'GET /vendors/{id}': { params: { /** Names the item, by its id. */ id: number }; answer: Vendor };
  /** Update a vendor */
  'PUT /vendors/{id}': { params: { /** Names the item, by its id. */ id: number }; body?: VendorUpdate; answer: Vendor };
  /** Delete a vendor */
  'DELETE /vendors/{id}': { params: { /** Names the item, by its id. */ id: number }; answer: DeletedVendor };
  /** List scripts */
  'GET /scripts': { query?: { /** Only scripts of this category, which can have been removed from the settings. */ category?: string; /** Only active (1) or inactive (0) scripts. */ is_active?: 0 | 1 | boolean; /** Part of a handle or label. */ search?: string; /** Items per page. */ per_page?: number; /** Page number. `offset` takes precedence. */ page?: number; /** Number of items to skip. */ offset?: number }; answer: (Script)[] };
  /** Register a script */
  'POST /scripts': { body: ScriptCreation; answer: Script };
  /** Get a script */
  'GET /scripts/{id}': { params: { /** Names the item, by its id. */ id: number }; answer: Script };
  /** Update a script */
  'PUT /scripts/{id}': { params: { /** Names the item, by its id. */ id: number }; body?: ScriptUpdate; answer: Script };
  /** Delete a script */
  'DELETE /scripts/{id}': { params: { /** Names the item, by its id. */ id: number }; answer: DeletedScript };
  /** List the active scripts for the banner */
  'GET /consent/scripts': { answer: (BlockedScript)[] };
  /** List data map entries */
  'GET /data-map': { query?: { /** Archived entries are kept for the record. */ status?: "active" | "archived"; /** One of consent, contract, legal_obligation, vital_interests, public_task, legitimate_interests; common synonyms are accepted, for example "contractual", "legitimate interest" and "Art. 6(1)(f)". */ legal_basis?: string; /** Part of a purpose or of a vendor’s name or slug. */ search?: string; /** Only entries whose review date is today or earlier (1). */ review_due?: boolean; /** Only entries with an earlier review date. */ review_before?: string; /** Items per page. */ per_page?: number; /** Page number. `offset` takes precedence. */ page?: number; /** Number of items to skip. */ offset?: number }; answer: (DataMapEntry)[] };
  /** Create a data map entry */
  'POST /data-map': { body: DataMapEntryCreation; answer: DataMapEntry };
  /** Add entries for vendors that a scan found */
  'POST /data-map/bulk-add': { body: DataMapBulkAdd; answer: DataMapBulkAddResult };
  /** Count missing entries for processing by Pavis */
  'GET /data-map/own-processing': { answer: OwnProcessingStatus };
  /** Add missing entries for processing by Pavis */
  'POST /data-map/own-processing': { answer: OwnProcessingResult };
  /** List suggestions for data map fields */
  'GET /data-map/suggestions': { answer: DataMapSuggestions };
  /** Export the records of processing activities */
  'GET /data-map/export': { query?: { format?: "csv" | "json" | "html" }; answer: (DataMapEntry)[] | string };
  /** Get a data map entry */
  'GET /data-map/{id}': { params: { /** Names the item, by its id. */ id: number }; answer: DataMapEntry };
  /** Update a data map entry */
  'PUT /data-map/{id}': { params: { /** Names the item, by its id. */ id: number }; body?: DataMapEntryUpdate; answer: DataMapEntry };
  /** Delete a data map entry */
  'DELETE /data-map/{id}': { params: { /** Names the item, by its id. */ id: number }; answer: DeletedDataMapEntry };
  /** Get the declaration of cookies and third parties */
  'GET /declaration': { query?: { /** For example `de` or `pt-BR`. The texts are in English or German. The labels of the categories are in the best matching language of the site. Default: the first language of the site. */ language?: string }; answer: Declaration };
  /** List the vendors of each category for the preferences */
  'GET /consent/vendors': { query?: { /** For example `de` or `pt-BR`. Lifetimes are in the best matching language of the site, purposes of the vendor library in English or German. Default: the first language of the site. */ language?: string }; answer: PreferencesVendors };
  /** List cookie names by category */
  'GET /consent/cookies': { answer: VendorCookies };
  /** Get the differences between the data map and the latest scan */
  'GET /declaration/drift': { answer: DeclarationDrift };
  /** Start a scan on the server */
  'POST /scanner/scans': { body?: ScanStart; answer: Scan };
  /** List scans */
  'GET /scanner/scans': { query?: { /** Only scans that were started in one of these ways. Default: all scans. */ started_by?: ("request" | "schedule" | "proof")[]; /** Only scans with one of these statuses. Default: all scans. */ status?: ("queued" | "started" | "completed" | "cancelled" | "interrupted" | "failed")[]; /** If true, only scans of the protected site: `pavis scan` can scan others. Default: all scans. */ protected_site?: boolean; /** Items per page. */ per_page?: number; /** Page number. `offset` takes precedence. */ page?: number; /** Number of items to skip. */ offset?: number }; answer: (Scan)[] };
  /** Cancel a scan */
  'POST /scanner/scans/{id}/cancel': { params: { /** Names the item, by its id. */ id: number }; answer: Scan };
  /** Resume a scan on the server */
  'POST /scanner/scans/{id}/resume': { params: { /** Names the item, by its id. */ id: number }; answer: Scan };
  /** Delete a scan and its findings */
  'DELETE /scanner/scans/{id}': { params: { /** Names the item, by its id. */ id: number }; answer: DeletedScan };
  /** Get a scan */
  'GET /scanner/scans/{id}': { params: { /** Names the item, by its id. */ id: number }; query?: { /** An earlier scan to compare this one with. */ compare_with?: number }; answer: ScanDetail };
  /** Get the schedule of scans */
  'GET /scanner/schedule': { answer: ScanScheduleStatus };
  /** Decide about findings */
  'POST /scanner/decisions': { body: FindingDecisionRequest; answer: FindingDecisionResult };
  /** List decisions about findings */
  'GET /scanner/decisions': { query?: { /** Items per page. */ per_page?: number; /** Page number. `offset` takes precedence. */ page?: number; /** Number of items to skip. */ offset?: number }; answer: (FindingDecision)[] };
  /** Check blocked findings again */
  'POST /scanner/scans/{id}/verify': { params: { /** Names the item, by its id. */ id: number }; answer: Scan };
  /** List the resources of a scan */
  'GET /scanner/scans/{id}/resources': { params: { /** Names the item, by its id. */ id: number }; query?: { /** Items per page. */ per_page?: number; /** Page number. `offset` takes precedence. */ page?: number; /** Number of items to skip. */ offset?: number; /** What to sort by. `urgency`: broken promises first, then open, blocked, ignored, strictly necessary, and resources that need no decision. Unknown vendors and categories come last in both directions. */ orderby?: "urgency" | "name" | "resource_type" | "vendor" | "category" | "pages" | "first_seen"; /** Sort direction. */ order?: "asc" | "desc"; /** Only resources of this type. */ resource_type?: "script" | "iframe" | "pixel" | "cookie" | "api_call" | "gtm_tag" | "form"; /** Only resources that loaded before consent on a page, or only after it. */ consent_state?: "before" | "after"; /** Only resources that loaded without consent and need it. */ needs_consent?: boolean; /** Only resources in this decision state. */ state?: "open" | "blocked" | "necessary" | "ignored"; /** Only resources with this verdict on a page. */ verdict?: "loaded_without_consent" | "loaded_despite_rejection" | "not_stopped_by_withdrawal" | "ignores_gpc" | "cookieless_ping" | "blocked_until_consent" | "strictly_necessary"; /** Only resources that were at work on a page after a rejection or withdrawal. */ broken_promise?: boolean; /** Only resources of the vendor with this slug. */ vendor?: string; /** Only resources found on this page. */ page_url?: string; /** Text in the name, URL or vendor name. */ search?: string }; answer: (ScanResource)[] };
  /** List the visits of a scan */
  'GET /scanner/scans/{id}/visits': { params: { /** Names the item, by its id. */ id: number }; query?: { /** Items per page. */ per_page?: number; /** Page number. `offset` takes precedence. */ page?: number; /** Number of items to skip. */ offset?: number; /** Only visits of this page. */ url?: string }; answer: (ScanVisit)[] };
  /** Get the picture of a visit */
  'GET /scanner/visits/{id}/picture': { params: { /** Names the item, by its id. */ id: number }; answer: Blob };
  /** Download the evidence pack of a scan as a ZIP file */
  'GET /scanner/scans/{id}/evidence': { params: { /** Names the item, by its id. */ id: number }; answer: Blob };
  /** List cookie classifications */
  'GET /scanner/cookies': { query?: { /** Items per page. */ per_page?: number; /** Page number. `offset` takes precedence. */ page?: number; /** Number of items to skip. */ offset?: number }; answer: (CookieClassification)[] };
  /** Create a cookie classification */
  'POST /scanner/cookies': { body: CookieClassificationCreation; answer: CookieClassification };
  /** Get a cookie classification */
  'GET /scanner/cookies/{id}': { params: { /** Names the item, by its id. */ id: number }; answer: CookieClassification };
  /** Delete a cookie classification */
  'DELETE /scanner/cookies/{id}': { params: { /** Names the item, by its id. */ id: number }; answer: DeletedCookieClassification };
  /** Start a scan that a client runs */
  'POST /scanner/start': { body?: ScanStart; answer: ScanStartResult };
  /** Scan a page */
  'POST /scanner/scan-page': { body: PageScan; answer: PageScanResult };
  /** Complete a scan */
  'POST /scanner/complete': { body: ScanCompletion; answer: ScanCompletionResult };
  /** Get the results of a scan */
  'GET /scanner/results/{id}': { params: { /** Names the item, by its id. */ id: number }; query?: { /** Only findings of this type. Vendors and hosts always describe the whole scan. */ resource_type?: "script" | "iframe" | "pixel" | "cookie" | "api_call" | "gtm_tag" | "form"; /** Findings per response. All findings are returned if it is missing. */ per_page?: number; /** Page number. `offset` takes precedence. */ page?: number; /** Number of items to skip. */ offset?: number }; answer: ScanResults };
  /** Create a privacy request as a data subject */
  'POST /dsar/intake': { body: DsarIntakeRequest; answer: DsarIntake };
  /** Get the status of a request by reference and email address */
  'GET /dsar/status': { query: { reference: string; email: string }; answer: DsarStatus };
  /** Send a link that withdraws a request */
  'POST /dsar/withdraw': { body: DsarReference; answer: DsarWithdrawal };
  /** Confirm an email address with the emailed link */
  'POST /dsar/verify': { body: DsarToken; answer: DsarStatus };
  /** Withdraw a request with the emailed link */
  'POST /dsar/withdraw/confirm': { body: DsarToken; answer: DsarStatus };
  /** Download a package with the emailed link, once */
  'POST /dsar/package': { body: DsarToken; answer: Blob };
  /** List the users to whom a request can be assigned, by login */
  'GET /dsar/assignees': { query?: { /** Items per page. */ per_page?: number; /** Page number. `offset` takes precedence. */ page?: number; /** Number of items to skip. */ offset?: number }; answer: (Assignee)[] };
  /** List privacy requests */
  'GET /dsar/cases': { query?: { status?: "received" | "in_progress" | "on_hold" | "completed" | "rejected" | "withdrawn"; /** The right that is exercised. */ request_type?: "access" | "deletion" | "rectification" | "portability" | "objection"; /** What to sort by. With `deadline`, open requests come before closed ones. */ orderby?: "deadline" | "received_on" | "request_type" | "status"; /** The sort direction. */ order?: "asc" | "desc"; /** Whether the request is open and past its deadline. */ overdue?: boolean; /** Part of a reference, name or address. */ search?: string; /** A login; empty for unassigned requests. */ assignee?: string; /** Items per page. */ per_page?: number; /** Page number. `offset` takes precedence. */ page?: number; /** Number of items to skip. */ offset?: number }; answer: (DsarCase)[] };
  /** Create a request that was received by letter, telephone or another way */
  'POST /dsar/cases': { body: DsarCaseCreation; answer: DsarCase };
  /** Get a privacy request */
  'GET /dsar/cases/{id}': { params: { /** Names the item, by its id. */ id: number }; answer: DsarCase };
  /** Update the status, assignee or deadline of a request */
  'PUT /dsar/cases/{id}': { params: { /** Names the item, by its id. */ id: number }; body?: DsarCaseUpdate; answer: DsarUpdatedCase };
  /** Delete a request with its events, tasks, links and package */
  'DELETE /dsar/cases/{id}': { params: { /** Names the item, by its id. */ id: number }; body?: DsarDeletionReason; answer: DeletedDsarCase };
  /** Send the requester a new confirmation or download link */
  'POST /dsar/cases/{id}/links': { params: { /** Names the item, by its id. */ id: number }; body: DsarLinkRequest; answer: DsarLink };
  /** Get request statistics */
  'GET /dsar/metrics': { query?: { date_from?: string; date_to?: string }; answer: DsarMetrics };
  /** List the activity of a request, oldest first */
  'GET /dsar/cases/{id}/events': { params: { /** Names the item, by its id. */ id: number }; query?: { /** Items per page. */ per_page?: number; /** Page number. `offset` takes precedence. */ page?: number; /** Number of items to skip. */ offset?: number }; answer: (DsarEvent)[] };
  /** Add a note to a request */
  'POST /dsar/cases/{id}/events': { params: { /** Names the item, by its id. */ id: number }; body: DsarNote; answer: DsarEvent };
  /** List the tasks of a request */
  'GET /dsar/cases/{id}/tasks': { params: { /** Names the item, by its id. */ id: number }; query?: { /** Items per page. */ per_page?: number; /** Page number. `offset` takes precedence. */ page?: number; /** Number of items to skip. */ offset?: number }; answer: (DsarTask)[] };
  /** Retry, complete or skip a task */
  'PUT /dsar/tasks/{id}': { params: { /** Names the item, by its id. */ id: number }; body: DsarTaskUpdate; answer: DsarTask };
  /** Preview the erasure of a deletion request */
  'GET /dsar/cases/{id}/erasure': { params: { /** Names the item, by its id. */ id: number }; answer: (DsarErasurePreview)[] };
  /** Approve or refuse the erasure of a deletion request */
  'POST /dsar/cases/{id}/approve': { params: { /** Names the item, by its id. */ id: number }; body?: DsarApproval; answer: (DsarTask)[] };
  /** Preview the email that completes a request */
  'GET /dsar/cases/{id}/completion': { params: { /** Names the item, by its id. */ id: number }; query?: { /** The reason for skipping open tasks. */ reason?: string }; answer: DsarCompletionPreview };
  /** Download the package of a request as a ZIP file */
  'GET /dsar/cases/{id}/package': { params: { /** Names the item, by its id. */ id: number }; answer: Blob };
  /** List deleted requests, newest first */
  'GET /dsar/deletions': { query?: { /** Items per page. */ per_page?: number; /** Page number. `offset` takes precedence. */ page?: number; /** Number of items to skip. */ offset?: number }; answer: (DsarDeletion)[] };
  /** List emails */
  'GET /mail': { query?: { status?: "pending" | "sending" | "sent" | "dead" | "held"; /** Path of a resource, for example `dsar/cases/12`. Returns the emails about it. */ about?: string; /** Items per page. */ per_page?: number; /** Page number. `offset` takes precedence. */ page?: number; /** Number of items to skip. */ offset?: number }; answer: (Mail)[] };
  /** Send a test email to the current user */
  'POST /mail/test': { answer: Mail };
  /** Get an email */
  'GET /mail/{id}': { params: { /** Names the item, by its id. */ id: number }; answer: Mail };
  /** Retry an email */
  'POST /mail/{id}/retry': { params: { /** Names the item, by its id. */ id: number }; answer: Mail };
  /** List webhooks */
  'GET /webhooks': { query?: { /** Items per page. */ per_page?: number; /** Page number. `offset` takes precedence. */ page?: number; /** Number of items to skip. */ offset?: number }; answer: (Webhook)[] };
  /** Create a webhook */
  'POST /webhooks': { body: WebhookCreation; answer: WebhookWithSecret };
  /** Get a webhook */
  'GET /webhooks/{id}': { params: { /** Names the item, by its id. */ id: number }; answer: Webhook };
  /** Update a webhook */
  'PUT /webhooks/{id}': { params: { /** Names the item, by its id. */ id: number }; body?: WebhookUpdate; answer: Webhook };
  /** Delete a webhook */
  'DELETE /webhooks/{id}': { params: { /** Names the item, by its id. */ id: number }; answer: DeletedWebhook };
  /** Rotate the secret of a webhook. Requests carry signatures of both secrets for a day; of the first and the newest if it is rotated again */
  'POST /webhooks/{id}/secret': { params: { /** Names the item, by its id. */ id: number }; answer: WebhookWithSecret };
  /** List event types of webhooks */
  'GET /webhooks/event-types': { query?: { /** Items per page. */ per_page?: number; /** Page number. `offset` takes precedence. */ page?: number; /** Number of items to skip. */ offset?: number }; answer: (WebhookEventType)[] };
  /** List webhook deliveries, newest first */
  'GET /webhook-deliveries': { query?: { /** The id of a webhook. */ webhook?: number; status?: "pending" | "sending" | "delivered" | "failed"; /** An event type, for example `licence.issued`. */ type?: string; /** Items per page. */ per_page?: number; /** Page number. `offset` takes precedence. */ page?: number; /** Number of items to skip. */ offset?: number }; answer: (WebhookDelivery)[] };
  /** Get a webhook delivery with its payload */
  'GET /webhook-deliveries/{id}': { params: { /** Names the item, by its id. */ id: number }; answer: WebhookDeliveryWithPayload };
  /** Send an event again, under the same id */
  'POST /webhook-deliveries/{id}/replay': { params: { /** Names the item, by its id. */ id: number }; answer: WebhookDelivery };
  /** Send the failed deliveries of a webhook again, and now those that are to be retried */
  'POST /webhooks/{id}/replay': { params: { /** Names the item, by its id. */ id: number }; body?: WebhookReplay; answer: WebhookReplayed };
  /** Send a test event to a webhook */
  'POST /webhooks/{id}/test': { params: { /** Names the item, by its id. */ id: number }; answer: WebhookDelivery };
  /** Get the licence of the site */
  'GET /licence': { answer: SiteLicence };
  /** Save the licence key and activate the site */
  'POST /licence': { body: SiteLicenceKey; answer: SiteLicence };
  /** Remove the licence key and deactivate the site */
  'DELETE /licence': { answer: SiteLicenceRemoval };
  /** List data categories */
  'GET /retention/categories': { query?: { /** Items per page. */ per_page?: number; /** Page number. `offset` takes precedence. */ page?: number; /** Number of items to skip. */ offset?: number }; answer: (RetentionCategory)[] };
  /** List retention policies */
  'GET /retention/policies': { query?: { /** 1 returns only active policies. */ active_only?: boolean; /** The slug of a data category. */ data_category?: string; /** Items per page. */ per_page?: number; /** Page number. `offset` takes precedence. */ page?: number; /** Number of items to skip. */ offset?: number }; answer: (RetentionPolicy)[] };
  /** Create a retention policy */
  'POST /retention/policies': { body: RetentionPolicyCreation; answer: RetentionPolicy };
  /** Get a retention policy */
  'GET /retention/policies/{id}': { params: { /** Names the item, by its id. */ id: number }; answer: RetentionPolicy };
  /** Update a retention policy */
  'PUT /retention/policies/{id}': { params: { /** Names the item, by its id. */ id: number }; body?: RetentionPolicyUpdate; answer: RetentionPolicy };
  /** Delete a retention policy */
  'DELETE /retention/policies/{id}': { params: { /** Names the item, by its id. */ id: number }; answer: DeletedRetentionPolicy };
  /** Preview a retention policy */
  'GET /retention/policies/{id}/preview': { params: { /** Names the item, by its id. */ id: number }; answer: RetentionPreview };
  /** Get the time of the next scheduled run */
  'GET /retention/status': { answer: RetentionStatus };
  /** Run retention policies, or preview a run */
  'POST /retention/run': { body?: RetentionRunRequest; answer: RetentionRunResult };
  /** List retention runs, newest first */
  'GET /retention/runs': { query?: { /** Items per page. */ per_page?: number; /** Page number. `offset` takes precedence. */ page?: number; /** Number of items to skip. */ offset?: number }; answer: (RetentionRun)[] };
  /** Get a retention run */
  'GET /retention/runs/{id}': { params: { /** Names the item, by its id. */ id: number }; answer: RetentionRun };
  /** List changes to policies and legal holds, newest first */
  'GET /retention/changes': { query?: { /** Only changes of policies, or of holds. */ subject?: "policy" | "hold"; /** Only changes of this policy or hold. */ subject_id?: number; /** Items per page. */ per_page?: number; /** Page number. `offset` takes precedence. */ page?: number; /** Number of items to skip. */ offset?: number }; answer: (RetentionChange)[] };
  /** List legal holds, newest first */
  'GET /retention/holds': { query?: { /** Whether to list active or lifted holds. */ status?: "active" | "lifted"; /** Items per page. */ per_page?: number; /** Page number. `offset` takes precedence. */ page?: number; /** Number of items to skip. */ offset?: number }; answer: (RetentionHold)[] };
  /** Place a legal hold on a record or a category */
  'POST /retention/holds': { body: RetentionHoldCreation; answer: RetentionHold };
  /** Release a legal hold */
  'DELETE /retention/holds/{id}': { params: { /** Names the item, by its id. */ id: number }; body?: RetentionHoldLift; answer: DeletedRetentionHold };
  /** List users */
  'GET /users': { query?: { /** Part of a login or email address. */ search?: string; /** Return users with these roles only. */ roles?: ("administrator" | "editor" | "viewer" | "subscriber")[]; /** Items per page. */ per_page?: number; /** Page number. `offset` takes precedence. */ page?: number; /** Number of items to skip. */ offset?: number }; answer: (User)[] };
  /** Create a user */
  'POST /users': { body: UserCreation; answer: CreatedUser };
  /** List user activity */
  'GET /users/events': { query?: { /** Items per page. */ per_page?: number; /** Page number. `offset` takes precedence. */ page?: number; /** Number of items to skip. */ offset?: number }; answer: (UserEvent)[] };
  /** Get the current user */
  'GET /users/me': { answer: User };
  /** Update the current user */
  'PUT /users/me': { body?: UserUpdate; answer: User };
  /** Get a user */
  'GET /users/{id}': { params: { /** Names the item, by its id. */ id: number }; answer: User };
  /** Update a user */
  'PUT /users/{id}': { params: { /** Names the item, by its id. */ id: number }; body?: UserUpdate; answer: User };
  /** Delete a user */
  'DELETE /users/{id}': { params: { /** Names the item, by its id. */ id: number }; answer: DeletedUser };
  /** Begin to add a passkey */
  'POST /users/me/passkeys/registration': { body: PasswordConfirmation; answer: PasskeyRegistration };
  /** Add a passkey */
  'POST /users/me/passkeys': { body: PasskeyCreation; answer: RecoveryCodes };
  /** Rename a passkey */
  'PUT /users/me/passkeys/{id}': { params: { /** Names the item, by its id. */ id: number }; body: PasskeyUpdate; answer: SecondFactor };
  /** Remove a passkey */
  'POST /users/me/passkeys/{id}/remove': { params: { /** Names the item, by its id. */ id: number }; body: PasswordConfirmation; answer: SecondFactor };
  /** Get the second factor of the current user */
  'GET /users/me/second-factor': { answer: SecondFactor };
  /** Get the second factor of a user */
  'GET /users/{id}/second-factor': { params: { /** Names the item, by its id. */ id: number }; answer: SecondFactor };
  /** Reset the second factor of a user */
  'POST /users/{id}/reset-second-factor': { params: { /** Names the item, by its id. */ id: number }; answer: SecondFactor };
  /** Begin to set up an authenticator app */
  'POST /users/me/authenticator-app/setup': { body: PasswordConfirmation; answer: AuthenticatorAppSetup };
  /** Add or replace the authenticator app */
  'POST /users/me/authenticator-app': { body: AuthenticatorAppConfirmation; answer: RecoveryCodes };
  /** Remove the authenticator app */
  'POST /users/me/authenticator-app/remove': { body: PasswordConfirmation; answer: SecondFactor };
  /** Replace the recovery codes */
  'POST /users/me/recovery-codes': { body: PasswordConfirmation; answer: RecoveryCodes };
  /** Reset the password of a user */
  'POST /users/{id}/reset-password': { params: { /** Names the item, by its id. */ id: number }; answer: PasswordReset };
  /** Unlock a user */
  'POST /users/{id}/unlock': { params: { /** Names the item, by its id. */ id: number }; answer: User };
  /** Unlink single sign-on of a user */
  'POST /users/{id}/unlink-single-sign-on': { params: { /** Names the item, by its id. */ id: number }; answer: User };
  /** List application passwords of the current user */
  'GET /users/me/application-passwords': { query?: { /** Items per page. */ per_page?: number; /** Page number. `offset` takes precedence. */ page?: number; /** Number of items to skip. */ offset?: number }; answer: (ApplicationPassword)[] };
  /** Create an application password for the current user */
  'POST /users/me/application-passwords': { body: ApplicationPasswordCreation; answer: NewApplicationPassword };
  /** List what an application password of the current user can be limited to */
  'GET /users/me/application-password-scopes': { answer: (ApplicationPasswordScope)[] };
  /** Get an application password of the current user */
  'GET /users/me/application-passwords/{uuid}': { params: { /** Names the application password. */ uuid: string }; answer: ApplicationPassword };
  /** Revoke an application password of the current user */
  'DELETE /users/me/application-passwords/{uuid}': { params: { /** Names the application password. */ uuid: string }; answer: DeletedApplicationPassword };
  /** List application passwords of a user */
  'GET /users/{id}/application-passwords': { params: { /** Names the item, by its id. */ id: number }; query?: { /** Items per page. */ per_page?: number; /** Page number. `offset` takes precedence. */ page?: number; /** Number of items to skip. */ offset?: number }; answer: (ApplicationPassword)[] };
  /** Create an application password for a user */
  'POST /users/{id}/application-passwords': { params: { /** Names the item, by its id. */ id: number }; body: ApplicationPasswordCreation; answer: NewApplicationPassword };
  /** List what an application password of a user can be limited to */
  'GET /users/{id}/application-password-scopes': { params: { /** Names the item, by its id. */ id: number }; answer: (ApplicationPasswordScope)[] };
  /** Get an application password of a user */
  'GET /users/{id}/application-passwords/{uuid}': { params: { /** Names the item, by its id. */ id: number; /** Names the application password. */ uuid: string }; answer: ApplicationPassword };
  /** Revoke an application password of a user */
  'DELETE /users/{id}/application-passwords/{uuid}': { params: { /** Names the item, by its id. */ id: number; /** Names the application password. */ uuid: string }; answer: DeletedApplicationPassword };
  /** List sessions of the current user */
  'GET /users/me/sessions': { query?: { /** Items per page. */ per_page?: number; /** Page number. `offset` takes precedence. */ page?: number; /** Number of items to skip. */ offset?: number }; answer: (Session)[] };
  /** Sign the current user out everywhere */
  'DELETE /users/me/sessions': { body?: SessionsDeletion; answer: EndedSessions };
  /** End a session of the current user */
  'DELETE /users/me/sessions/{session}': { params: { /** Names the item. */ session: string }; answer: DeletedSession };
  /** List sessions of a user */
  'GET /users/{id}/sessions': { params: { /** Names the item, by its id. */ id: number }; query?: { /** Items per page. */ per_page?: number; /** Page number. `offset` takes precedence. */ page?: number; /** Number of items to skip. */ offset?: number }; answer: (Session)[] };
  /** Sign a user out everywhere */
  'DELETE /users/{id}/sessions': { params: { /** Names the item, by its id. */ id: number }; body?: SessionsDeletion; answer: EndedSessions };
  /** End a session of a user */
  'DELETE /users/{id}/sessions/{session}': { params: { /** Names the item, by its id. */ id: number; /** Names the item. */ session: string }; answer: DeletedSession };
  /** List security events, newest first */
  'GET /security-log': { query?: { /** Return these events only. */ event?: ("sign_in" | "sign_in_failed" | "sign_in_burst" | "sign_out" | "account_locked" | "account_unlocked" | "credential_refused" | "user_created" | "user_deleted" | "role_changed" | "email_changed" | "password_changed" | "password_reset" | "password_reset_requested" | "signed_out_everywhere" | "sessions_ended" | "application_password_added" | "application_password_revoked" | "second_factor_changed" | "single_sign_on_unlinked" | "data_exported" | "product_changed" | "plan_changed" | "branding_changed" | "release_changed" | "release_key_changed" | "webhook_changed" | "licences_imported" | "api_token_changed" | "subject_key_shown" | "subject_key_rotated" | "signing_key_rotated")[]; /** The login, or its beginning, of the account or of the user who acted. */ user?: string; /** The IP address, or its beginning. */ address?: string; /** The first day, in the time zone of the site. */ date_from?: string; /** The last day. */ date_to?: string; /** Items per page. */ per_page?: number; /** Page number. `offset` takes precedence. */ page?: number; /** Number of items to skip. */ offset?: number }; answer: (SecurityEvent)[] };
  /** Export security events, oldest first, as CSV or JSON */
  'GET /security-log/export': { query?: { /** Return these events only. */ event?: ("sign_in" | "sign_in_failed" | "sign_in_burst" | "sign_out" | "account_locked" | "account_unlocked" | "credential_refused" | "user_created" | "user_deleted" | "role_changed" | "email_changed" | "password_changed" | "password_reset" | "password_reset_requested" | "signed_out_everywhere" | "sessions_ended" | "application_password_added" | "application_password_revoked" | "second_factor_changed" | "single_sign_on_unlinked" | "data_exported" | "product_changed" | "plan_changed" | "branding_changed" | "release_changed" | "release_key_changed" | "webhook_changed" | "licences_imported" | "api_token_changed" | "subject_key_shown" | "subject_key_rotated" | "signing_key_rotated")[]; /** The login, or its beginning, of the account or of the user who acted. */ user?: string; /** The IP address, or its beginning. */ address?: string; /** The first day, in the time zone of the site. */ date_from?: string; /** The last day. */ date_to?: string; format?: "csv" | "json" }; answer: (SecurityEvent)[] | string };
}

/** Routes that take an idempotency key. */
export const KEYED_ROUTES: ReadonlySet<string> = new Set([
  'POST /consent',
]);
