import { domainToASCII } from 'node:url';
import { CliError } from './errors.ts';

const EMAIL_MAX_LENGTH = 254;
/** What stands unquoted before an `@` (RFC 5322 atext, RFC 6531): nothing that could begin a second address. */
const LOCAL = "[\\p{L}\\p{M}\\p{N}!#$%&'*+/=?^_`{|}~-]+";
const LABEL = '[\\p{L}\\p{N}](?:[\\p{L}\\p{M}\\p{N}-]{0,61}[\\p{L}\\p{M}\\p{N}])?';
/** Its last label has a letter, so that no IP address passes. */
const EMAIL = new RegExp(
  `^(?=[^@]{1,64}@)${LOCAL}(?:\\.${LOCAL})*@(?:${LABEL}\\.)+(?=[^.]*\\p{L})(?=[^.]{2})${LABEL}$`,
  'u',
);

/**
 * The one form in which an address identifies a person: trimmed, in lower case, its characters composed
 * (Unicode NFC) and its host in ASCII (RFC 5891), so that all spellings of an address are the same text.
 * Undefined if it is no address.
 */
export function readEmail(text: string): string | undefined {
  const typed = text.trim().normalize('NFC').toLowerCase();
  if (typed.length > EMAIL_MAX_LENGTH || !EMAIL.test(typed)) return undefined;
  const address = asciiAddress(typed);
  return address && address.length <= EMAIL_MAX_LENGTH ? address : undefined;
}

/**
 * The form in which an address identifies a person, see `readEmail`.
 * @throws CliError if it is not an email address
 */
export function normaliseEmail(email: string): string {
  const address = readEmail(email);
  if (address === undefined) throw new CliError(`"${email}" is not an email address`, 2);
  return address;
}

/** The address as SMTP takes it: its host in punycode; empty if there is no such host. */
export function asciiAddress(address: string): string {
  const at = address.lastIndexOf('@');
  const host = domainToASCII(address.slice(at + 1));
  return host && `${address.slice(0, at)}@${host}`;
}
