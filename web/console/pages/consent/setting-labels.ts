import { getCountryName, getLanguageName, TEXTS } from './banner-texts.ts';

/** Labels of the settings that are no texts. */
const OTHER_LABELS: Record<string, string> = {
  enabled: 'Show consent banner',
  position: 'Position',
  expiry_days: 'Consent lifetime (days)',
  privacy_url: 'Privacy policy',
  languages: 'Languages',
  needs_review: 'Needs review',
  ask_again_on: 'Ask visitors again when',
  vendor_choices: 'Switches for vendors',
  shared_choices: 'Choices on several devices',
  signals: 'Signals to other services',
  refused_until_days: 'Time after a refusal (days)',
};
const CATEGORY_LABELS: Record<string, string> = {
  label: 'name',
  description: 'description',
  required: 'strictly necessary',
  own_use: 'own use',
};

/** The label of a banner setting by its path; see `merge`. */
export function getSettingLabel([name = '', ...within]: readonly string[]): string {
  if (name === 'translations') {
    const [language = '', ...path] = within;
    return [getLanguageName(language), ...(path.length > 0 ? [getSettingLabel(path)] : [])].join(
      ' · ',
    );
  }
  if (name === 'categories') {
    const [id, field] = within;
    if (id === undefined) return 'Categories';
    return `Category ${id}${field ? `: ${CATEGORY_LABELS[field] ?? field}` : ''}`;
  }
  if (name === 'appearance') return ['Look', ...within].join(' · ');
  if (name === 'regimes') {
    const [field, country] = within;
    if (field === 'mode') return 'Rules by country';
    return country ? `Rules for ${getCountryName(country)}` : 'Rules for single countries';
  }
  return TEXTS.find(([text]) => text === name)?.[1] ?? OTHER_LABELS[name] ?? name;
}
