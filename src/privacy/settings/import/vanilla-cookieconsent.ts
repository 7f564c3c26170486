import { type Draft, readHtmlAt, toLanguage } from './draft.ts';
import { descend, isObject, listEntries, type Node, readSwitch, toText } from './nodes.ts';
import { findPrivacyLink } from './privacy-links.ts';
import { EQUAL_WEIGHT, NO_CLOSE, NO_REJECT, NOT_SELECTED, OPT_OUT } from './reasons.ts';

/** `CookieConsent.run({…})` of vanilla-cookieconsent 3. */
export const isVanillaCookieConsent = (root: Node): boolean =>
  isObject(descend(root, 'categories').value) &&
  isObject(descend(root, 'language', 'translations').value);

/** The default language, or else the first that has texts. */
export function findVanillaLanguage(root: Node): string | undefined {
  const language = descend(root, 'language');
  const translated = listEntries(descend(language, 'translations')).flatMap(([tag, { value }]) =>
    isObject(value) ? (toLanguage(String(tag)) ?? []) : [],
  );
  const asked = toLanguage(toText(descend(language, 'default')));
  return asked && translated.includes(asked) ? asked : translated[0];
}

const BUTTONS = [
  ['acceptAllBtn', 'accept_text'],
  ['acceptNecessaryBtn', 'reject_text'],
  ['showPreferencesBtn', 'manage_text'],
] as const;

const NO_SETTING: [path: string[], reason: string][] = [
  [['language', 'autoDetect'], 'The banner uses the language of the page.'],
  [['language', 'rtl'], 'The direction follows from the language.'],
  [
    ['revision'],
    'Pavis counts banner versions itself and asks again after the changes that `consent.ask_again_on` lists.',
  ],
  [['autoShow'], 'The banner is shown until visitors have chosen.'],
  [['hideFromBots'], 'The banner treats bots as other visitors.'],
  [['disablePageInteraction'], 'Only a banner in the centre covers the page.'],
  [['manageScriptTags'], 'The banner always blocks tags with `data-category`.'],
  [
    ['autoClearCookies'],
    'On withdrawal, the banner deletes the cookies of the vendors of a category.',
  ],
  [['lazyHtmlGeneration'], 'It concerns how the other banner works.'],
  [['root'], 'It concerns how the other banner works.'],
  [['guiOptions', 'preferencesModal'], 'The preferences open in the banner.'],
];

export function readVanillaCookieConsent(root: Node, draft: Draft): void {
  const { report } = draft;
  const mode = descend(root, 'mode');
  if (mode.value === 'opt-out') report.change(mode, null, null, OPT_OUT);
  else report.ignore(mode, 'Pavis asks before loading without this setting.');
  for (const [path, reason] of NO_SETTING) report.ignore(descend(root, ...path), reason);
  readLook(descend(root, 'guiOptions', 'consentModal'), draft);
  const days = descend(root, 'cookie', 'expiresAfterDays');
  if (days.value !== undefined) draft.setExpiryDays(days);
  for (const [key, each] of listEntries(descend(root, 'cookie')))
    if (key !== 'expiresAfterDays') report.ignore(each, 'Pavis has a cookie of its own.');
  for (const [name, each] of listEntries(descend(root, 'categories')))
    readCategory(each, String(name), draft);

  const standard = descend(root, 'language', 'default');
  if (toLanguage(toText(standard)) === draft.first)
    report.import(standard, 'consent.languages', draft.first);
  else if (standard.value !== undefined)
    report.change(standard, 'consent.languages', draft.first, 'The file has no texts in it.');
  // The first language decides the one address of the privacy policy.
  const all = listEntries(descend(root, 'language', 'translations'));
  const isFirst = ([tag]: (typeof all)[number]) => toLanguage(String(tag)) === draft.first;
  for (const [tag, each] of [...all.filter(isFirst), ...all.filter((entry) => !isFirst(entry))])
    readTranslation(each, String(tag), draft);
}

/** For example `bottom right`; a `bar` has no second part. */
function readLook(modal: Node, draft: Draft): void {
  const { report } = draft;
  report.ignore(descend(modal, 'flipButtons'), 'The order of the buttons is not imported.');
  report.ignore(descend(modal, 'layout'), 'The position decides the layout.');
  const equal = descend(modal, 'equalWeightButtons');
  if (readSwitch(equal) === false) report.change(equal, null, null, EQUAL_WEIGHT);
  else report.ignore(equal, EQUAL_WEIGHT);
  const position = descend(modal, 'position');
  if (position.value === undefined) return;
  const words = toText(position).trim().split(/\s+/);
  const [y = '', x = ''] = words;
  const isBar = toText(descend(modal, 'layout')).startsWith('bar');
  if (words.length > 2 || !/^(?:top|middle|bottom)$/.test(y) || !/^(?:left|center|right)?$/.test(x))
    report.reject(position, 'consent.position', 'It is not a position such as bottom right.');
  else if (y === 'middle')
    draft.setPosition(position, 'center', x && x !== 'center' ? NEAREST : undefined);
  else if (isBar || x === '' || x === 'center')
    draft.setPosition(position, y, isBar ? undefined : NEAREST);
  else draft.setPosition(position, `${y}-${x}`);
}

const NEAREST = 'It is the nearest position that Pavis has.';

