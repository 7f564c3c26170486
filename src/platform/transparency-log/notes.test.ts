import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatCheckpoint, parseCheckpoint } from './checkpoints.ts';
import { NoteError } from './encoding.ts';
import { parseVerifierKey } from './keys.ts';
import { createCosigner, createSigner, openNote } from './notes.ts';
import { formatProof, parseProof } from './proof-files.ts';

const seed = (text: string) => createHash('sha256').update(text).digest();
const signer = createSigner('example.com/pavis-consent', seed('log'));
const key = parseVerifierKey(signer.verifierKey);
const witness = createCosigner('witness.example/w1', seed('witness'));
const witnessKey = parseVerifierKey(witness.verifierKey);
const text = formatCheckpoint({ origin: signer.name, size: 5, root: seed('root') });

describe('A signed note', () => {
  it('of the specification is verified with its key', () => {
    const example = parseVerifierKey(
      'example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k',
    );
    const note = `This is an example message.\n\n\u2014 example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=\n`;
    expect(openNote(note, [example]).text).toBe('This is an example message.\n');
  });

  it('is opened with the keys that are known, others are ignored', () => {
    const note = signer.sign(text) + witness.cosign(text, 1_700_000_000);
    expect(openNote(note, [key]).signatures.map((each) => each.key.name)).toEqual([signer.name]);
    const { signatures } = openNote(note, [key, witnessKey]);
    expect(signatures.map(({ time }) => time)).toEqual([undefined, 1_700_000_000]);
    const other = parseVerifierKey(createSigner('example.com/other', seed('x')).verifierKey);
    expect(() => openNote(note, [other])).toThrow(NoteError);
  });

  it('is refused with any bit changed in what is signed or in a signature of a known key', () => {
    const note = Buffer.from(signer.sign(text) + witness.cosign(text, 1_700_000_000));
    fc.assert(
      fc.property(fc.nat(note.length - 1), fc.integer({ min: 0, max: 7 }), (at, bit) => {
        const changed = Buffer.from(note);
        changed[at] = (changed[at] ?? 0) ^ (1 << bit);
        let names: string[] = [];
        try {
          const opened = openNote(changed.toString(), [key, witnessKey]);
          expect(opened.text).toBe(text);
          names = opened.signatures.map((each) => each.key.name);
        } catch (error) {
          expect(error).toBeInstanceOf(NoteError);
        }
        // A changed name or id makes it the signature of a key that is not known.
        expect(names.length).toBeLessThan(2);
      }),
      { numRuns: 1_000 },
    );
  });

  it('is refused unless it has a text, an empty line and signatures', () => {
    const line = signer.sign(text).split('\n\n')[1] ?? '';
    for (const wrong of [
      '',
      text,
      `${text}\n`,
      `${text}\n${line}x\n`,
      `${text}\n${line}`.trimEnd(),
      `a\tb\n\n${line}`,
    ]) {
      expect(() => openNote(wrong, [key]), JSON.stringify(wrong)).toThrow(NoteError);
    }
  });

  it('is not made of a text that could not be read back', () => {
    for (const wrong of ['', 'no newline', 'a\tb\n', 'a\r\n', '\ud800\n']) {
      expect(() => signer.sign(wrong), JSON.stringify(wrong)).toThrow(NoteError);
    }
    // In UTF-8 a lone surrogate would become the character that was signed.
    const note = signer.sign('\ufffd\n');
    expect(() => openNote(note.replace('\ufffd', '\ud800'), [key])).toThrow(NoteError);
  });

  it('with two signatures of one key is refused when the first is wrong', () => {
    const [, good = ''] = signer.sign(text).split('\n\n');
    const [, bad = ''] = signer.sign(`${text}x\n`).split('\n\n');
    expect(openNote(`${text}\n${good}${good}`, [key]).signatures).toHaveLength(1);
    expect(() => openNote(`${text}\n${bad}${good}`, [key])).toThrow(NoteError);
    expect(() => openNote(`${text}\n${good}${bad}`, [key])).toThrow(NoteError);
  });
});

describe('A verifier key', () => {
  it('is refused when it is damaged, with the reason', () => {
    const [name, id, encoded] = signer.verifierKey.split('+');
    expect(() => parseVerifierKey(`${name}+00000000+${encoded}`)).toThrow(`its ID should be ${id}`);
    for (const wrong of ['', 'x', `${name}+${id}`, `${name}+${id}+AA==`, `a b+${id}+${encoded}`]) {
      expect(() => parseVerifierKey(wrong), wrong).toThrow(NoteError);
    }
  });
});

describe('A checkpoint', () => {
  it('is read back, with extension lines ignored', () => {
    expect(parseCheckpoint(text)).toEqual({ origin: signer.name, size: 5, root: seed('root') });
    expect(parseCheckpoint(`${text}extension\n`).size).toBe(5);
  });

  it('is not written unless it can be read back', () => {
    const right = { origin: 'a', size: 1, root: seed('root') };
    for (const wrong of [
      { origin: '' },
      { origin: 'a\nb' },
      { size: -1 },
      { size: 1.5 },
      { size: 2 ** 53 },
      { root: Buffer.alloc(31) },
    ]) {
      expect(() => formatCheckpoint({ ...right, ...wrong }), JSON.stringify(wrong)).toThrow(
        NoteError,
      );
    }
  });

  it('is refused when a line is missing, empty or damaged', () => {
    const [origin, , root] = text.split('\n');
    for (const wrong of [
      '',
      `${origin}\n5\n`,
      `${origin}\n05\n${root}\n`,
      `\n5\n${root}\n`,
      `${origin}\n5\n${root}`,
      `${origin}\n5\nAAAA\n`,
      `${text}\nx\n`,
    ]) {
      expect(() => parseCheckpoint(wrong), JSON.stringify(wrong)).toThrow(NoteError);
    }
  });
});

describe('A proof file', () => {
  const note = signer.sign(text);

  it('is read back', () => {
    const hashes = fc.array(fc.uint8Array({ minLength: 32, maxLength: 32 }), { maxLength: 40 });
    const extra = fc.option(fc.uint8Array({ minLength: 1, maxLength: 500 }), { nil: undefined });
    fc.assert(
      fc.property(hashes, extra, fc.maxSafeNat(), (path, bytes, index) => {
        const read = parseProof(formatProof({ extra: bytes, index, path, checkpoint: note }));
        expect(read.checkpoint).toBe(note);
        expect(read.index).toBe(index);
        expect(read.path.map((each) => [...each])).toEqual(path.map((each) => [...each]));
        expect(read.extra && [...read.extra]).toEqual(bytes && [...bytes]);
      }),
    );
  });

  it('is refused when a line is damaged', () => {
    const proof = formatProof({ index: 7, path: [seed('a')], checkpoint: note });
    for (const wrong of [
      '',
      proof.replace('v1', 'v2'),
      proof.replace('index 7', 'index 07'),
      proof.replace('index 7\n', ''),
      proof.replace('\n', '\nextra !!\n'),
      proof.replace(/=\n/, '\n'),
    ]) {
      expect(() => parseProof(wrong), JSON.stringify(wrong.slice(0, 60))).toThrow(NoteError);
    }
  });
});
