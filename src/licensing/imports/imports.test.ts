import { beforeAll, describe, expect, it } from 'vitest';
import { ENGINES } from '../../../test/support/engines.ts';
import { useTestApp } from '../../../test/support/test-app.ts';
import { basic, makeUser } from '../../../test/support/users.ts';
import { DAY_MS } from '../../platform/durations.ts';
import { createEndpoint, EVENT_TYPES } from '../../webhooks/index.ts';
import { listActivations } from '../activations/index.ts';
import {
  editLicence,
  findLicenceWithCustomer,
  listEvents,
  suspendLicence,
} from '../licences/index.ts';
import { createPlan, createProduct } from '../products/index.ts';
import { type ImportReport, type ImportRequest, importLicences } from './index.ts';

const BY = { actor: 'test', login: 'test' };

describe.each(ENGINES)('Importing licences on %s', (engine) => {
  const app = useTestApp(engine);
  const load = (content: string, more: Partial<ImportRequest> = {}): Promise<ImportReport> =>
    importLicences(app.platform, { format: 'csv', content, dryRun: false, ...more }, BY);
  const find = async (id: string | null | undefined) => {
    const found = await findLicenceWithCustomer(app.platform.datastore.db, id ?? '');
    if (!found) throw new Error(`no licence ${id}`);
    return found;
  };
  const count = async (table: 'licences' | 'customers' | 'licence_events' | 'outbox_mails') => {
    const { rows } = await app.platform.datastore.db
      .selectFrom(table as 'licences')
      .select(({ fn }) => fn.countAll<number>().as('rows'))
      .executeTakeFirstOrThrow();
    return Number(rows);
  };
  const countAll = async () => [
    await count('licences'),
    await count('customers'),
    await count('licence_events'),
  ];

  beforeAll(async () => {
    await createProduct(app.platform, { slug: 'forms', name: 'Forms' }, 'test');
    await createPlan(app.platform, 'forms', { tier: 'solo', sites_allowed: 2 }, 'test');
    await createPlan(app.platform, 'forms', { tier: 'team', sites_allowed: 5 }, 'test');
  });

  const head =
    'external_id,old_key,email,product,tier,status,sites_allowed,expires_at,issued_at,sites,notes\n';

  it('creates licences with their term, status, sites and notes, and sends no email', async () => {
    const mails = await count('outbox_mails');
    const report = await load(
      `${head}c-1,OLD-KEY-C1,Ada@Example.com,forms,solo,active,3,2031-05-06,2024-01-02,https://a.example.com shop.example.com/x,From the old shop\n` +
        'c-2,OLD-KEY-C2,bob@example.com,forms,team,disabled,unlimited,lifetime,,,\n' +
        'c-3,OLD-KEY-C3,cy@example.com,forms,team,expired,,2020-01-01,,,\n',
    );
    expect(report).toMatchObject({
      created: 3,
      updated: 0,
      unchanged: 0,
      conflicts: 0,
      invalid: 0,
    });
    expect(report.lines.map(({ line, action, email }) => [line, action, email])).toEqual([
      [2, 'created', 'ada@example.com'],
      [3, 'created', 'bob@example.com'],
      [4, 'created', 'cy@example.com'],
    ]);
    const [ada, bob, cy] = await Promise.all(report.lines.map(({ id }) => find(id)));
    expect(ada).toMatchObject({
      email: 'ada@example.com',
      tier: 'solo',
      sitesAllowed: 3,
      expiresAt: Date.parse('2031-05-06'),
      issuedAt: Date.parse('2024-01-02'),
      notes: 'From the old shop',
      suspendedAt: null,
    });
    expect(bob).toMatchObject({ sitesAllowed: 1_000_000, suspendedAt: app.clock.now() });
    expect(cy).toMatchObject({ sitesAllowed: 5, suspendedAt: null });
    const sites = await listActivations(app.platform.datastore.db, ada?.id ?? 0);
    expect(sites.map(({ siteUrl, deactivatedAt }) => [siteUrl, deactivatedAt])).toEqual([
      ['https://a.example.com', null],
      ['https://shop.example.com/x', null],
    ]);
    expect(await count('outbox_mails')).toBe(mails);
  });

  it('takes no date of issue in the future', async () => {
    const ahead = new Date(app.clock.now() + DAY_MS).toISOString();
    const report = await load(
      `${head}f-1,OLD-KEY-F1,f@example.com,forms,solo,active,3,lifetime,${ahead},,\n` +
        'f-2,OLD-KEY-F2,f@example.com,forms,solo,active,3,lifetime,lifetime,,\n',
    );
    expect(await find(report.lines[0]?.id)).toMatchObject({ issuedAt: app.clock.now() });
    expect(report.lines[1]).toMatchObject({
      action: 'invalid',
      reason: expect.stringMatching(
        /^issued_at must be a date or time, in UTC unless it has an offset.*Z\.$/,
      ),
    });
  });

  it('changes nothing the second time', async () => {
    const file = `${head}t-1,OLD-KEY-T1,twice@example.com,forms,solo,active,2,2031-05-06,,https://t.example.com,\n,OLD-KEY-T2,twice@example.com,forms,team,,,2031-05-06,,,\n`;
    const first = await load(file);
    expect(first).toMatchObject({ created: 2 });
    const before = await countAll();
    const second = await load(file);
    expect(second).toMatchObject({ created: 0, updated: 0, unchanged: 2, conflicts: 0 });
    expect(second.lines.map(({ id }) => id)).toEqual(first.lines.map(({ id }) => id));
    expect(await countAll()).toEqual(before);
    // The same licences as JSON.
    const json = [
      {
        external_id: 't-1',
        old_key: 'OLD-KEY-T1',
        email: 'twice@example.com',
        product: 'forms',
        tier: 'solo',
        status: 'active',
        sites_allowed: 2,
        expires_at: '2031-05-06',
        sites: ['https://t.example.com'],
      },
    ];
    expect(await load(JSON.stringify(json), { format: 'json' })).toMatchObject({ unchanged: 1 });
  });

  it('does not activate more sites than are allowed, and says so', async () => {
    const { lines } = await load(
      `${head}s-1,OLD-KEY-S1,full@example.com,forms,solo,active,1,lifetime,,https://a.example.com https://b.example.com nowhere..,\n`,
    );
    expect(lines).toMatchObject([
      {
        action: 'created',
        reason: '1 of 2 sites not activated: no free slot. Not the URL of a site: nowhere...',
      },
    ]);
    const { id } = await find(lines[0]?.id);
    expect(await listActivations(app.platform.datastore.db, id)).toHaveLength(1);
  });

  it.each([
    ['https://c.example.com,https://d.example.com'],
    ['c.example.com;d.example.com'],
    ['https://c.example.com, https://d.example.com,'],
    ['c.example.com/,;d.example.com'],
  ])('reads sites that are separated by commas or semicolons: %s', async (sites) => {
    const key = `OLD-KEY-SEPARATED-${sites.length}`;
    const { lines } = await load(
      `${head}${key},${key},separated@example.com,forms,solo,active,2,lifetime,,"${sites}",\n`,
    );
    expect(lines).toMatchObject([{ action: 'created', reason: null }]);
    const { id } = await find(lines[0]?.id);
    const activations = await listActivations(app.platform.datastore.db, id);
    expect(activations.map(({ siteKey }) => siteKey)).toEqual(['c.example.com', 'd.example.com']);
  });

  it('keeps commas and semicolons in the path of a site', async () => {
    const { lines } = await load(
      `${head}OLD-KEY-PATHS,OLD-KEY-PATHS,paths@example.com,forms,solo,active,2,lifetime,,"https://a.example/shop;v=1.0,https://b.example/x,y.z",\n`,
    );
    expect(lines).toMatchObject([{ action: 'created', reason: null }]);
    const { id } = await find(lines[0]?.id);
    const activations = await listActivations(app.platform.datastore.db, id);
    expect(activations.map(({ siteKey }) => siteKey)).toEqual([
      'a.example/shop;v=1.0',
      'b.example/x,y.z',
    ]);
  });

  it('says for each line what is wrong with it, and imports the others', async () => {
    const report = await load(
      `${head}i-1,OLD-KEY-I1,nobody,forms,solo,active,1,lifetime,,,\n` +
        'i-2,OLD-KEY-I2,i@example.com,forms,gold,active,1,lifetime,,,\n' +
        'i-3,OLD-KEY-I3,i@example.com,other,solo,active,1,lifetime,,,\n' +
        'i-4,short,i@example.com,forms,solo,active,1,lifetime,,,\n' +
        ',,i@example.com,forms,solo,active,1,lifetime,,,\n' +
        'i-6,OLD-KEY-I6,i@example.com,forms,solo,lost,1,lifetime,,,\n' +
        'i-7,OLD-KEY-I7,i@example.com,forms,solo,active,0,lifetime,,,\n' +
        'i-8,OLD-KEY-I8,i@example.com,forms,solo,active,1,31.12.2030,,,\n' +
        'i-9,OLD-KEY-I9,i@example.com,forms,solo,active,1,2031-02-30,,,\n' +
        'i-10,OLD-KEY-I10,i@example.com,forms,solo,active,1,lifetime,,,\n' +
        'i-10,OLD-KEY-I10,i@example.com,forms,solo,active,1,lifetime,,,\n' +
        'i-11,OLD-KEY-I10,i@example.com,forms,solo,active,1,lifetime,,,\n' +
        'i-12,1.23457E+19,i@example.com,forms,solo,active,1,lifetime,,,\n',
    );
    expect(report).toMatchObject({ created: 1, conflicts: 1, invalid: 11 });
    const reasons = report.lines.map(({ reason }) => reason);
    expect(reasons).toEqual([
      'email must be an email address.',
      'tier must be one of: solo, team.',
      expect.stringContaining('product must be one of: '),
      'old_key must have at least 8 characters.',
      expect.stringContaining('Give external_id or old_key.'),
      'status must be one of: active, inactive, expired, suspended, disabled, revoked.',
      'sites_allowed must be a number from 1 to 1000000, or unlimited.',
      expect.stringContaining('expires_at must be a date or time, in UTC unless it has an offset'),
      expect.stringContaining('expires_at must be a date or time, in UTC unless it has an offset'),
      null,
      'The same licence is on an earlier line.',
      'Another licence of the same product on an earlier line has this old key.',
      expect.stringContaining('old_key was rounded by a spreadsheet.'),
    ]);
  });

  it.each([
    ['csv', 'e-mail,key\na,b\n', 'The header may contain each of these columns once'],
    ['csv', '', 'The file has no licences.'],
    ['json', '\n', 'The file has no licences.'],
    ['csv', 'email\n', 'The file has no licences.'],
    ['csv', 'email\n"open', 'a quote is not closed'],
    ['json', '{', 'The file is not JSON.'],
    ['json', '[1]', 'The file must be a JSON list of objects.'],
    ['edd', 'email\na', 'not an export of EDD Software Licensing'],
    ['lemon-squeezy', 'email\na', 'attributes of'],
  ] as const)('rejects %s that is not what it should be: %j', async (format, content, reason) => {
    const said = format === 'lemon-squeezy' ? 'license key object are missing' : reason;
    await expect(load(content, { format })).rejects.toMatchObject({
      reason: expect.stringContaining(said),
    });
  });

  it('reports a dry run as the import would be, and changes nothing', async () => {
    const row = (id: string, key: string, email: string) =>
      `d-${id},OLD-KEY-${key},${email},forms,solo,active,1,lifetime,,https://d.example.com,\n`;
    // More than one transaction imports, with old keys of lines of the same and of another one.
    const ids = Array.from({ length: 60 }, (_, index) => `1${index}`);
    const file = [
      head,
      row('1', 'D1', 'dry@example.com'),
      row('2', 'D2', 'nobody'),
      row('3', 'D1', 'same@example.com'),
      ...ids.map((id) => row(id, `D${id}`, `dry${id}@example.com`)),
      row('4', 'D1', 'other@example.com'),
    ].join('');
    const before = await countAll();
    const dry = await load(file, { dryRun: true });
    expect(dry).toMatchObject({ dry_run: true, created: 61, invalid: 1, conflicts: 2 });
    expect(dry.lines[0]).toMatchObject({ action: 'created', id: null, licence_key: null });
    expect(await countAll()).toEqual(before);
    const real = await load(file);
    expect(real.lines.map(({ action, reason }) => [action, reason])).toEqual(
      dry.lines.map(({ action, reason }) => [action, reason]),
    );
  });

  it('follows changes of the source, but never overwrites what was changed here', async () => {
    const line = (tier: string, sites: string, expires: string, status = 'active') =>
      `${head}u-1,OLD-KEY-U1,u@example.com,forms,${tier},${status},${sites},${expires},,https://u.example.com,\n`;
    const { lines } = await load(line('solo', '2', '2030-01-01'));
    const id = lines[0]?.id ?? '';
    expect(await load(line('team', '4', '2031-01-01', 'disabled'))).toMatchObject({ updated: 1 });
    expect(await find(id)).toMatchObject({
      tier: 'team',
      sitesAllowed: 4,
      expiresAt: Date.parse('2031-01-01'),
      suspendedAt: app.clock.now(),
    });
    const { db } = app.platform.datastore;
    const [logged] = (await listEvents(db, (await find(id)).id)).filter(
      ({ details }) => details.before,
    );
    expect(logged?.details).toEqual({
      source: 'csv',
      tier: 'team',
      sites_allowed: 4,
      expires_at: '2031-01-01T00:00:00.000Z',
      status: 'suspended',
      before: {
        tier: 'solo',
        sites_allowed: 2,
        expires_at: '2030-01-01T00:00:00.000Z',
        status: 'active',
      },
    });
    expect(await load(line('team', '4', '2031-01-01'))).toMatchObject({ updated: 1 });
    expect(await find(id)).toMatchObject({ suspendedAt: null });

    await editLicence(app.platform, id, { edits: { sites_allowed: 9 } }, 'test');
    expect(await load(line('team', '4', '2031-01-01'))).toMatchObject({ unchanged: 1 });
    expect(await load(line('team', '4', '2032-01-01'))).toMatchObject({ updated: 1 });
    expect(await find(id)).toMatchObject({ sitesAllowed: 9, expiresAt: Date.parse('2032-01-01') });
    const conflict = await load(line('solo', '5', '2033-01-01'));
    expect(conflict.lines).toMatchObject([
      {
        action: 'conflict',
        id,
        reason: 'Changed here and in the source: sites_allowed. Edit the licence here.',
      },
    ]);
    expect(await find(id)).toMatchObject({
      tier: 'team',
      sitesAllowed: 9,
      expiresAt: Date.parse('2032-01-01'),
    });
    await suspendLicence(app.platform, id, 'test');
    expect(await load(line('team', '4', '2032-01-01'))).toMatchObject({ unchanged: 1 });
    expect((await find(id)).suspendedAt).not.toBeNull();
  });

  it('follows the sites of a new plan, unless the source names them or they were changed here', async () => {
    const line = (tier: string, sites = '', expires = '2031-01-01') =>
      `${head}plan-1,OLD-KEY-PLAN,plan@example.com,forms,${tier},,${sites},${expires},,,\n`;
    const { lines } = await load(line('solo'));
    const read = async () => {
      const { tier, sitesAllowed } = await find(lines[0]?.id);
      return [tier, sitesAllowed];
    };
    expect(await load(line('team'))).toMatchObject({ updated: 1 });
    expect(await read()).toEqual(['team', 5]);
    expect(await load(line('team'))).toMatchObject({ unchanged: 1 });
    await load(line('solo', '4'));
    expect(await read()).toEqual(['solo', 4]);
    const sites = { edits: { sites_allowed: 9 } };
    await editLicence(app.platform, lines[0]?.id ?? '', sites, 'test');
    expect(await load(line('team'))).toMatchObject({ updated: 1, conflicts: 0 });
    expect(await read()).toEqual(['team', 9]);
  });

  it('queues webhooks of activations and later changes, and none of licences that were issued elsewhere', async () => {
    const url = 'https://crm.example.com/hooks';
    const options = { allowsPrivate: false, actor: 'test' };
    await createEndpoint(app.platform, { url, event_types: EVENT_TYPES }, options);
    const email = 'hooks@example.com';
    const line = (tier: string, status: string) =>
      `${head}hook-1,OLD-KEY-HOOK1,${email},forms,${tier},${status},2,2031-05-06,,https://h.example.com,\n`;
    await load(line('solo', 'active'));
    await load(line('team', 'disabled'));
    const events = await app.platform.datastore.db
      .selectFrom('webhook_events')
      .select('type')
      .where('email', '=', email)
      .execute();
    expect(events.map(({ type }) => type).toSorted()).toEqual([
      'activation.created',
      'licence.suspended',
      'licence.updated',
    ]);
  });

  it('reports another customer, product or old key in the source as a conflict', async () => {
    const row = (more: Record<string, string>) =>
      JSON.stringify([
        {
          external_id: 'x-1',
          old_key: 'OLD-KEY-X1',
          email: 'x@example.com',
          product: 'forms',
          tier: 'solo',
          expires_at: 'lifetime',
          ...more,
        },
      ]);
    await load(row({}), { format: 'json' });
    const reasons = [];
    for (const change of [
      { email: 'y@example.com' },
      { product: 'pavis', tier: 'pro' },
      { old_key: 'OLD-KEY-X2' },
    ])
      reasons.push((await load(row(change), { format: 'json' })).lines[0]?.reason);
    expect(reasons).toEqual([
      'The customer changed in the source. Transfer the licence here.',
      'product changed in the source and cannot change here.',
      'The licence was imported with another old key.',
    ]);
  });

  it('shows the key of a licence that had none before, or emails it', async () => {
    const row = (id: string) =>
      `external_id,email,product,tier,expires_at\n${id},n-${id}@example.com,forms,solo,lifetime\n`;
    const shown = (await load(row('1'))).lines[0]?.licence_key ?? '';
    const answer = await app.http.site('validate', shown, 'https://n.example.com');
    expect(answer.json).toMatchObject({ valid: true, product: 'forms' });
    expect((await load(row('1'))).lines[0]).toMatchObject({ licence_key: null });
    const mails = await count('outbox_mails');
    const { lines } = await load(row('2'), { notify: true });
    expect(lines[0]).toMatchObject({ action: 'created', licence_key: null });
    expect(await count('outbox_mails')).toBe(mails + 1);
    const ended = row('3').replace('lifetime', '2020-01-01');
    expect((await load(ended, { notify: true })).lines[0]?.licence_key).toMatch(/^pv_live_/);
    expect(await count('outbox_mails')).toBe(mails + 1);
  });

  it('is in the security log, and in the history of each licence', async () => {
    const { lines } = await load(`${head}l-1,OLD-KEY-L1,l@example.com,forms,solo,,,lifetime,,,\n`);
    await load(`${head}l-1,OLD-KEY-L1,l@example.com,forms,solo,,,lifetime,,,\n`);
    const { db } = app.platform.datastore;
    const events = await db
      .selectFrom('security_events')
      .select(['actor', 'details'])
      .where('event', '=', 'licences_imported')
      .orderBy('id', 'desc')
      .execute();
    expect(JSON.parse(events[0]?.details ?? '')).toEqual({
      source: 'csv',
      from_line: 2,
      to_line: 2,
      created: 1,
      updated: 0,
    });
    const { id } = await find(lines[0]?.id);
    const history = await db
      .selectFrom('licence_events')
      .select(['action', 'actor', 'details'])
      .where('licence_id', '=', id)
      .execute();
    expect(history).toMatchObject([{ action: 'imported', actor: 'test' }]);
    expect(JSON.parse(history[0]?.details ?? '')).toMatchObject({
      source: 'csv',
      external_id: 'l-1',
      tier: 'solo',
    });
  });

  it('reads the export of EDD Software Licensing', async () => {
    const columns =
      'License ID,License Key,License Status,Customer ID,Customer Email,Customer Name,User ID,Product Name,Price ID,Purchase Date,Expiration Date,Activation Limit,Activation Count,Activated URLs\n';
    const { lines } = await load(
      `${columns}501,2f1a9c0e7d5b4a3f8e6d1c2b3a495867,active,9,edd@example.com,Edd Example,4,Forms Pro,2,2024-03-04 05:06:07,1893456000,5,2,"edd.example.com, www.shop.example.com/de/"\n` +
        '502,3f1a9c0e7d5b4a3f8e6d1c2b3a495868,inactive,9,edd@example.com,Edd Example,4,Forms Pro,1,2024-03-04 05:06:07,0,0,0,\n' +
        '503,4f1a9c0e7d5b4a3f8e6d1c2b3a495869,active,9,edd@example.com,Edd Example,4,Something else,,2024-03-04 05:06:07,,1,0,\n',
      {
        format: 'edd',
        plans: {
          'Forms Pro:2': { product: 'forms', tier: 'team' },
          'Forms Pro': { product: 'forms', tier: 'solo' },
        },
      },
    );
    expect(lines.map(({ action, reason }) => [action, reason])).toEqual([
      ['created', null],
      ['created', null],
      ['invalid', 'No plan is mapped to Something else, and no default tier is given.'],
    ]);
    const first = await find(lines[0]?.id);
    expect(first).toMatchObject({
      tier: 'team',
      sitesAllowed: 5,
      expiresAt: Date.parse('2030-01-01'),
      issuedAt: Date.parse('2024-03-04T05:06:07Z'),
    });
    const sites = await listActivations(app.platform.datastore.db, first.id);
    expect(sites.map(({ siteKey }) => siteKey)).toEqual(['edd.example.com', 'shop.example.com/de']);
    expect(await find(lines[1]?.id)).toMatchObject({
      tier: 'solo',
      sitesAllowed: 1_000_000,
      expiresAt: Date.parse('9999-12-31T23:59:59.000Z'),
    });
  });

  it('reads license keys of the Lemon Squeezy API, in one page or several, and as CSV', async () => {
    const item = (id: string, attributes: object) => ({
      type: 'license-keys',
      id,
      attributes: {
        product_id: 7,
        user_email: `ls-${id}@example.com`,
        key: `80e15db5-c796-436b-850c-8f9c98a4800${id}`,
        activation_limit: 5,
        disabled: 0,
        status: 'inactive',
        expires_at: null,
        created_at: '2024-05-24T14:15:07.000000Z',
        ...attributes,
      },
    });
    const pages = [
      { data: [item('1', {})] },
      { data: [item('2', { activation_limit: null, expires_at: '2030-05-24T14:15:07.000000Z' })] },
      { data: [item('3', { disabled: true, status: 'disabled' })] },
    ];
    const plans = { 7: { product: 'forms', tier: 'team' } };
    const { lines } = await load(JSON.stringify(pages), { format: 'lemon-squeezy', plans });
    expect(lines).toMatchObject([
      { action: 'created' },
      { action: 'created' },
      { action: 'created' },
    ]);
    expect(await Promise.all(lines.map(({ id }) => find(id)))).toMatchObject([
      { tier: 'team', sitesAllowed: 5, issuedAt: Date.parse('2024-05-24T14:15:07Z') },
      { sitesAllowed: 1_000_000, expiresAt: Date.parse('2030-05-24T14:15:07Z') },
      { suspendedAt: app.clock.now() },
    ]);
    const csv =
      'id,key,user_email,status,activation_limit,expires_at,created_at,product_id\n1,80e15db5-c796-436b-850c-8f9c98a48001,ls-1@example.com,inactive,5,,2024-05-24T14:15:07.000000Z,7\n';
    expect(await load(csv, { format: 'lemon-squeezy', plans })).toMatchObject({ unchanged: 1 });
  });

  it.each([
    ['json', 'email'],
    ['lemon-squeezy', 'user_email'],
  ] as const)(
    'says which values of %s are not text, and imports the others',
    async (format, name) => {
      const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
      const values = ['{"toString":1}', '{"a":{"b":1}}', '[["a"]]', '[{}]', deep];
      const entry = (value: string) => `{"id":"1","attributes":{"${name}":${value}}}`;
      const own = (value: string) => `{"${name}":${value}}`;
      const items = values.map(format === 'json' ? own : entry);
      const { lines } = await load(`[${items.join(',')},{"status":null}]`, { format });
      expect(lines.map(({ action, email, reason }) => [action, email, reason])).toEqual([
        ...values.map(() => [
          'invalid',
          '',
          `${name} must be text, a number, true, false, null or a list of these.`,
        ]),
        ['invalid', '', 'email must be an email address.'],
      ]);
    },
  );

  it('reads members that it does not need of Lemon Squeezy, whatever they are', async () => {
    const attributes = {
      ...{ product_id: 7, user_email: 'ls-own@example.com', key: 'KEY-OF-LS-OWN', links: {} },
      ...{ activation_limit: 1, disabled: false, status: 'active', expires_at: null },
    };
    const plans = { 7: { product: 'forms', tier: 'team' } };
    for (const item of [
      { id: 'own-1', attributes },
      { id: 'own-2', ...attributes, key: 'KEY-OF-LS-2' },
    ])
      expect(await load(JSON.stringify([item]), { format: 'lemon-squeezy', plans })).toMatchObject({
        created: 1,
      });
  });

  it('creates each licence once if the same file is imported twice at the same time', async () => {
    const rows = Array.from(
      { length: 120 },
      (_, at) => `p-${at},OLD-KEY-P${at},p${at}@example.com,forms,solo,,,lifetime,,,`,
    );
    const file = `${head}${rows.join('\n')}\n`;
    const before = await count('licences');
    const reports = await Promise.all([load(file), load(file)]);
    expect(reports.reduce((sum, { created }) => sum + created, 0)).toBe(120);
    expect(reports.reduce((sum, { unchanged }) => sum + unchanged, 0)).toBe(120);
    expect(await count('licences')).toBe(before + 120);
  });

  it('does not create a licence again whose customer was deleted', async () => {
    const file = `${head}g-1,OLD-KEY-G1,gone@example.com,forms,solo,active,1,2020-01-01,,,\n`;
    const [line] = (await load(file)).lines;
    const { login, applicationPassword } = await makeUser(app.platform);
    const headers = basic(login, applicationPassword);
    const customer = `/console/licences/${line?.id}/customer`;
    const deleted = await app.http.request('DELETE', customer, { headers });
    expect(deleted.status).toBe(200);
    const before = await countAll();
    expect((await load(file)).lines).toMatchObject([
      { action: 'conflict', reason: 'The customer of this licence was deleted here.' },
    ]);
    expect(await countAll()).toEqual(before);
  });

  it('is available to administrators over HTTP, in parts', async () => {
    const { login, applicationPassword } = await makeUser(app.platform);
    const headers = basic(login, applicationPassword);
    const body = {
      format: 'csv',
      content: `${head}h-1,OLD-KEY-H1,h@example.com,forms,solo,,,lifetime,,,\n`,
      dry_run: true,
    };
    const send = (more: object, as: object = { headers }) =>
      app.http.request('POST', '/console/licences/import', { ...as, body: { ...body, ...more } });
    expect((await send({})).json).toMatchObject({ dry_run: true, created: 1 });
    const until = new Date(app.clock.now() + DAY_MS).toISOString();
    const { status, json } = await send({ dry_run: false, exchange_until: until });
    expect([status, json.created]).toEqual([200, 1]);
    expect((await send({ exchange_until: 'soon' })).status).toBe(400);
    expect((await send({ format: 'xml' })).status).toBe(400);
    expect((await send({ content: '' })).status).toBe(400);
    expect((await send({}, {})).status).toBe(401);
  });
});
