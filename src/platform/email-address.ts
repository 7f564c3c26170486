import { Refusal } from './errors.ts';

const EMAIL_MAX_LENGTH = 254;
/** One `@`, no blanks or control characters, a host of labels: enough to tell a slip from an address. */
const EMAIL =
  /^[^\s@\p{C},;<>()"]{1,64}@[\p{L}\p{N}](?:[\p{L}\p{N}.-]*[\p{L}\p{N}])?\.[\p{L}\p{N}-]{2,}$/u;

/**
 * The form in which an address identifies a person: trimmed and in lower case.
 * @throws Refusal if it is no e-mail address
 */
export function normaliseEmail(email: string): string {
  const address = email.trim().toLowerCase();
  if (address.length > EMAIL_MAX_LENGTH || !EMAIL.test(address) || address.includes('..')) {
    throw new Refusal(`"${email}" is not an e-mail address`, 2);
  }
  return address;
}
