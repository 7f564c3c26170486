import type { Draft, DraftCategory } from './draft.ts';
import { descend, isObject, listEntries, type Node, readSwitch, toRoot, toText } from './nodes.ts';
import { readSerialisedArray } from './php-serialised.ts';
import { LOOK, NO_CLOSE, NO_REJECT, ONE_BANNER, OPT_OUT } from './reasons.ts';

/** The mark that ends an exported file. */
const MARK = '#--COMPLIANZ--#';

export const withoutComplianzMark = (content: string): string => {
  const text = content.trimEnd();
  return text.endsWith(MARK) ? text.slice(0, -MARK.length) : text;
};

/** The export of the settings of Complianz 7, or of one banner. */
export const isComplianz = (root: Node): boolean =>
  listEntries(descend(root, 'banners')).some(
    ([, banner]) => descend(banner, 'message_optin').value !== undefined,
  );

/** The file with the columns that hold serialised PHP arrays read. */
export function decodeComplianz(root: Node): Node {
  const banners = listEntries(descend(root, 'banners')).map(([, { value }]) => {
    if (!isObject(value)) return value;
    const read = Object.entries(value).map(([name, field]): [string, unknown] => {
      const list = typeof field === 'string' ? readSerialisedArray(field) : undefined;
      return [name, list ?? field];
    });
    return Object.fromEntries(read);
  });
  return toRoot({ ...(root.value as object), banners });
}

const TEXTS = [
  ['header', 'title'],
  ['message_optin', 'message'],
  ['accept', 'accept_text'],
  ['dismiss', 'reject_text'],
  ['view_preferences', 'manage_text'],
  ['save_preferences', 'save_text'],
  ['revoke', 'reopen_text'],
] as const;

/** The name of a category, the columns of its label and description. */
const CATEGORIES = [
  ['functional', 'category_functional', 'functional_text'],
  ['preferences', 'category_prefs', 'preferences_text'],
  ['statistics', 'category_stats', 'statistics_text'],
  ['marketing', 'category_all', 'marketing_text'],
] as const;

const NO_SETTING: Record<string, string> = {
  ID: 'Pavis has one banner.',
  default: 'Pavis has one banner.',
  title: 'It is the internal name of the banner.',
  banner_version: 'Pavis counts banner versions itself.',
  message_optout: OPT_OUT,
  accept_informational: OPT_OUT,
  statistics_text_anonymous: 'A category has one description.',
  close_button: NO_CLOSE,
  manage_consent_options:
    'Where the button that opens the preferences again is shown is not imported.',
  legal_documents: 'The export does not contain the addresses of the documents.',
  checkbox_style: LOOK,
  custom_css: LOOK,
  use_custom_cookie_css: LOOK,
  animation: LOOK,
  banner_width: LOOK,
  border_width: LOOK,
  font_size: LOOK,
  use_box_shadow: LOOK,
  header_footer_shadow: LOOK,
  buttons_border_radius: LOOK,
  use_logo: LOOK,
  logo_attachment_id: LOOK,
};

/** Switches that would make visitors consent by doing nothing, and one that makes refusing costly. */
const NOT_KEPT: Record<string, string> = {
  dismiss_on_scroll:
    'Scrolling is no consent (EDPB Guidelines 05/2020, 86). The banner stays until visitors choose.',
  dismiss_on_timeout: 'Waiting is no consent. The banner stays until visitors choose.',
  soft_cookiewall: 'Visitors can use the site without choosing.',
  disable_cookiebanner: 'The banner stays on. Without it, blocked content would stay blocked.',
};

export function readComplianz(root: Node, draft: Draft): void {
  const { report } = draft;
  const all = listEntries(descend(root, 'banners')).map(([, banner]) => banner);
  const shown = all.find((banner) => readSwitch(descend(banner, 'default'))) ?? all[0];
  for (const banner of all) if (banner !== shown) report.ignore(banner, ONE_BANNER);
  if (shown) readBanner(shown, draft);
  readSettings(descend(root, 'settings'), draft);
}

/** The text of a column, and whether it is shown. A `text_checkbox` has both. */
function readColumn(banner: Node, name: string): { node: Node; isShown: boolean } {
  const node = descend(banner, name);
  if (!isObject(node.value)) return { node, isShown: true };
  return {
    node: { ...node, value: descend(node, 'text').value },
    isShown: readSwitch(descend(node, 'show')) !== false,
  };
}

