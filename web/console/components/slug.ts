/** Letters that are no Latin letter with an accent, as they are written without it. */
const LETTERS: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
};

/** A slug for a name, at most 64 characters long: `ad-trail` for `Ad Trail`. Empty if the name has no Latin letter or digit. */
export const toSlug = (name: string): string =>
  name
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]/g, (letter) => LETTERS[letter] ?? '-')
    .replace(/-+/g, '-')
    .slice(0, 64)
    .replace(/^-|-$/g, '');

/** A check of a form: what is wrong with a typed slug or handle; null if nothing is. */
export const validateSlug = (value: string) =>
  /^[a-z0-9][a-z0-9_-]{0,63}$/.test(value)
    ? null
    : 'Use lowercase letters, digits, - and _. Start with a letter or digit.';
