/** A signed note, checkpoint, proof or key that cannot be read, or is not signed as it must be. */
export class NoteError extends Error {
  override name = 'NoteError';
}

/** @returns undefined unless it is base64 in its only spelling (RFC 4648 section 4) */
export function parseBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : undefined;
}

/** @returns undefined unless it is a decimal number without leading zeros that JavaScript holds exactly */
export function parseDecimal(text: string | undefined): number | undefined {
  if (text === undefined || !/^(0|[1-9]\d{0,15})$/.test(text)) return undefined;
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : undefined;
}
