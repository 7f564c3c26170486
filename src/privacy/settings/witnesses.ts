import { InvalidFieldError } from '../../platform/errors.ts';
import { NoteError, parseVerifierKey } from '../../platform/transparency-log/index.ts';
import type { SiteSettings } from './schemas.ts';

/** Signature type of cosignatures, see `VerifierKey`. */
const COSIGNATURE = 4;
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/**
 * Checks addresses and verifier keys of witnesses.
 * @throws InvalidFieldError
 */
export function assertWitnesses(witnesses: SiteSettings['consent_log']['witnesses'] = []): void {
  for (const [at, { url, key }] of witnesses.entries()) {
    const problem = findAddressProblem(url) ?? findKeyProblem(key);
    if (problem) throw new InvalidFieldError('consent_log', `witnesses[${at}]: ${problem}`);
  }
  const keys = witnesses.map(({ key }) => key);
  const twice = keys.find((key, at) => keys.indexOf(key) !== at);
  if (twice === undefined) return;
  throw new InvalidFieldError('consent_log', `witnesses: ${twice} is entered twice.`);
}

function findAddressProblem(text: string): string | undefined {
  const url = URL.parse(text);
  const isSafe =
    url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK.test(url.hostname));
  if (url && isSafe && !(url.username || url.password || url.search || url.hash)) return undefined;
  return `"${text}" must be an https address without user, query and fragment, for example https://witness.example.com. Plain http is allowed only for this machine.`;
}

function findKeyProblem(text: string): string | undefined {
  try {
    if (parseVerifierKey(text).type === COSIGNATURE) return undefined;
    return 'This is the key of a log. Enter the key of the witness, which "pavis witness key" prints.';
  } catch (error) {
    if (error instanceof NoteError) return error.message;
    throw error;
  }
}
