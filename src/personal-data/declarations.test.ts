import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { ENGINES } from '../../test/support/engines.ts';
import { makeLicence } from '../../test/support/makers.ts';
import { useTestApp } from '../../test/support/test-app.ts';
import { PERSONAL_DATA } from '../modules/personal-data.ts';
import {
  erasePerson,
  insertLegalHold,
  listPersonRecords,
  type PersonalDataDeclaration,
} from './index.ts';

const SITE = 'https://site.example.org/shop';

/** Tables without personal data, and why. A new table is either listed here or declared. */
const NOT_ABOUT_PEOPLE: Record<string, string> = {
  installation: 'facts about the installation',
  settings: 'what the owner of the site has set',
  consent_configs: 'what visitors are asked',
  banner_pictures: 'pictures of what visitors are asked',
  banner_picture_files: 'pictures of what visitors are asked',
  consent_daily: 'counts',
  consent_category_daily: 'counts',
  consent_repeats: 'hashes, for seconds',
  consent_subject_tokens: 'hashes, for minutes',
  consent_log_records: 'facts about banner versions, scans, retention and erasures',
  consent_log_witnesses: 'what witnesses have cosigned',
  consent_log_verifications: 'results of verifications, with ids of records',
  consent_log_head: 'the signed state of the consent log',
  vendors: 'companies',
  scripts: 'what the site loads',
  data_map_entries: 'what is processed, by whom and why',
  site_licence: 'the licence of the site itself',
  site_farewells: 'licences that the site has given up',
  products: 'what is licensed',
  plans: 'what is licensed',
  branding: 'how the seller of the licences appears',
  releases: 'what is licensed',
  release_files: 'what is licensed',
  release_file_parts: 'what is licensed',
  release_keys: 'public keys of vendors',
  signing_keys: 'keys of the server',
  validation_counts: 'counts',
  api_tokens: 'programs that issue licences, and which user made their tokens',
  licence_keys: 'hashes and masks of secrets',
  recovery_codes: 'hashes of codes, deleted with the second factor of the user',
  used_challenges: 'hashes of random challenges, for minutes',
  ended_tokens: 'random ids of tokens, for an hour',
  record_holds:
    'why records must be kept, and which user says so until the entry of the lifting is anonymised',
  retention_policies: 'how long records are kept',
  retention_runs:
    'what policies did, and which user ran them until a policy of the change history removes it',
  retention_run_details: 'what policies did',
  erasures: 'ids of erasures, without whose they were',
  jobs: 'what is due when',
  webhook_endpoints: 'programs that receive events',
  trials: 'hashes of addresses and sites that lead to nobody, for three years',
  webhook_once_keys: 'ids of licences',
  cookie_classifications: 'what the cookies of the site are for',
  refused_origins: 'origins of sites, no more than a hundred',
  pavis_migrations: 'the state of the schema',
  pavis_migrations_checksums: 'the state of the schema',
  pavis_migrations_lock: 'the state of the schema',
};

/** Column names that indicate personal data, regardless of the type. */
const ABOUT_A_PERSON =
  /^(?:visitor_id|e?mail|.*_email|(?:first|last|full)_name|ip|.*_ip|ip_address|user_agent|page_url|site_url|additional_info|phone|birthday|recipient)$/;

