export interface Status {
  enabled: boolean;
  categories: Record<string, { id: string; label: string; required: boolean }>;
  settings: Record<
    'position' | 'title' | 'message' | 'accept_text' | 'reject_text' | 'privacy_url',
    string
  > & { expiry_days: number };
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
  | `${'placeholder' | 'load' | 'always'}_text`
  // `ltr` or `rtl`
  | 'direction'
  | 'language'
  | 'title'
  | 'message';

/** The texts that visitors see before they open the preferences. */
export interface FirstTexts extends Record<FirstTextName, string> {
  categories: Record<string, { label: string; description?: string }>;
  hash?: string;
  /** The oldest version to which consent is still valid. */
  asked_since?: number;
}

export type Texts = FirstTexts & Record<`${'save' | 'receipt' | 'required'}_text`, string>;

export type RegisteredScript = Record<
  'handle' | 'category' | 'script_url' | 'blocking_method',
  string
>;

export type ConsentAction = 'accept_all' | 'reject_all' | 'manage';

/** Fetches JSON; undefined on an error or after five seconds. */
export async function ask<T>(url: string): Promise<T | undefined> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(5_000) });
    return answer.ok ? await answer.json() : undefined;
  } catch {}
  return undefined;
}
