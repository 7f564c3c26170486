import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { CliError } from '../platform/errors.ts';
import { NoteError, parseVerifierKey } from '../platform/transparency-log/index.ts';
import {
  ENTRY_KINDS,
  isReceipt,
  type VerifiedReceipt,
  verifyReceipt,
} from '../privacy/consent-log/index.ts';
import { command, print } from './cli.ts';

/** `pavis receipt …` */
export function receiptCommands(program: Command): void {
  const receipt = program.command('receipt').description('verify receipts of consent choices');

  command(receipt, 'verify', 'verify a receipt, without a server or a database')
    .argument('<file>', 'the receipt, as .tlog-proof or .html')
    .option(
      '--key <vkey>',
      'verifier key of the log, and of witnesses; can be repeated',
      (key: string, keys: string[]) => [...keys, key],
      [],
    )
    .addHelpText(
      'after',
      '\nTake keys from someone you trust. Without --key, the key in the receipt is used, which shows that the receipt is intact, but not who issued it.',
    )
    .action((file: string, { json, key: keys }: { json?: boolean; key: string[] }) => {
      keys.forEach(assertKey);
      const text = readReceipt(file);
      try {
        const verified = verifyReceipt(text, keys);
        print(json, { valid: true, ...toJson(verified) }, toText(verified));
      } catch (error) {
        if (!(error instanceof NoteError)) throw error;
        if (json) print(json, { valid: false, reason: error.message }, '');
        const verdict = isReceipt(text)
          ? 'The receipt is broken.'
          : 'The file is not a receipt, or a part of it is damaged.';
        throw new CliError(`${verdict} ${escapeControls(error.message)}`);
      }
    });
}

function assertKey(key: string): void {
  try {
    parseVerifierKey(key);
  } catch (error) {
    if (!(error instanceof NoteError)) throw error;
    throw new CliError(`--key ${escapeControls(key)}: ${error.message}`, 2);
  }
}

function readReceipt(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new CliError(`The receipt cannot be read. ${(error as Error).message}`);
  }
}

const isEarlier = ({ kind }: VerifiedReceipt): boolean => kind === ENTRY_KINDS.earlierDecision;

const toJson = (verified: VerifiedReceipt) => ({
  record: { ...verified.facts, ...verified.personal },
  earlier: isEarlier(verified),
  log: verified.origin,
  index: verified.index,
  size: verified.size,
  embedded: verified.isEmbedded,
  key: verified.statement['pavis:key'],
  key_given: verified.isKeyKnown,
  witnesses: verified.witnesses,
});

/** Vendors that were chosen otherwise than their category. */
const listVendors = ({ vendors_accepted, vendors_rejected }: Record<string, unknown>): string[] =>
  (
    [
      ['Vendors accepted although their category was not', vendors_accepted],
      ['Vendors rejected although their category was accepted', vendors_rejected],
    ] as const
  ).flatMap(([label, slugs]) => (slugs ? [`${label}: ${(slugs as string[]).join(', ')}`] : []));

function toText(verified: VerifiedReceipt): string {
  const { facts, personal, origin, index, size, isKeyKnown, witnesses, statement } = verified;
  // Anybody can change what a page says beside its proof.
  const heading = verified.isEmbedded
    ? 'The proof in this page is intact. The text of the page was not checked. The proof says:'
    : 'The receipt is intact.';
  const list = (value: unknown) => (value as string[]).join(', ') || 'none';
  return [
    heading,
    `Record ${facts.id}, recorded ${personal.created_at}`,
    `Accepted: ${list(facts.categories_accepted)}`,
    `Rejected: ${list(facts.categories_rejected)}`,
    ...listVendors(facts),
    ...(isEarlier(verified)
      ? [
          'The record is older than the log. The receipt shows what it was when the log began, not that it was so before.',
        ]
      : []),
    `Log: ${origin}, entry ${index + 1} of ${size}`,
    isKeyKnown
      ? 'Signed with the key that you gave.'
      : `Signed with the key in the receipt, which does not show who issued it. Compare it with one that you trust, or give that with --key: ${statement['pavis:key']}`,
    witnesses.length > 0
      ? `Witnesses: ${witnesses.map(({ name, at }) => `${name} (${at})`).join(', ')}`
      : 'Witnesses: none whose key you gave.',
  ]
    .map(escapeControls)
    .join('\n');
}

/** What is in a receipt could otherwise write lines of the result, or hide some. */
const escapeControls = (text: string): string =>
  text.replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
