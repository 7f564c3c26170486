import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { createDatabase, run, type TestDatabase } from '../../../test/support/engines.ts';
import { createLogger } from '../log.ts';
import { columnsFor } from './columns.ts';
import { anyContains, type Datastore, openDatastore, startsWith } from './index.ts';

/** A PostgreSQL database that knows upper and lower case in one way. */
async function createWithLocale(name: string, ...locales: string[]): Promise<TestDatabase> {
  const server = new URL(inject('templates').postgres);
  server.pathname = '/postgres';
  const url = new URL(server);
  url.pathname = `/${name}_${process.pid}`;
  const database = url.pathname.slice(1);
  for (const [at, locale] of locales.entries()) {
    try {
      await run(
        server.href,
        `create database ${database} template template0 encoding 'UTF8' ${locale}`,
      );
      break;
    } catch (error) {
      if (at === locales.length - 1) throw error;
    }
  }
  return { url: url.href, drop: () => run(server.href, `drop database ${database} with (force)`) };
}

const DATABASES = {
  SQLite: () => createDatabase('sqlite'),
  'PostgreSQL, locale C': () => createDatabase('postgres'),
  'PostgreSQL, ICU': () =>
    createWithLocale('icu', "locale_provider icu icu_locale 'und' locale 'C'"),
  'PostgreSQL, libc': () =>
    createWithLocale(
      'libc',
      // What a system calls it.
      "locale_provider libc locale 'C.UTF-8'",
      "locale_provider libc locale 'en_US.UTF-8'",
    ),
};

const NAMES = [
  'Özdemir',
  'élodie',
  'Владимир',
  'İbrahim Yıldız',
  'Weiß',
  'GROẞ',
  'ΟΔΥΣΣΕΥΣ',
  'Ada_Lovelace 100%',
  'C:\\[x]*.(y)? ^$|{1}',
  'ﬁn ſ ϴ',
  'ქართული',
];

describe.each(Object.entries(DATABASES))('%s', (_, create) => {
  let database: TestDatabase;
  let datastore: Datastore;
  beforeAll(async () => {
    database = await create();
    datastore = await openDatastore(database.url, await createLogger('silent'));
    await datastore.db.schema
      .createTable('names')
      .addColumn('name', columnsFor(datastore.db).text)
      .execute();
    for (const name of NAMES) await insert(name);
  });
  afterAll(async () => {
    await datastore.close();
    await database.drop();
  });

  const insert = (name: string) =>
    sql`insert into names (name) values (${name})`.execute(datastore.db);
  async function find(text: string, how: 'contains' | 'starts' = 'contains'): Promise<string[]> {
    const { db } = datastore;
    const condition =
      how === 'contains' ? anyContains(db, ['name'], text) : startsWith(db, 'name', text);
    const { rows } = await sql<{ name: string }>`select name from names where ${condition}`.execute(
      db,
    );
    return rows.map(({ name }) => name);
  }

  test.each([
    ['özdemir', 'Özdemir'],
    ['ÖZDEMIR', 'Özdemir'],
    ['O\u0308zdemir', 'Özdemir'],
    ['ÉLODIE', 'élodie'],
    ['владимир', 'Владимир'],
    ['ВЛАД', 'Владимир'],
    ['ibrahim', 'İbrahim Yıldız'],
    ['İBRAHİM', 'İbrahim Yıldız'],
    ['yildiz', 'İbrahim Yıldız'],
    ['YILDIZ ibrahim', 'İbrahim Yıldız'],
    ['weiß', 'Weiß'],
    ['WEISS', 'Weiß'],
    ['weis', 'Weiß'],
    ['groß', 'GROẞ'],
    ['gross', 'GROẞ'],
    ['οδυσσευς', 'ΟΔΥΣΣΕΥΣ'],
    ['ᲥᲐᲠᲗᲣᲚᲘ', 'ქართული'],
    ['ﬁn ſ ϴ', 'ﬁn ſ ϴ'],
  ])('%s is found in %s', async (text, name) => {
    expect(await find(text)).toEqual([name]);
  });

  test.each(['%', '_', '\\', '[x]', '*.', '(y)?', '^$|', '{1}', '?'])(
    'nothing in %s has a special meaning',
    async (text) => {
      expect(await find(text)).toEqual(NAMES.filter((name) => name.includes(text)));
    },
  );

  test('accents count, and so does each word', async () => {
    expect(await find('Ozdemir')).toEqual([]);
    expect(await find('Ada Byron')).toEqual([]);
    expect(await find(' ')).toEqual(NAMES);
  });

  test('the beginning of a name finds it, and no other part of it does', async () => {
    expect(await find('öz', 'starts')).toEqual(['Özdemir']);
    expect(await find('demir', 'starts')).toEqual([]);
    expect(await find('ada_', 'starts')).toEqual(['Ada_Lovelace 100%']);
  });

  test('a name is found by its capitals and by its small letters', async () => {
    // Latin, Greek, Cyrillic, Armenian; each has another case, and comes back from it.
    const letters = fc
      .integer({ min: 0xc0, max: 0x587 })
      .map((point) => String.fromCodePoint(point))
      .filter(
        (letter) =>
          /\p{L}/u.test(letter) &&
          letter === letter.normalize('NFC') &&
          (letter === letter.toUpperCase().toLowerCase() ||
            letter === letter.toLowerCase().toUpperCase()),
      );
    await fc.assert(
      fc.asyncProperty(
        fc.array(letters, { minLength: 1, maxLength: 8 }).map((all) => all.join('')),
        async (name) => {
          await insert(name);
          for (const text of [name, name.toUpperCase(), name.toLowerCase()]) {
            expect(await find(text)).toContain(name);
          }
        },
      ),
      { numRuns: 100 },
    );
  });
});
