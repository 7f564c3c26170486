import { CONSENT_WORDS, YES } from './consent-words.ts';

/**
 * Normalises a label: lower case, without accents, apostrophes and punctuation. Also runs in pages, so it must be
 * self-contained.
 */
export function normalise(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[\p{M}'’‘`´]/gu, '')
    .replace(/ı/g, 'i')
    .replace(/ł/g, 'l')
    .replace(/ø/g, 'o')
    .replace(/ß/g, 'ss')
    .replace(/ς/g, 'σ')
    .replace(/[^\p{L}\p{N}&]+/gu, ' ')
    .replace(/&/g, ' & ')
    .replace(/ +/g, ' ')
    .trim();
}

/** Removes the words for cookies from a normalised text. Also runs in pages, so it must be self-contained. */
export function withoutCookies(text: string, stems: readonly string[]): string {
  const isCjk = (word: string) => /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}]/u.test(word);
  const kept = text.split(' ').map((word) => {
    const isCookie = (stem: string) => (stem.length < 5 ? word === stem : word.startsWith(stem));
    if (!isCjk(word)) return stems.some(isCookie) ? '' : word;
    return stems.reduce((left, stem) => left.replaceAll(stem, ''), word);
  });
  return kept.filter((word) => word !== '').join(' ');
}

const languages = Object.values(CONSENT_WORDS);
export const toList = (...texts: string[]): string[] => [
  ...new Set(
    texts
      .flatMap((text) => text.split(','))
      .map(normalise)
      .filter(Boolean),
  ),
];
export const listWords = (key: keyof (typeof languages)[number]): string[] =>
  toList(...languages.map((words) => words[key]));
const cookies = listWords('cookies');
/** Labels as they are compared, without the words for cookies. */
export const listLabels = (key: Parameters<typeof listWords>[0]): string[] => [
  ...new Set(listWords(key).map((label) => withoutCookies(label, cookies))),
];

export const ACCEPT_LABELS = {
  all: listLabels('all'),
  accept: listLabels('accept'),
  ok: listLabels('ok'),
};
export const AND_WORDS = ['&', ...listWords('and')];

/** By their first character, so that a label is compared with few of them. */
export type Phrases = Partial<Record<string, readonly string[]>>;
export const groupPhrases = (phrases: readonly string[]): Phrases =>
  Object.groupBy(phrases.filter(Boolean), (phrase) => phrase.charAt(0));

/** The normalised {@link CONSENT_WORDS} of all languages. */
export const LABEL_WORDS = {
  all: groupPhrases(ACCEPT_LABELS.all),
  accept: groupPhrases(ACCEPT_LABELS.accept),
  ok: groupPhrases(ACCEPT_LABELS.ok),
  and: AND_WORDS,
  yes: toList(YES),
  cookies,
  topic: listWords('topic'),
  never: listWords('never'),
};

/**
 * 1: accepts everything, 2: accepts without an object, 3: acknowledges, 0: does not accept. Also runs in pages,
 * beside {@link normalise} and {@link withoutCookies}.
 */
export function rankLabel(label: string, words: typeof LABEL_WORDS): 0 | 1 | 2 | 3 {
  const TAIL_MAX = 24;
  const isCjk = (text: string) => /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}]/u.test(text);
  /** Languages in which words match anywhere. */
  const isInner = (text: string) => isCjk(text) || /[\p{sc=Arab}\p{sc=Hebr}]/u.test(text);
  const isRefused = (text: string) => {
    const inText = text.split(' ');
    return words.never.some((stem) =>
      isInner(stem)
        ? text.includes(stem)
        : inText.some((word) => (stem.length < 4 ? word === stem : word.startsWith(stem))),
    );
  };
  const close = (text: string) => text.replaceAll(' ', '');

  const text = withoutCookies(normalise(label), words.cookies);
  if (text === '' || text.length > 60) return 0;
  const variants = [text];
  for (const yes of words.yes)
    if (text.startsWith(`${yes} `)) variants.push(text.slice(yes.length + 1));
  const lists = [words.all, words.accept, words.ok] as const;
  for (const [at, phrases] of lists.entries()) {
    for (const variant of variants) {
      for (const phrase of phrases[variant.charAt(0)] ?? []) {
        const rank = (at + 1) as 1 | 2 | 3;
        if (close(variant) === close(phrase)) return rank;
        if (rank === 3 || !variant.startsWith(phrase)) continue;
        const rest = variant.slice(phrase.length);
        const tail = rest.trim();
        if (tail.length > TAIL_MAX || isRefused(tail)) continue;
        const isWord = rest.startsWith(' ') || isCjk(phrase);
        const goesOn = words.and.some((and) => tail.startsWith(isCjk(and) ? and : `${and} `));
        if (isWord && (rank === 1 || goesOn)) return rank;
      }
    }
  }
  return words.yes.includes(text) ? 3 : 0;
}
