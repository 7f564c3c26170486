import type { Case } from '../store.ts';

/** Removes mentions of a person from a text. */
export type MentionEraser = (text: string) => string;

const ERASED = '[erased]';
/** Shorter texts would match parts of other words. */
const MIN_LENGTH = 3;

/** As the request has them, also within a word, for example in a genitive; in other cases as whole words. */
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
  const names = [email, visitorId, visitorClaim, firstName, lastName]
    .concat([phone, postalAddress, representative])
    .filter((name) => name !== null && name.length >= MIN_LENGTH) as string[];
  // The longest first: an address may contain a name.
  const ordered = names.toSorted((one, other) => other.length - one.length);
  const words = ordered.map(
    (name) => new RegExp(`(?<![\\p{L}\\p{N}])${toPattern(name)}(?![\\p{L}\\p{N}])`, 'giu'),
  );
  return (text) => {
    const exact = ordered.reduce((left, name) => left.replaceAll(name, ERASED), text);
    return words.reduce((left, word) => left.replaceAll(word, ERASED), exact);
  };
}

const toPattern = (name: string): string => name.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
