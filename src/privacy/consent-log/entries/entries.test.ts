import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { consentRecords } from '../../consent/index.ts';
import { toCanonicalJson } from '../records/canonical-json.ts';
import { toEntryColumns } from './columns.ts';
import { encodeRow, type RawRow } from './encoding.ts';
import { createRecordEntries, toFactsEntry } from './entries.ts';
import { ENTRY_KINDS } from './kinds.ts';

const columns = toEntryColumns(consentRecords);
const LAST_ID_BEFORE = 5;
const toEntry = createRecordEntries(columns, LAST_ID_BEFORE);

const text = fc.string({ unit: 'grapheme' });
const moment = fc.integer({ min: -62_167_219_200_000, max: 253_402_300_799_999 });
const list = fc.array(text, { maxLength: 4 }).map((each) => JSON.stringify(each));
/** A consent record as the database has it. */
const record = fc.record({
  id: fc.integer({ min: 1 }),
  visitor_id: text,
  categories_accepted: list,
  categories_rejected: list,
  consent_action: text,
  day: text,
  created_at: moment,
  config_version: fc.option(fc.nat()),
  expires_at: moment,
  source: fc.option(text),
  language: fc.option(text),
  page_url: fc.option(fc.webUrl()),
  gpc: fc.option(fc.constantFrom(0, 1)),
  anonymised_at: fc.constant(null),
  salt: fc.uint8Array({ minLength: 16, maxLength: 16 }),
  personal_hash: fc.constant(null),
});
type Record = typeof record extends fc.Arbitrary<infer T> ? T : never;

const sha256 = (...parts: (string | Uint8Array)[]) => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};
const withoutNull = (members: object) =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null));

/** The members of an entry, as the REST API shows them. */
const toFacts = (row: Record) =>
  withoutNull({
    id: row.id,
    categories_accepted: JSON.parse(row.categories_accepted),
    categories_rejected: JSON.parse(row.categories_rejected),
    consent_action: row.consent_action,
    day: row.day,
    config_version: row.config_version,
  });
const toPersonal = (row: Record) =>
  withoutNull({
    visitor_id: row.visitor_id,
    created_at: new Date(row.created_at).toISOString(),
    expires_at: new Date(row.expires_at).toISOString(),
    source: row.source,
    language: row.language,
    page_url: row.page_url,
    gpc: row.gpc === null ? null : row.gpc === 1,
  });

describe('The entry of a consent record', () => {
  it('is the hash of its personal data with the salt, and of its facts', () => {
    fc.assert(
      fc.property(record, (row) => {
        const personal = toCanonicalJson(toPersonal(row));
        const facts = toCanonicalJson(toFacts(row));
        expect(encodeRow(row, columns.personal)).toBe(personal);
        expect(encodeRow(row, columns.facts)).toBe(facts);
        const kind = row.id <= LAST_ID_BEFORE ? 7 : 1;
        const commitment = sha256(
          'pavis-consent/v1\n',
          sha256('pavis-consent-p/v1\n', row.salt, personal),
          sha256('pavis-consent-f/v1\n', facts),
        );
        expect(toEntry(row)).toEqual({
          kind,
          entry: Buffer.concat([Buffer.of(1, kind), commitment]),
        });
      }),
      { numRuns: 300 },
    );
  });

  it('stays the same when the hash of the personal data takes its place', () => {
    fc.assert(
      fc.property(record, text, (row, other) => {
        const personal_hash = sha256(
          'pavis-consent-p/v1\n',
          row.salt,
          toCanonicalJson(toPersonal(row)),
        );
        const anonymised = { ...row, visitor_id: other, page_url: null, anonymised_at: 1 };
        expect(toEntry({ ...anonymised, salt: null, personal_hash })).toEqual(toEntry(row));
        // Someone has put the hash beside changed data, but left the salt.
        expect(toEntry({ ...anonymised, personal_hash })).not.toEqual(toEntry(row));
      }),
    );
  });

  it('differs when any column has any other value, and never fails', () => {
    const anyValue = fc.oneof(
      fc.bigInt(),
      fc.boolean(),
      fc.constantFrom(null, undefined),
      fc.double(),
      text,
      list,
      fc.json(),
      fc.uint8Array(),
      moment,
      moment.map((at) => new Date(at).toISOString()),
      fc.constantFrom(0, 1, '0', '1', 'true', 9e99, '[ ]', '["a","a"'),
    );
    const names = Object.keys(fc.sample(record, 1)[0] as Record);
    fc.assert(
      fc.property(record, fc.constantFrom(...names), anyValue, (row, name, value) => {
        const old = (row as RawRow)[name];
        fc.pre(!Object.is(value ?? null, old) && !(value === 0 && old === 0));
        fc.pre(!(value instanceof Uint8Array && name === 'salt' && value.length === 16));
        expect(toEntry({ ...row, [name]: value })).not.toEqual(toEntry(row));
      }),
      { numRuns: 2_000 },
    );
  });

  it('differs for a value that only looks like the same', () => {
    const row = { ...(fc.sample(record, 1)[0] as Record), id: 9, gpc: 1, created_at: 0 };
    const valid = { ...row, categories_accepted: '["a"]' };
    const changed: object[] = [
      { created_at: '1970-01-01T00:00:00.000Z' },
      { gpc: 'true' },
      { gpc: true },
      { id: '9' },
      { id: 9n },
      { categories_accepted: '[ "a"]' },
      { categories_accepted: '["\\u0061"]' },
      { categories_accepted: ['a'] },
      { categories_accepted: Buffer.from('["a"]') },
      { visitor_id: Buffer.from(row.visitor_id) },
    ];
    const entries = [{}, ...changed].map((change) => toEntry({ ...valid, ...change }).entry);
    expect(new Set(entries.map((entry) => entry.toString('hex'))).size).toBe(entries.length);
  });

  it('covers every column of the declaration once', () => {
    const { personal, impersonal } = consentRecords;
    const names = [...columns.personal, ...columns.facts].map(({ name }) => name);
    const declared = [...Object.keys(personal), ...impersonal];
    expect(names.toSorted()).toEqual(
      [...declared, 'anonymised_at', 'config_version', 'id'].toSorted(),
    );
  });
});

describe('The entry of facts', () => {
  const row = {
    id: 1,
    kind: ENTRY_KINDS.scan,
    facts: '{"created_at":"1970-01-01T00:00:00.001Z","pages":2}',
    created_at: 1,
  };

  it('is the hash of their text', () => {
    const commitment = sha256(
      'pavis-consent/v1\n',
      sha256('pavis-consent-p/v1\n'),
      sha256('pavis-consent-f/v1\n', row.facts),
    );
    const entry = Buffer.concat([Buffer.of(1, 4), commitment]);
    expect(toFactsEntry(row)).toEqual({ kind: 4, entry });
  });

  it.each([
    { facts: '{"created_at":"1970-01-01T00:00:00.001Z","pages":3}' },
    { facts: null },
    { facts: Buffer.from(row.facts) },
    { created_at: 2 },
    { created_at: '1' },
    { created_at: 9e99 },
    { kind: 1 },
    { kind: 3 },
    { kind: 'x' },
    { kind: 260 },
    { kind: null },
  ])('differs with $facts $created_at $kind', (change) => {
    expect(toFactsEntry({ ...row, ...change }).entry).not.toEqual(toFactsEntry(row).entry);
  });
});
