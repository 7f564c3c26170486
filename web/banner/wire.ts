/** The file of the banner leaves out ids, and the texts, which it has in its language. */
export interface Status {
  enabled: boolean;
  categories: Record<string, { id?: string; label?: string; required: boolean }>;
  settings: Record<'position' | 'privacy_url', string> &
    Partial<Record<'title' | 'message' | 'accept_text' | 'reject_text', string>> & {
      expiry_days: number;
    };
  version: number;
  appearance?: Appearance;
}

/** What differs from the default appearance. */
interface Appearance {
  /** CSS for the shadow root. */
  styles?: string;
  button_order?: ('reject' | 'accept' | 'manage')[];
  reopen_button?: string;
}

type FirstTextName =
  | `${'accept' | 'reject' | 'manage' | 'privacy' | 'reopen'}_text`
  // `ltr` or `rtl`
  | 'direction'
  | 'language'
  | 'title'
  | 'message';

/** Names of texts for blocked content. */
type PlaceholderTextName = `${'placeholder' | 'load' | 'always'}_text`;

/** Names of texts that only some regimes require, and of those for the choice of vendors. */
type OtherTextName =
  | 'opt_out_message'
  | `${'opt_out' | 'opted_out' | 'own_use' | 'always_vendor'}_text`;

type CategoryTexts = Record<string, { label: string; description?: string }>;

/** The texts that visitors see before they open the preferences, and those for what the site has registered. */
export interface FirstTexts
  extends Record<FirstTextName, string>,
    Partial<Record<PlaceholderTextName | OtherTextName, string>> {
  categories?: CategoryTexts;
  hash?: string;
  /** The oldest version to which consent is still valid, if it is not the current one. */
  asked_since?: number;
}

export type Texts = FirstTexts &
  Record<
    | PlaceholderTextName
    | `${'save' | 'receipt' | 'required' | 'vendors' | 'withdraw' | 'consent_id' | 'consent_id_help'}_text`,
    string
  > & { categories: CategoryTexts };

/** Enough for a placeholder. */
export type PlaceholderTexts = Pick<
  Texts,
  PlaceholderTextName | 'always_vendor_text' | 'direction' | 'language' | 'categories'
>;

/**
 * A registered address. The category is `category/vendor` if visitors can choose the vendor. Of the address: host, path
 * and query, of which the beginning counts. `off`: a frame has no placeholder.
 */
export type Rule = [category: string, address: string, method?: 'frame' | 'off'];

/** By slug. The domains are separated by spaces. */
export type ServedVendors = Record<string, [name: string, domains: string]>;

export type RegisteredScript = Record<
  'handle' | 'category' | 'script_url' | 'blocking_method',
  string
>;

export type ConsentAction = 'accept_all' | 'reject_all' | 'manage';

/** Vendors, by slug, that differ from their category. */
export interface VendorChoice {
  vendors_accepted?: string[] | undefined;
  vendors_rejected?: string[] | undefined;
}

/** The choice of a visitor, as the consent cookie and `POST /consent` have it. */
export interface Choice extends VendorChoice {
  visitor_id: string;
  consent_action: ConsentAction;
  categories_accepted: string[];
  categories_rejected: string[];
  /** The banner version. */
  version: number;
  /** Moments in epoch seconds. */
  at: number;
  until: number;
  /** Whether the browser sent Global Privacy Control; absent if it does not support it. */
  gpc?: boolean | undefined;
  /** When Global Privacy Control, which contradicts this consent, was recorded as an opt-out. */
  opted_out?: number;
  /** Proves possession of the visitor id; true requests a token. See `visitor_token` of `POST /consent`. */
  visitor_token?: string | true | undefined;
  /** With which shared choice it was compared last, and when: see sharing.ts. */
  shared?: string | undefined;
  /** Made after the token had expired, so that the person's other devices do not know it. */
  unshared?: true | undefined;
}

/** Fetches JSON; undefined on an error or after five seconds. */
export async function ask<T>(url: string): Promise<T | undefined> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(5_000) });
    if (answer.ok) return (await answer.json()) as T;
  } catch {}
  return undefined;
}

/** Without `toJSON`, by which old versions of Prototype.js make arrays texts. */
export const toJson = (value: unknown): string =>
  JSON.stringify(value, function (this: Record<string, unknown>, key) {
    return this[key];
  });
