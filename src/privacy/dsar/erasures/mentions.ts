import type { Case } from '../store.ts';

/** Removes mentions of a person from a text. */
export type MentionEraser = (text: string) => string;

const ERASED = '[erased]';
/** Shorter texts would match parts of other words. */
const MIN_LENGTH = 3;

/** What is replaced. Longer mentions come first, because an address may contain a name. */
interface Mention {
  length: number;
  patterns: readonly (string | RegExp)[];
}

/**
 * As the request has them, also within a word, for example in a genitive; in other cases as whole words. Names of two
 * letters only as whole words in their case, and of one letter only beside the other name: "A" is also a word.
 */
export function createMentionEraser({
  email,
  visitorId,
  visitorClaim,
  firstName,
  lastName,
  phone,
  postalAddress,
  representative,
}: Case): MentionEraser {
  const names = [firstName, lastName, representative].filter((text) => text !== null);
  const ids = [email, visitorId, visitorClaim, phone, postalAddress].filter(
    (text) => text !== null,
  );
  const mentions: Mention[] = [
    ...[...ids, ...names]
      .filter((text) => text.length >= MIN_LENGTH)
      .map((text) => ({
        length: text.length,
        patterns: [text, matchWord(escapePattern(text), 'giu')],
      })),
    ...names
      .filter((name) => name.length < MIN_LENGTH && /\p{L}{2}/u.test(name))
      .map((name) => ({ length: name.length, patterns: [matchWord(name, 'gu')] })),
    ...(firstName && lastName ? toFullNames(firstName, lastName) : []),
  ];
  const patterns = mentions
    .toSorted((one, other) => other.length - one.length)
    .flatMap((mention) => mention.patterns);
  return (text) => patterns.reduce<string>((left, each) => left.replaceAll(each, ERASED), text);
}

/** Both names in either order, of which one may be an initial. */
function toFullNames(firstName: string, lastName: string): Mention[] {
  const pairs = [
    [firstName, lastName],
    [lastName, firstName],
  ] as const;
  const isShort = Math.max(firstName.length, lastName.length) < MIN_LENGTH;
  return pairs.map(([one, other]) => {
    const [first, last] = [one, other].map((name) =>
      escapePattern(name.replace(/(?<=\p{L})\.$/u, '')),
    );
    const spaced = matchWord(`${first}\\.?,?\\s+${last}`, isShort ? 'gu' : 'giu');
    const isUnspaced = UNSPACED.test(one + other);
    return {
      length: one.length + other.length + 1,
      patterns: isUnspaced ? [spaced, one + other] : [spaced],
    };
  });
}

/** Scripts that write both names, and what follows them, without spaces. */
const UNSPACED = /^[\p{sc=Han}\p{sc=Hangul}\p{sc=Hiragana}\p{sc=Katakana}]+$/u;

const matchWord = (pattern: string, flags: string): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}])${pattern}(?![\\p{L}\\p{N}])`, flags);

const escapePattern = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