function readCategory(node: Node, name: string, draft: Draft): void {
  const { report } = draft;
  const readOnly = descend(node, 'readOnly');
  const isAlwaysActive = readSwitch(readOnly) === true;
  const category = draft.addCategory(node, name, isAlwaysActive);
  if (!category) return;
  const field = `consent.categories[${category.id}].required`;
  if (readOnly.value !== undefined && isAlwaysActive !== category.isNecessary) {
    report.change(readOnly, field, 'false', NOT_NECESSARY);
  } else if (readOnly.value !== undefined) {
    report.import(readOnly, field, String(category.isNecessary));
  }
  const enabled = descend(node, 'enabled');
  if (readSwitch(enabled) === true && !category.isNecessary)
    report.change(enabled, null, null, NOT_SELECTED);
  else report.ignore(enabled, 'Necessary categories are always active, others never in advance.');
  const { id } = category;
  for (const [, cookie] of listEntries(descend(node, 'autoClear', 'cookies')))
    proposeCookie(cookie, id, draft);
  report.ignore(
    descend(node, 'autoClear', 'reloadPage'),
    'The banner reloads the page after a withdrawal.',
  );
  for (const [key, service] of listEntries(descend(node, 'services'))) {
    const label = readHtmlAt(descend(service, 'label')).text;
    draft.propose(service, { kind: 'service', name: label || String(key), category: id });
    for (const [, cookie] of listEntries(descend(service, 'cookies')))
      proposeCookie(cookie, id, draft);
  }
}

const NOT_NECESSARY =
  'Only strictly necessary categories can be always active (ePrivacy Directive Art. 5(3)). Visitors are asked.';

function proposeCookie(node: Node, category: string, draft: Draft): void {
  const { value: name } = descend(node, 'name');
  if (typeof name === 'string' && name !== '')
    draft.propose(node, { kind: 'cookie', name, category });
  else draft.report.ignore(node, 'JSON has no regular expressions, so the name is missing.');
}

function readTranslation(node: Node, tag: string, draft: Draft): void {
  const { report } = draft;
  if (!isObject(node.value)) {
    const reason =
      'The texts are in another file. Put its content in place of the address and import again.';
    report.reject(node, 'consent.translations', reason);
    return;
  }
  const language = draft.addLanguage(node, tag);
  if (language === undefined) return;
  const modal = descend(node, 'consentModal');
  draft.setText(descend(modal, 'title'), language, 'title');
  const message = descend(modal, 'description');
  // The place of `revisionMessage`, which is not shown to visitors who are asked for the first time.
  const hasMark =
    typeof message.value === 'string' && message.value.includes('{{revisionMessage}}');
  if (hasMark) {
    const value = toText(message).replaceAll('{{revisionMessage}}', '');
    draft.setText(
      { ...message, value },
      language,
      'message',
      'The place of the revision message was removed.',
    );
  } else draft.setText(message, language, 'message');
  for (const [key, name] of BUTTONS) {
    const button = descend(modal, key);
    if (key === 'acceptNecessaryBtn' && (button.value === undefined || button.value === ''))
      draft.report.change(button, `consent.${name}`, null, NO_REJECT);
    else draft.setText(button, language, name);
  }
  readFooter(descend(modal, 'footer'), language, draft);
  report.ignore(
    descend(modal, 'revisionMessage'),
    'The banner has no text for visitors who are asked again.',
  );
  report.ignore(descend(modal, 'closeIconLabel'), NO_CLOSE);
  report.ignore(descend(modal, 'label'), 'The title is the name of the banner.');

  const preferences = descend(node, 'preferencesModal');
  draft.setText(descend(preferences, 'savePreferencesBtn'), language, 'save_text');
  for (const [key, each] of listEntries(preferences))
    if (key !== 'savePreferencesBtn' && key !== 'sections')
      report.ignore(each, 'The preferences use the title and buttons of the banner.');
  for (const [, section] of listEntries(descend(preferences, 'sections')))
    readSection(section, language, draft);
}

/** The link to the privacy policy, among links to other pages. */
function readFooter(footer: Node, language: string, draft: Draft): void {
  if (footer.value === undefined) return;
  const { links } = readHtmlAt(footer);
  const link = findPrivacyLink(links);
  if (!link) {
    draft.report.ignore(footer, 'It has no link to a privacy policy.');
    return;
  }
  if (!draft.setPrivacyUrl(footer, link.href)) return;
  const reason =
    links.length > 1
      ? 'The banner has one link: to the privacy policy.'
      : 'Only the text of the link was taken.';
  draft.setText({ ...footer, value: escapeText(link.text) }, language, 'privacy_text', reason);
}

const escapeText = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

function readSection(section: Node, language: string, draft: Draft): void {
  const linked = descend(section, 'linkedCategory');
  const category = draft.categories.find(({ name }) => name === linked.value);
  if (!category) {
    const reason = linked.value
      ? 'The file has no such category.'
      : 'The preferences have texts for categories only.';
    draft.report.ignore(section, reason);
    return;
  }
  draft.report.import(linked, `consent.categories[${category.id}]`, category.id);
  const title = descend(section, 'title');
  draft.setCategoryText(title, category, language, 'label');
  const { badge } = readHtmlAt(title);
  if (badge && category.isNecessary)
    draft.setText(
      { ...title, value: escapeText(badge) },
      language,
      'required_text',
      'It was part of the name of the category.',
    );
  draft.setCategoryText(descend(section, 'description'), category, language, 'description');
  for (const [, row] of listEntries(descend(section, 'cookieTable', 'body')))
    proposeCookie(row, category.id, draft);
}