describe.each(ENGINES)('the personal data declarations on %s', (engine) => {
  const app = useTestApp(engine);
  const typeOf = (category: string): PersonalDataDeclaration => {
    const type = PERSONAL_DATA.find((each) => each.category === category);
    if (!type) throw new Error(`no record type ${category}`);
    return type;
  };

  it('classify every text column of the schema', async () => {
    const declared = new Map<string, Set<string>>();
    for (const type of PERSONAL_DATA) {
      for (const { table, personal, impersonal } of [type, ...(type.parts ?? [])]) {
        const known = declared.get(table) ?? new Set();
        declared.set(table, known);
        for (const column of [...Object.keys(personal), ...impersonal]) known.add(column);
      }
    }
    const tables = await app.platform.datastore.db.introspection.getTables({
      withInternalKyselyTables: true,
    });
    expect(tables.length).toBeGreaterThan(10);
    // Indexes are erased with their rows.
    const own = tables.filter(({ name }) => !name.startsWith('index_'));
    const unnamed = own.flatMap(({ name, columns }) =>
      columns
        .filter(({ name: column, dataType }) => {
          const isText = dataType.toLowerCase() === 'text';
          const known = declared.get(name);
          if (known) return (isText || ABOUT_A_PERSON.test(column)) && !known.has(column);
          return ABOUT_A_PERSON.test(column) || (isText && !(name in NOT_ABOUT_PEOPLE));
        })
        .map((column) => `${name}.${column.name}`),
    );
    expect(unnamed).toEqual([]);
  });

  it('name existing tables and columns', async () => {
    const tables = await app.platform.datastore.db.introspection.getTables();
    const columns = new Set(
      tables.flatMap((table) => table.columns.map(({ name }) => `${table.name}.${name}`)),
    );
    const named = PERSONAL_DATA.flatMap((type) => [
      `${type.table}.id`,
      ...(type.due === undefined
        ? []
        : [`${type.table}.${type.due}`, `${type.table}.anonymised_at`]),
      ...[type, ...(type.parts ?? [])].flatMap(({ table, personal, impersonal }) =>
        [...Object.keys(personal), ...impersonal].map((column) => `${table}.${column}`),
      ),
      ...(type.parts ?? []).map(({ table, parent }) => `${table}.${[parent].flat()[0]}`),
      ...Object.values(type.named ?? {}).flatMap(([column, target]) => [
        `${type.table}.${column}`,
        target,
      ]),
      ...[...(type.shown ?? []), ...(type.json ?? []), ...(type.flags ?? []), ...(type.given ?? [])]
        .filter((column) => !(column in (type.named ?? {})))
        .map((column) => `${type.table}.${column}`),
    ]);
    expect(named.filter((name) => !columns.has(name))).toEqual([]);
    const categories = PERSONAL_DATA.map(({ category }) => category);
    expect(new Set(categories).size).toBe(categories.length);
  });

  it('find the records of a person by each identity', async () => {
    const { http, platform } = app;
    const { key, email } = await makeLicence(platform);
    await makeLicence(platform);
    await http.site('activate', key, SITE);
    const { db } = platform.datastore;
    const page = { after: 0, limit: 10 };
    const rows = await listPersonRecords(db, typeOf('activation_history'), 'email', email, page);
    expect(rows).toEqual([expect.objectContaining({ site_url: SITE })]);
    const customers = await listPersonRecords(db, typeOf('customers'), 'email', email, page);
    expect(customers).toEqual([expect.objectContaining({ email })]);
    expect(await listPersonRecords(db, typeOf('customers'), 'visitor_id', email, page)).toEqual([]);
    const first = customers[0]?.id as number;
    const next = { after: first, limit: 10 };
    expect(await listPersonRecords(db, typeOf('customers'), 'email', email, next)).toEqual([]);
  });

  it('erase a person, except records in use or under a legal hold', async () => {
    const { http, platform, clock } = app;
    const { datastore } = platform;
    const { key, email } = await makeLicence(platform, { sitesAllowed: 10 });
    const other = await makeLicence(platform);
    for (const each of [key, other.key]) {
      await http.site('activate', each, SITE);
      await http.site('deactivate', each, SITE);
    }
    await http.site('activate', key, `${SITE}/held`);
    await http.site('deactivate', key, `${SITE}/held`);
    await http.site('activate', key, `${SITE}/in-use`);
    const type = typeOf('activation_history');
    const page = { after: 0, limit: 10 };
    const [, held] = await listPersonRecords(datastore.db, type, 'email', email, page);
    const hold = { dataCategory: type.category, recordId: held?.id as number, reason: 'a dispute' };
    await datastore.transaction((trx) =>
      insertLegalHold(trx, { ...hold, placedBy: 'test', createdAt: clock.now() }),
    );

    const erase = () =>
      datastore.transaction((trx) =>
        erasePerson(trx, type, 'email', email, { at: clock.now(), day: '2026-11-21' }),
      );
    const kept = [
      { ground: 'contract', count: 1, lastDue: null },
      { ground: 'legal_hold', count: 1, lastDue: clock.now() },
    ];
    expect(await erase()).toEqual({ erased: 0, anonymised: 1, kept });
    expect(await erase()).toEqual({ erased: 0, anonymised: 0, kept });
    const left = await listPersonRecords(datastore.db, type, 'email', email, page);
    expect(left.map(({ site_url }) => site_url)).toEqual([`${SITE}/held`, `${SITE}/in-use`]);
    const others = await listPersonRecords(datastore.db, type, 'email', other.email, page);
    expect(others.map(({ site_url }) => site_url)).toEqual([SITE]);
  });

  it('include the parts of a record, and no others', async () => {
    const { datastore } = app.platform;
    await sql`create table letters (id integer primary key, sender text, subject text, sent_at integer, anonymised_at integer)`.execute(
      datastore.db,
    );
    await sql`create table letter_lines (id integer primary key, letter_id integer references letters (id), line text)`.execute(
      datastore.db,
    );
    await sql`insert into letters values (1, 'a@example.com', 'one', 5, null), (2, 'b@example.com', 'two', 5, null)`.execute(
      datastore.db,
    );
    await sql`insert into letter_lines values (1, 1, 'mine'), (2, 1, 'mine too'), (3, 2, 'theirs')`.execute(
      datastore.db,
    );
    const letters: PersonalDataDeclaration = {
      category: 'letters',
      label: 'Letters',
      table: 'letters',
      due: 'sent_at',
      personal: { sender: 'random', sent_at: 'day_end' },
      impersonal: ['subject'],
      person: { email: ['sender'] },
      parts: [
        { table: 'letter_lines', parent: 'letter_id', personal: { line: 'null' }, impersonal: [] },
      ],
    };
    const outcome = await datastore.transaction((trx) =>
      erasePerson(trx, letters, 'email', 'a@example.com', { at: 7, day: '1970-01-01' }),
    );
    expect(outcome).toEqual({ erased: 0, anonymised: 1, kept: [] });
    const { rows } = await sql`
      select letters.id, sender, subject, sent_at, anonymised_at, line from letters
      join letter_lines on letter_lines.letter_id = letters.id order by letter_lines.id`.execute(
      datastore.db,
    );
    const gone = {
      id: 1,
      sender: expect.stringMatching(/^anonymised-[0-9a-f]{32}$/),
      subject: 'one',
      sent_at: 86_399_999,
      anonymised_at: 7,
      line: null,
    };
    const kept = { sender: 'b@example.com', subject: 'two', sent_at: 5, anonymised_at: null };
    expect(rows).toEqual([gone, gone, { id: 2, ...kept, line: 'theirs' }]);
  });
});
