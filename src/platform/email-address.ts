import { domainToASCII } from 'node:url';
import { CliError } from './errors.ts';

const EMAIL_MAX_LENGTH = 254;
/** Unquoted local part (RFC 5322 atext, RFC 6531). */
const LOCAL = "[\\p{L}\\p{M}\\p{N}!#$%&'*+/=?^_`{|}~-]+";
const LABEL = '[\\p{L}\\p{N}](?:[\\p{L}\\p{M}\\p{N}-]{0,61}[\\p{L}\\p{M}\\p{N}])?';
/** Its last label has a letter, so that no IP address passes. */
const EMAIL = new RegExp(
  `^(?=[^@]{1,64}@)${LOCAL}(?:\\.${LOCAL})*@(?:${LABEL}\\.)+(?=[^.]*\\p{L})(?=[^.]{2})${LABEL}$`,
  'u',
);

/**
 * The normal form by which an address identifies a person: trimmed, lower case, Unicode NFC, host in ASCII (RFC 5891).
 * Undefined if it is invalid.
 */
export function readEmail(text: string): string | undefined {
  const typed = text.trim().normalize('NFC').toLowerCase();
  if (typed.length > EMAIL_MAX_LENGTH || !EMAIL.test(typed)) return undefined;
  const address = asciiAddress(typed);
  return address && address.length <= EMAIL_MAX_LENGTH ? address : undefined;
}

/** Like `readEmail`. @throws CliError if the address is invalid */
export function normaliseEmail(email: string): string {
  const address = readEmail(email);
  if (address === undefined) throw new CliError(`"${email}" is not an email address`, 2);
  return address;
}

/** The address with its host in punycode, for SMTP; empty if the host is invalid. */
export function asciiAddress(address: string): string {
  const at = address.lastIndexOf('@');
  const host = domainToASCII(address.slice(at + 1));
  return host && `${address.slice(0, at)}@${host}`;
}
