import type { ConsentSettings, ConsentVersion } from '../../api/types.ts';
import { formatCount, toLabel } from '../../components/format.ts';
import { getCountryName, getLanguageName } from './banner-texts.ts';
import { REASONS, REGIME_MODES, SIGNALS } from './choice-lists.ts';
import { listCategoryTexts, listTexts } from './outdated-texts.ts';
import { listAppearance } from './studio/labels.ts';

export interface Change {
  label: string;
  /** Empty where the setting did not or no longer exist. */
  before: string;
  after: string;
}

/** The settings that differ between two versions, in the order of the form. */
export function listChanges(before: ConsentVersion, after: ConsentVersion): Change[] {
  const [old, now] = [listSettings(before), listSettings(after)];
  return [...new Set([...now.keys(), ...old.keys()])]
    .map((label) => ({ label, before: old.get(label) ?? '', after: now.get(label) ?? '' }))
    .filter((change) => change.before !== change.after);
}

/** All settings and texts of a version by their labels. */
function listSettings({ config: consent, vendors, purposes }: ConsentVersion): Map<string, string> {
  const { enabled, position, expiry_days, privacy_url, languages, categories } = consent;
  // Versions from before these settings lack them.
  const { refused_until_days, regimes }: Partial<ConsentSettings> = consent;
  return new Map([
    ['Show consent banner', enabled ? 'Yes' : 'No'],
    ['Position', toLabel(position.replace('-', ' '))],
    ...listAppearance(consent.appearance),
    ['Consent lifetime', formatCount(expiry_days, 'day')],
    ['Time after a refusal', refused_until_days ? formatCount(refused_until_days, 'day') : UNKNOWN],
    ['Rules by country', regimes ? REGIME_MODES[regimes.mode] : UNKNOWN],
    ...(regimes?.overrides ?? []).map(({ country, regime }): [string, string] => [
      `Rules for ${getCountryName(country)}`,
      regime,
    ]),
    ['Privacy policy', privacy_url],
    ['Vendors that need consent', vendors?.map(({ name }) => name).join('\n') ?? UNKNOWN],
    ['Purposes that need consent', purposes?.join('\n') ?? UNKNOWN],
    ['Ask visitors again when', formatReasons(consent.ask_again_on)],
    ['Switches for vendors', consent.vendor_choices ? 'Yes' : 'No'],
    ['Choices on several devices', consent.shared_choices ? 'Yes' : 'No'],
    ['Signals to other services', formatSignals(consent.signals)],
    ['Languages', (languages ?? []).map(getLanguageName).join(', ')],
    ...listTexts(consent),
    ...listCategoryTexts(consent),
    ...categories.map(({ id, required }): [string, string] => [
      `Category ${id}: strictly necessary`,
      required ? 'Yes' : 'No',
    ]),
    ...categories.map(({ id, own_use }): [string, string] => [
      `Category ${id}: own use`,
      own_use ?? 'None',
    ]),
    ...(consent.translations ?? []).flatMap((translation) =>
      [
        ...listTexts(translation),
        ...listCategoryTexts(translation),
        ['Needs review', translation.needs_review ? 'Yes' : ''] as const,
      ].map(([what, text]): [string, string] => [
        `${getLanguageName(translation.language)} · ${what}`,
        text,
      ]),
    ),
  ]);
}

/** For versions that were published before Pavis recorded it. */
const UNKNOWN = 'Not recorded';

const formatReasons = (reasons: ConsentSettings['ask_again_on'] | undefined): string => {
  const labels = REASONS.filter(({ value }) => reasons?.includes(value)).map(({ label }) => label);
  return reasons ? labels.join('\n') || 'Never' : UNKNOWN;
};

const formatSignals = (signals: ConsentSettings['signals'] | undefined): string =>
  SIGNALS.filter(({ value }) => signals?.includes(value))
    .map(({ label }) => label)
    .join('\n') || 'None';
