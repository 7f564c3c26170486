import {
  ACCEPT_LABELS,
  AND_WORDS,
  groupPhrases,
  LABEL_WORDS,
  listLabels,
  listWords,
  normalise,
  type Phrases,
  rankLabel,
  withoutCookies,
} from '../accept-label.ts';

/** Passed to {@link rankChoice}, which runs in pages, too, where nothing can be imported. */
const FUNCTIONS = { normalise, rankLabel, withoutCookies };

const isNot = (list: readonly string[]) => (word: string) => !list.includes(word);
const toWords = (list: readonly string[]) => list.flatMap((phrase) => phrase.split(' '));
const settings = listLabels('settings');
const save = listLabels('save');
export const NECESSARY_WORDS = listWords('necessary');

/** The normalised words of all languages that `LABEL_WORDS` lacks. */
export const OTHER_WORDS = {
  reject: groupPhrases(listLabels('reject')),
  only: groupPhrases(listWords('only')),
  necessary: groupPhrases(NECESSARY_WORDS),
  settings: groupPhrases(settings),
  save: groupPhrases(save.filter(isNot(ACCEPT_LABELS.accept))),
  reopen: groupPhrases(listWords('reopen')),
  buy: groupPhrases(listWords('buy')),
  andWords: groupPhrases(AND_WORDS),
  topics: groupPhrases(LABEL_WORDS.topic),
  /** Words for "all", which only labels of `all` have. */
  everything: groupPhrases(
    toWords(ACCEPT_LABELS.all)
      .filter(isNot([...toWords(ACCEPT_LABELS.accept), ...ACCEPT_LABELS.ok, ...AND_WORDS]))
      .filter(isNot(toWords([...settings, ...save]))),
  ),
};

/** The normalised words for {@link rankChoice}, of all languages. */
export const CHOICE_WORDS = { ...LABEL_WORDS, ...OTHER_WORDS };

/** How well a label fits each role: 0 not at all, 1 best. */
export interface ChoiceRanks {
  reject: 0 | 1 | 2;
  settings: 0 | 1 | 2;
  save: 0 | 1 | 2;
  reopen: 0 | 1 | 2;
}

/**
 * What a button of a consent banner does by its label. A label that accepts everything or buys something has no role.
 * Also runs in pages.
 */
export function rankChoice(
  label: string,
  words: typeof CHOICE_WORDS,
  { normalise, rankLabel, withoutCookies } = FUNCTIONS,
): ChoiceRanks {
  const LABEL_MAX = 60;
  const TAIL_MAX = 30;
  const none: ChoiceRanks = { reject: 0, settings: 0, save: 0, reopen: 0 };
  const full = normalise(label);
  if (full === '' || full.length > LABEL_MAX) return none;
  const isInner = (text: string) =>
    /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{sc=Arab}\p{sc=Hebr}]/u.test(text);
  /** Stems begin a word, those of languages without spaces are anywhere. */
  const has = (text: string, stems: Phrases, whole = false) => {
    const isAnywhere = isInner(text);
    for (let at = 0; at < text.length; at++) {
      const isWord = at === 0 || text[at - 1] === ' ';
      if (!isWord && !isAnywhere) continue;
      for (const stem of stems[text.charAt(at)] ?? []) {
        if (!text.startsWith(stem, at)) continue;
        if (isInner(stem)) return true;
        if (!isWord) continue;
        const next = text[at + stem.length] ?? ' ';
        if (stem.includes(' ') || !(whole || stem.length < 4) || next === ' ') return true;
      }
    }
    return false;
  };
  if (has(full, words.buy)) return none;
  const isCjk = (text: string) => /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}]/u.test(text);
  const text = withoutCookies(full, words.cookies);
  const hasCookie = text !== full;
  const close = (of: string) => of.replaceAll(' ', '');
  /** What follows the longest phrase that the text begins with; undefined without one. */
  const findTail = (of: string, phrases: Phrases) => {
    let tail: string | undefined;
    for (const phrase of phrases[of.charAt(0)] ?? []) {
      if (close(of) === close(phrase)) return '';
      const rest = of.slice(phrase.length);
      if (!of.startsWith(phrase) || !(rest.startsWith(' ') || isCjk(phrase))) continue;
      if (tail === undefined || rest.trim().length < tail.length) tail = rest.trim();
    }
    return tail;
  };
  const isEverything = (of: string) => has(of, words.everything, true);
  const isAccept = (of: string) => has(of, words.accept, true);

  // "Reject all" stands among the labels of acceptance in no language, "OK" and "Continue" in many.
  const rejection = findTail(text, words.reject);
  const accepts = rankLabel(label, words) > 0;
  if (accepts) return none;
  const ranks = { ...none };
  const isNecessary = has(text, words.necessary);
  if (rejection === '') ranks.reject = 1;
  else if (rejection !== undefined && rejection.length <= TAIL_MAX && !isAccept(rejection))
    ranks.reject = 2;
  else if (isNecessary && has(text, words.only, true)) ranks.reject = 1;
  else if (
    isNecessary &&
    isAccept(text) &&
    text.split(' ').length < 5 &&
    !has(text, words.andWords, true)
  )
    ranks.reject = 2;
  if (ranks.reject > 0) return ranks;

  const saving = findTail(text, words.save);
  if (saving === '') ranks.save = 1;
  else if (saving !== undefined && saving.length <= TAIL_MAX && !isEverything(saving))
    ranks.save = isAccept(saving) ? 0 : 2;
  if ([full, text].some((of) => findTail(of, words.reopen) === '')) ranks.reopen = 1;
  // Many footers have only "Cookies".
  else if (words.cookies.some((stem) => full === stem || full === `${stem}s`)) ranks.reopen = 2;
  /** The rest of words such as "Cookieeinstellungen". */
  const compound = full.replace(/\S+/g, (word) => {
    const stem = words.cookies.find((each) => each.length > 4 && word.startsWith(each));
    return stem && word.length > stem.length + 4 ? word.slice(stem.length) : word;
  });
  const opening = findTail(text, words.settings) ?? findTail(compound, words.settings);
  if (opening === undefined || opening.length > TAIL_MAX || isEverything(opening)) return ranks;
  if (ranks.save === 0) ranks.settings = opening === '' ? 1 : 2;
  if (ranks.reopen === 0 && (hasCookie || has(full, words.topics)))
    ranks.reopen = opening === '' ? 1 : 2;
  return ranks;
}