function readBanner(banner: Node, draft: Draft): void {
  const { report, first } = draft;
  draft.addLanguage(banner, first);
  draft.notes.push(
    `The file does not state the language of its texts. They were imported as ${first}. If they are in another language, import the file again with this language.`,
  );
  for (const [column, name] of TEXTS) {
    const { node, isShown } = readColumn(banner, column);
    if (column === 'dismiss' && !isShown) draft.setText(node, first, name, NO_REJECT);
    else draft.setText(node, first, name);
  }
  for (const [name, label, description] of CATEGORIES)
    readCategory(banner, { name, label, description }, draft);
  const position = descend(banner, 'position');
  if (position.value !== undefined) draft.setPosition(position, toText(position));
  const kind = descend(banner, 'use_categories');
  if (kind.value === 'no')
    report.change(kind, null, null, 'Visitors can always choose each category.');
  else report.ignore(kind, 'The preferences open in the banner.');
  for (const [name, reason] of Object.entries(NOT_KEPT)) {
    const node = descend(banner, name);
    if (readSwitch(node)) report.change(node, null, null, reason);
    else report.ignore(node, reason);
  }
  report.ignore(descend(banner, 'dismiss_timeout'), NOT_KEPT.dismiss_on_timeout ?? '');
  for (const [name, reason] of Object.entries(NO_SETTING))
    report.ignore(descend(banner, name), reason);
  for (const [key, node] of listEntries(banner))
    if (/^colorpalette_/.test(String(key))) report.ignore(node, LOOK);
}

function readCategory(
  banner: Node,
  columns: { name: string; label: string; description: string },
  draft: Draft,
): void {
  const label = readColumn(banner, columns.label);
  if (label.node.value === undefined) return;
  const description = readColumn(banner, columns.description);
  if (!label.isShown) {
    for (const { node } of [label, description])
      draft.report.ignore(node, 'The banner did not show this category.');
    return;
  }
  const category: DraftCategory | undefined = draft.addCategory(
    label.node,
    columns.name,
    columns.name === 'functional',
  );
  if (!category) return;
  draft.setCategoryText(label.node, category, draft.first, 'label');
  if (description.isShown)
    draft.setCategoryText(description.node, category, draft.first, 'description');
  else draft.report.ignore(description.node, 'The banner did not show it.');
}

/** Settings with the id of a service, and the script that it stands for. */
const SCRIPTS: [name: string, label: string, toUrl: (id: string) => string][] = [
  [
    'ua_code',
    'Google Analytics',
    (id) => `https://www.googletagmanager.com/gtag/js?id=${encodeURIComponent(id)}`,
  ],
  [
    'clarity_id',
    'Microsoft Clarity',
    (id) => `https://www.clarity.ms/tag/${encodeURIComponent(id)}`,
  ],
];

const SETTINGS: Record<string, string> = {
  regions: OPT_OUT,
  use_country: OPT_OUT,
  respect_dnt: 'The banner honours Global Privacy Control, and does not read Do Not Track.',
  consent_per_service: 'Choices by service are not imported.',
  'consent-mode': 'Google Consent Mode is a signal in the settings of the banner.',
  'privacy-statement': 'The export does not contain the address of the page.',
  'cookie-statement': 'The declaration of Pavis lists cookies and third parties.',
  organisation_name: 'Enter the controller under Settings.',
  address_company: 'Enter the controller under Settings.',
  email_company: 'Enter the controller under Settings.',
  records_of_consent: 'Pavis records each choice.',
  blocked_content_text_per_service: 'Texts by service are not imported.',
  cookie_domain: 'Pavis has a cookie of its own.',
  set_cookies_on_root: 'Pavis has a cookie of its own.',
  a_b_testing: 'Complianz always exports it as off.',
  a_b_testing_buttons: 'Complianz always exports it as off.',
};

function readSettings(settings: Node, draft: Draft): void {
  const { report, first } = draft;
  const days = descend(settings, 'cookie_expiry');
  if (days.value !== undefined) draft.setExpiryDays(days);
  const blocked = descend(settings, 'blocked_content_text');
  if (typeof blocked.value === 'string' && blocked.value.includes('{category}'))
    draft.setText(blocked, first, 'always_text');
  else report.ignore(blocked, 'The placeholder of Pavis names the host that provides the content.');

  const analytics = draft.categories.find(({ id }) => id === 'analytics')?.id ?? null;
  for (const [name, label, toUrl] of SCRIPTS) {
    const node = descend(settings, name);
    if (typeof node.value !== 'string' || !/^[\w-]{3,40}$/.test(node.value)) continue;
    draft.propose(node, {
      kind: 'script',
      name: label,
      category: analytics,
      script_url: toUrl(node.value),
    });
  }
  const statistics = descend(settings, 'compile_statistics');
  if (typeof statistics.value === 'string' && !/^(?:yes|no|)$/.test(statistics.value))
    draft.propose(statistics, { kind: 'service', name: statistics.value, category: analytics });
  for (const name of ['thirdparty_services_on_site', 'socialmedia_on_site']) {
    // A list of names, or an object with those that are chosen.
    for (const [key, node] of listEntries(descend(settings, name))) {
      const service = typeof key === 'number' ? node.value : readSwitch(node) && key;
      if (typeof service === 'string' && service !== '')
        draft.propose(node, { kind: 'service', name: service });
    }
  }
  for (const [name, reason] of Object.entries(SETTINGS))
    report.ignore(descend(settings, name), reason);
}
