import { type Draft, type DraftCategory, toLanguage } from './draft.ts';
import { descend, isObject, listEntries, type Node, readSwitch, toText } from './nodes.ts';
import { LOOK, NO_CLOSE, NO_REJECT, NOT_SELECTED, ONE_BANNER, OPT_OUT } from './reasons.ts';

/** @param root as `decodeCookieYes` returns it */
export const isCookieYes = (root: Node): boolean =>
  listEntries(descend(root, 'banners')).some(([, banner]) =>
    listEntries(descend(banner, 'contents')).some(([, texts]) =>
      isObject(descend(texts, 'notice', 'elements').value),
    ),
  );

const isOptOut = (banner: Node): boolean =>
  descend(banner, 'settings', 'settings', 'applicableLaw').value === 'ccpa';

/** The active banner, preferably one that asks first. */
function findBanner(root: Node): Node | undefined {
  const all = listEntries(descend(root, 'banners')).map(([, banner]) => banner);
  const active = all.filter((banner) => readSwitch(descend(banner, 'status')));
  const standard = all.filter((banner) => readSwitch(descend(banner, 'banner_default')));
  const ranked = [...active, ...standard, ...all];
  return ranked.find((banner) => !isOptOut(banner)) ?? ranked[0];
}

export function findCookieYesLanguage(root: Node): string | undefined {
  const banner = findBanner(root);
  if (!banner) return undefined;
  const written = listEntries(descend(banner, 'contents')).flatMap(
    ([tag]) => toLanguage(String(tag)) ?? [],
  );
  const asked = [descend(root, 'settings'), descend(banner, 'settings', 'settings')]
    .map((node) => toLanguage(toText(descend(node, 'languages', 'default'))))
    .find((tag) => tag && written.includes(tag));
  return asked ?? written[0];
}

export function readCookieYes(root: Node, draft: Draft): void {
  const { report } = draft;
  const banner = findBanner(root);
  for (const [, each] of listEntries(descend(root, 'banners')))
    if (banner && each.path.join() !== banner.path.join()) report.ignore(each, ONE_BANNER);
  readCategories(root, draft);
  if (banner) readBanner(banner, draft);
  const languages = descend(root, 'settings', 'languages', 'default');
  if (toLanguage(toText(languages)) === draft.first)
    report.import(languages, 'consent.languages', draft.first);
  report.ignore(
    descend(root, 'settings', 'languages', 'selected'),
    'The languages are those of the texts.',
  );
  report.ignore(descend(root, 'settings', 'consent_logs'), 'Pavis records each choice.');
}

function readBanner(banner: Node, draft: Draft): void {
  const { report } = draft;
  const settings = descend(banner, 'settings', 'settings');
  const law = descend(settings, 'applicableLaw');
  if (isOptOut(banner)) report.change(law, null, null, OPT_OUT);
  else report.ignore(law, 'Pavis asks before loading without this setting.');
  const position = descend(settings, 'position');
  const type = descend(settings, 'type');
  // CookieYes shows a popup in the centre, whatever its position.
  if (type.value === 'popup') {
    draft.setPosition(type, 'center', 'A popup is a banner in the centre.');
    report.ignore(position, 'A popup is always in the centre.');
  } else {
    if (position.value !== undefined) draft.setPosition(position, toText(position));
    report.ignore(type, 'The position decides the layout.');
  }
  report.ignore(descend(settings, 'preferenceCenterType'), 'The preferences open in the banner.');
  const expiry = descend(settings, 'consentExpiry');
  if (readSwitch(descend(expiry, 'status')) && descend(expiry, 'value').value !== undefined)
    draft.setExpiryDays(descend(expiry, 'value'));
  else report.ignore(expiry, 'It was switched off.');
  for (const name of [
    'customHtml',
    'theme',
    'templateGroup',
    'versionID',
    'id',
    'languages',
    'ruleSet',
  ])
    report.ignore(descend(settings, name), 'It concerns how the other banner works.');
  readBehaviour(descend(banner, 'settings', 'behaviours'), draft);

  const config = descend(banner, 'settings', 'config');
  const buttons = descend(config, 'notice', 'elements', 'buttons', 'elements');
  const hasReject = readSwitch(descend(buttons, 'reject', 'status')) !== false;
  const isLinked = readSwitch(descend(buttons, 'readMore', 'status')) === true;
  for (const [, part] of listEntries(config)) report.ignore(part, LOOK);
  const all = listEntries(descend(banner, 'contents'));
  const isFirst = ([tag]: (typeof all)[number]) => toLanguage(String(tag)) === draft.first;
  for (const [tag, texts] of [...all.filter(isFirst), ...all.filter((entry) => !isFirst(entry))]) {
    const language = draft.addLanguage(texts, String(tag));
    if (language === undefined) continue;
    readTexts(texts, language, { hasReject, isLinked, isOptOut: isOptOut(banner) }, draft);
  }
}

