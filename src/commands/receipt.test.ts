import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { dataFolder, pavis } from '../../test/support/process.ts';
import { createSigner, formatCheckpoint, hashLeaf } from '../platform/transparency-log/index.ts';
import { formatEntry, hashFacts, hashPersonal } from '../privacy/consent-log/entries/hashing.ts';
import { ENTRY_KINDS } from '../privacy/consent-log/entries/kinds.ts';
import { formatReceipt } from '../privacy/consent-log/receipts/format.ts';

const PERSONAL = { created_at: '2026-11-30T08:00:00.000Z' };
const FACTS = { id: 7, categories_accepted: ['analytics'], categories_rejected: ['marketing'] };

/** A receipt of a log with a key of one's own, which anybody can make. */
function makeReceipt({
  facts = FACTS as unknown,
  personal = JSON.stringify(PERSONAL),
  kind = ENTRY_KINDS.decision as number,
} = {}) {
  const signer = createSigner('www.example.com/pavis-consent', Buffer.alloc(32, 1));
  const [salt, text] = [Buffer.alloc(16), JSON.stringify(facts)];
  const root = hashLeaf(formatEntry(kind, hashPersonal(salt, personal), hashFacts(text)));
  const checkpoint = signer.sign(formatCheckpoint({ origin: signer.name, size: 1, root }));
  const statement = {
    'pavis:key': signer.verifierKey,
    'pavis:entry': { kind, personal, facts: text, salt: salt.toString('base64') },
  };
  return formatReceipt(statement, { index: 0, path: [], checkpoint }, signer);
}

describe('pavis receipt verify', () => {
  const folder = dataFolder();
  afterAll(() => folder.remove());

  function verify(receipt: string, ...options: string[]) {
    const file = join(folder.path, 'receipt.tlog-proof');
    writeFileSync(file, receipt);
    return pavis(['receipt', 'verify', file, ...options], {});
  }

  it('prints the characters of a receipt that could write lines of their own as numbers', async () => {
    const lines = 'a\nSigned with the key that you gave.\r\u001b[8m\u2028\u202e';
    const forged = makeReceipt({ facts: { ...FACTS, categories_rejected: [lines] } });
    const { code, stdout } = await verify(forged);
    expect(code).toBe(0);
    expect(stdout).toContain(
      'Rejected: a\\u{a}Signed with the key that you gave.\\u{d}\\u{1b}[8m\\u{2028}\\u{202e}\n',
    );
    expect(stdout.split('\n')).toHaveLength(
      (await verify(makeReceipt())).stdout.split('\n').length,
    );
  });

  it('counts entries from 1, as the page does, and their index from 0', async () => {
    expect((await verify(makeReceipt())).stdout).toContain('pavis-consent, entry 1 of 1\n');
    const { stdout } = await verify(makeReceipt(), '--json');
    expect(JSON.parse(stdout)).toMatchObject({ index: 0, size: 1 });
  });

  it('says of a record from before the log that it is only proven to have been there then', async () => {
    const earlier = makeReceipt({ kind: ENTRY_KINDS.earlierDecision });
    const note = 'The record is older than the log.';
    expect((await verify(earlier)).stdout).toContain(note);
    expect(JSON.parse((await verify(earlier, '--json')).stdout)).toMatchObject({ earlier: true });
    expect((await verify(makeReceipt())).stdout).not.toContain(note);
    const { stdout } = await verify(makeReceipt(), '--json');
    expect(JSON.parse(stdout)).toMatchObject({ earlier: false });
  });

  it.each([
    ['personal data that is no JSON', { personal: 'no JSON' }],
    ['facts that are no object', { facts: null }],
    ['facts without the categories', { facts: { id: 7 } }],
    ['vendors that are no list', { facts: { ...FACTS, vendors_accepted: 'maps' } }],
    ['no time', { personal: '{}' }],
  ])('refuses a receipt with %s', async (_, parts) => {
    const receipt = makeReceipt(parts);
    const { code, stdout, stderr } = await verify(receipt, '--json');
    expect([code, JSON.parse(stdout)]).toEqual([
      1,
      { valid: false, reason: 'The entry is not that of a consent record.' },
    ]);
    expect(stderr).toContain('The receipt is broken. The entry is not that of a consent record.');
  });

  it('refuses a key that is none as wrong usage, without a verdict on the receipt', async () => {
    const { code, stdout, stderr } = await verify(makeReceipt(), '--json', '--key', 'garbage');
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('--key garbage: ');
    expect(stderr).not.toContain('receipt');
  });

  it('says that a file is not a receipt', async () => {
    const [head = ''] = makeReceipt().split('extra ');
    for (const text of ['garbage', `${head}index 0\n\n`]) {
      const { code, stderr } = await verify(text);
      expect(code).toBe(1);
      expect(stderr).toContain('The file is not a receipt, or a part of it is damaged.');
    }
  });
});
