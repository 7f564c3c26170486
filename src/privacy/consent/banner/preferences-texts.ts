import type { getTexts } from '../../settings/index.ts';

/** The texts that visitors see only in the preferences. The banner requests them when it opens these. */
const PREFERENCES_TEXTS = [
  'save_text',
  'receipt_text',
  'required_text',
  'consent_id_text',
  'consent_id_help_text',
  'withdraw_text',
  'vendors_text',
  'session_text',
  'until_deleted_text',
  'typical_text',
] as const;

export function omitPreferencesTexts(texts: ReturnType<typeof getTexts>) {
  const left: Partial<typeof texts> = { ...texts };
  for (const name of PREFERENCES_TEXTS) delete left[name];
  return left as Omit<typeof texts, (typeof PREFERENCES_TEXTS)[number]>;
}