/** What the banner does besides asking. */
function readBehaviour(behaviours: Node, { report }: Draft): void {
  const early = descend(behaviours, 'loadAnalyticsByDefault', 'status');
  if (readSwitch(early)) report.change(early, null, null, 'Nothing loads before consent.');
  else report.ignore(early, 'Nothing loads before consent.');
  const legacy = descend(behaviours, 'legacyFunctions');
  for (const name of ['pageScroll', 'navigation', 'idle'])
    report.ignore(
      descend(legacy, name),
      'Scrolling, browsing and waiting are no consent (EDPB Guidelines 05/2020, 86).',
    );
  report.ignore(descend(behaviours, 'respectGPC'), 'The banner honours Global Privacy Control.');
  report.ignore(
    descend(behaviours, 'reloadBannerOnAccept'),
    'Content loads after consent without a reload.',
  );
}

function readTexts(
  texts: Node,
  language: string,
  { hasReject, isLinked, isOptOut }: { hasReject: boolean; isLinked: boolean; isOptOut: boolean },
  draft: Draft,
): void {
  const { report } = draft;
  const notice = descend(texts, 'notice', 'elements');
  const buttons = descend(notice, 'buttons', 'elements');
  draft.setText(descend(notice, 'title'), language, 'title');
  const message = descend(notice, 'description');
  if (isOptOut) report.ignore(message, OPT_OUT);
  else draft.setText(message, language, 'message');
  draft.setText(descend(buttons, 'accept'), language, 'accept_text');
  draft.setText(
    descend(buttons, 'reject'),
    language,
    'reject_text',
    hasReject ? undefined : NO_REJECT,
  );
  draft.setText(descend(buttons, 'settings'), language, 'manage_text');
  report.ignore(descend(buttons, 'donotSell'), OPT_OUT);
  report.ignore(descend(texts, 'optoutPopup'), OPT_OUT);
  report.ignore(descend(notice, 'closeButton'), NO_CLOSE);

  const privacy = descend(notice, 'privacyLink');
  const readMore = descend(buttons, 'readMore');
  const address = typeof privacy.value === 'string' ? privacy.value.trim() : '';
  if (isLinked && address && draft.setPrivacyUrl(privacy, address))
    draft.setText(readMore, language, 'privacy_text');
  else {
    if (!isLinked || !address) report.ignore(privacy, 'The banner did not show this link.');
    report.ignore(readMore, 'The banner did not show this link.');
  }
  const center = descend(texts, 'preferenceCenter', 'elements');
  draft.setText(descend(center, 'buttons', 'elements', 'save'), language, 'save_text');
  draft.setText(
    descend(center, 'category', 'elements', 'alwaysEnabled'),
    language,
    'required_text',
  );
  for (const name of ['title', 'description'])
    report.ignore(
      descend(center, name),
      'The preferences use the title and message of the banner.',
    );
  draft.setText(descend(texts, 'revisitConsent', 'elements', 'title'), language, 'reopen_text');
  report.ignore(
    descend(texts, 'auditTable'),
    'The declaration of Pavis lists cookies and third parties.',
  );
  report.ignore(
    descend(texts, 'videoPlaceholder'),
    'The placeholder of Pavis names the host that provides the content.',
  );
}

function readCategories(root: Node, draft: Draft): void {
  const rows = listEntries(descend(root, 'categories')).map(([, row]) => row);
  const cookies = listEntries(descend(root, 'cookies')).map(([, row]) => row);
  const ids = new Map<string, string>();
  for (const row of rows) {
    const slug = descend(row, 'slug').value;
    if (typeof slug !== 'string' || slug === '') {
      draft.report.reject(row, 'consent.categories', 'It has no `slug`.');
      continue;
    }
    if (readSwitch(descend(row, 'visibility')) === false) {
      draft.report.ignore(row, 'The banner did not show this category.');
      continue;
    }
    const category = draft.addCategory(descend(row, 'slug'), slug, slug === 'necessary');
    if (!category) continue;
    ids.set(toText(descend(row, 'category_id')), category.id);
    readCategory(row, category, draft);
  }
  for (const row of cookies) {
    const name = descend(row, 'name').value;
    const category = ids.get(toText(descend(row, 'category'))) ?? null;
    if (typeof name === 'string' && name !== '')
      draft.propose(row, { kind: 'cookie', name: name.slice(0, 200), category });
    else draft.report.reject(row, null, 'The cookie has no `name`.');
  }
}

/** Texts are by language: `{"en": "Analytics", "de": "Statistik"}`. */
function readCategory(row: Node, category: DraftCategory, draft: Draft): void {
  for (const [column, name] of [
    ['name', 'label'],
    ['description', 'description'],
  ] as const) {
    for (const [tag, text] of listEntries(descend(row, column))) {
      const language = draft.addLanguage(text, String(tag));
      if (language !== undefined) draft.setCategoryText(text, category, language, name);
    }
  }
  const early = descend(row, 'prior_consent');
  if (readSwitch(early) && !category.isNecessary)
    draft.report.change(early, null, null, NOT_SELECTED);
  else
    draft.report.ignore(early, 'Necessary categories are always active, others never in advance.');
  const isSold = descend(row, 'sell_personal_data');
  draft.report.ignore(isSold, OPT_OUT);
  for (const name of [
    'category_id',
    'priority',
    'visibility',
    'meta',
    'date_created',
    'date_modified',
  ])
    draft.report.ignore(descend(row, name), 'It concerns how the other banner works.');
}
