import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ENGINES } from '../../../test/support/engines.ts';
import { basicAuth } from '../../../test/support/makers.ts';
import { useTestApp } from '../../../test/support/test-app.ts';
import { listProcessing, seedOwnProcessing } from './index.ts';

const ROOT = '/wp-json/svc/v1';

describe.each(ENGINES)('/data-map on %s', (engine) => {
  const app = useTestApp(engine, { PAVIS_SITE_TIMEZONE: 'Europe/Berlin' });
  let made = 0;

  async function setUp() {
    const headers = await basicAuth(app.platform);
    const ask = (method: string, path: string, body?: unknown) =>
      app.http.request(method, ROOT + path, { headers, ...(body === undefined ? {} : { body }) });
    const createVendor = async (name = `Processor ${++made}`) =>
      (await ask('POST', '/vendors', { name, slug: `processor-${++made}` })).json;
    const create = async (more: object = {}) => {
      const vendor = await createVendor();
      const entry = { vendor_id: vendor.id, purpose: 'Counts visits', legal_basis: 'consent' };
      return (await ask('POST', '/data-map', { ...entry, ...more })).json;
    };
    return { ask, create, createVendor };
  }

  it('creates an entry and returns 201 with its Location', async () => {
    const { ask, createVendor } = await setUp();
    const vendor = await createVendor();
    const { status, headers, json } = await ask('POST', '/data-map', {
      vendor_id: vendor.id,
      purpose: 'Counts visits',
      legal_basis: 'Legitimate interest',
      data_categories: ['ip_address', 'usage_data'],
      retention_period: '14 months',
      data_subjects: 'Visitors',
      data_source: 'From our partner A',
      review_date: '2027-02-28',
    });
    expect(status).toBe(201);
    expect(json).toEqual({
      id: expect.any(Number),
      vendor_id: vendor.id,
      vendor_name: vendor.name,
      vendor_slug: vendor.slug,
      purpose: 'Counts visits',
      legal_basis: 'legitimate_interests',
      data_categories: ['ip_address', 'usage_data'],
      retention_period: '14 months',
      status: 'active',
      data_subjects: 'Visitors',
      recipients: null,
      third_countries: null,
      safeguards: null,
      security_measures: null,
      controller: null,
      data_source: 'From our partner A',
      automated_decisions: null,
      review_date: '2027-02-28',
      missing: ['third_countries', 'security_measures'],
      created_at: '2026-11-21T09:30:00.000Z',
      updated_at: '2026-11-21T09:30:00.000Z',
    });
    expect(headers.get('location')).toBe(`${app.url}${ROOT}/data-map/${json.id}`);
    expect((await ask('GET', `/data-map/${json.id}`)).json).toEqual(json);
  });

  it('parses the retention period on creation and whenever it changes', async () => {
    const { ask, create } = await setUp();
    const { id } = await create({ retention_period: '2 years' });
    const days = async () => {
      const row = app.platform.datastore.db.selectFrom('data_map_entries').where('id', '=', id);
      return (await row.select('retention_days').executeTakeFirstOrThrow()).retention_days;
    };
    expect(await days()).toBe(730);
    await ask('PUT', `/data-map/${id}`, { purpose: 'Another' });
    expect(await days()).toBe(730);
    await ask('PUT', `/data-map/${id}`, { retention_period: 'until withdrawn' });
    expect(await days()).toBeNull();
  });

  it('returns 400 for an unknown vendor, an unknown legal basis and missing fields', async () => {
    const { ask, create, createVendor } = await setUp();
    const vendor = await createVendor();
    const entry = { vendor_id: vendor.id, purpose: 'P', legal_basis: 'consent' };
    const { id } = await create();
    const REFUSED: [object, string][] = [
      [{ vendor_id: 999_999_999 }, 'vendor_id'],
      [{ legal_basis: 'because' }, 'legal_basis'],
      [{ status: 'deleted' }, 'status'],
      [{ data_categories: { no: 'list' } }, 'data_categories'],
      [{ review_date: '2027-02-30' }, 'review_date'],
      [{ purpose: ' \n ' }, 'purpose'],
    ];
    for (const [more, name] of REFUSED) {
      const answers = [
        await ask('POST', '/data-map', { ...entry, ...more }),
        await ask('PUT', `/data-map/${id}`, more),
      ];
      for (const { status, json } of answers) {
        expect([status, json.code, Object.keys(json.data.params)]).toEqual([
          400,
          'rest_invalid_param',
          [name],
        ]);
      }
    }
    const { json } = await ask('POST', '/data-map', {});
    expect([json.code, json.data.params]).toEqual([
      'rest_missing_callback_param',
      ['vendor_id', 'purpose', 'legal_basis'],
    ]);
  });

  it('updates given fields and clears null ones with PUT, PATCH and POST', async () => {
    const { ask, create, createVendor } = await setUp();
    const entry = await create({
      data_categories: ['ip_address'],
      retention_period: '1 year',
      controller: 'Ada Ltd',
    });
    app.clock.advance(1_000);
    const updated_at = new Date(app.clock.now()).toISOString();
    for (const method of ['PUT', 'PATCH', 'POST']) {
      const { status, json } = await ask(method, `/data-map/${entry.id}`, { purpose: method });
      expect([status, json]).toEqual([200, { ...entry, purpose: method, updated_at }]);
    }
    const vendor = await createVendor();
    const { json } = await ask('PUT', `/data-map/${entry.id}`, {
      vendor_id: vendor.id,
      legal_basis: 'Art. 6(1)(b)',
      data_categories: null,
      retention_period: null,
      controller: null,
      status: 'archived',
    });
    expect(json).toEqual({
      ...entry,
      vendor_id: vendor.id,
      vendor_name: vendor.name,
      vendor_slug: vendor.slug,
      purpose: 'POST',
      legal_basis: 'contract',
      data_categories: [],
      retention_period: '',
      controller: null,
      status: 'archived',
      missing: [
        'data_subjects',
        'data_categories',
        'third_countries',
        'retention_period',
        'security_measures',
      ],
      updated_at,
    });
    const { missing } = (
      await ask('PUT', `/data-map/${entry.id}`, { third_countries: 'United States' })
    ).json;
    expect(missing).toContain('safeguards');
    expect((await ask('PUT', '/data-map/999999', { purpose: 'P' })).json.code).toBe('not_found');
  });

  it('deletes an entry, returns it, and returns 404 afterwards', async () => {
    const { ask, create } = await setUp();
    const entry = await create();
    const first = await ask('DELETE', `/data-map/${entry.id}`);
    expect([first.status, first.json]).toEqual([200, { deleted: true, previous: entry }]);
    for (const method of ['DELETE', 'GET']) {
      const again = await ask(method, `/data-map/${entry.id}`);
      expect([again.status, again.json.code]).toEqual([404, 'not_found']);
    }
  });

  it('lists entries newest first, filtered, searched without wildcards and paginated', async () => {
    const { ask, create, createVendor } = await setUp();
    const mark = `Mark${++made}`;
    const vendor = await createVendor(`${mark} Inc`);
    const first = await create({ purpose: `${mark} a_100%`, status: 'archived' });
    const second = await create({ purpose: `${mark} b`, legal_basis: 'contract' });
    const third = await create({ vendor_id: vendor.id });
    const list = (query: string) => ask('GET', `/data-map?${query}`);
    const ids = async (search: string, more = '') =>
      (await list(`search=${encodeURIComponent(search)}${more}`)).json.map(
        ({ id }: { id: number }) => id,
      );
    expect(await ids(mark.toLowerCase())).toEqual([third.id, second.id, first.id]);
    expect(await ids(vendor.slug)).toEqual([third.id]);
    expect(await ids(`${mark} a_1`)).toEqual([first.id]);
    expect(await ids(`${mark}_a`)).toEqual([]);
    expect(await ids('100%')).toEqual([first.id]);
    expect(await ids(mark, '&status=archived')).toEqual([first.id]);
    expect(await ids(mark, '&status=active')).toEqual([third.id, second.id]);
    expect(await ids(mark, '&legal_basis=Art.+6(1)(b)')).toEqual([second.id]);
    expect(await ids(mark, '&per_page=2&page=2')).toEqual([first.id]);
    const { headers } = await list(`search=${mark}&per_page=2`);
    expect([headers.get('x-wp-total'), headers.get('x-wp-totalpages')]).toEqual(['3', '2']);
    for (const query of ['status=gone', 'legal_basis=because', 'legal_basis=', 'per_page=101']) {
      expect((await list(query)).json.code, query).toBe('rest_invalid_param');
    }
  });

  it('returns 403 for the deletion of a vendor that has entries', async () => {
    const { ask, create } = await setUp();
    const entry = await create();
    const second = await create({ vendor_id: entry.vendor_id, status: 'archived' });
    const remove = () => ask('DELETE', `/vendors/${entry.vendor_id}`);
    const { status, json } = await remove();
    expect([status, json.code]).toEqual([403, 'delete_failed']);
    expect(json.message).toContain('2 entries of the data map');
    await ask('DELETE', `/data-map/${entry.id}`);
    expect((await remove()).json.message).toContain('1 entry of the data map');
    await ask('DELETE', `/data-map/${second.id}`);
    expect((await remove()).status).toBe(200);
  });

  it('never returns 500 if a vendor is deleted while entries are added', async () => {
    const { ask, createVendor } = await setUp();
    for (let round = 0; round < 5; round++) {
      const { id } = await createVendor();
      const entry = { vendor_id: id, purpose: 'P', legal_basis: 'consent' };
      const [removal, ...added] = await Promise.all([
        ask('DELETE', `/vendors/${id}`),
        ask('POST', '/data-map', entry),
        ask('POST', '/data-map', entry),
      ]);
      const removed = removal.status === 200;
      expect(removal.status).toBe(removed ? 200 : 403);
      const statuses = added.map(({ status }) => status);
      if (removed) expect(statuses).toEqual([400, 400]);
      else expect(statuses).toContain(201);
    }
  });

  it('seeds the processing by Pavis once, under a built-in vendor', async () => {
    const { ask } = await setUp();
    const own = async () => (await ask('GET', '/data-map?search=pavis-self')).json;
    const [security, mail, logs, users, customers, requests, consents] = await own();
    expect(customers).toMatchObject({ legal_basis: 'contract', vendor_name: 'Pavis (this site)' });
    expect(requests).toMatchObject({ legal_basis: 'legal_obligation', status: 'active' });
    expect(consents).toMatchObject({
      data_categories: expect.arrayContaining(['consent_choices']),
    });
    const vendor = await ask('GET', `/vendors/${customers.vendor_id}`);
    expect(vendor.json).toMatchObject({ slug: 'pavis-self', is_builtin: true });
    await ask('DELETE', `/data-map/${customers.id}`);
    await seedOwnProcessing(app.platform);
    expect(await own()).toEqual([security, mail, logs, users, requests, consents]);
  });

  it('states recipients of all processing by Pavis', async () => {
    const { ask } = await setUp();
    const { json } = await ask('GET', '/data-map?search=pavis-self');
    for (const { purpose, recipients } of json) expect(recipients, purpose).toMatch(/\w{4}/);
  });

  it('seeds entries for console users, logs and mail with the fields of Art. 30', async () => {
    const { ask } = await setUp();
    const { json } = await ask('GET', '/data-map?search=pavis-self');
    for (const subject of ['Console users: ', 'Logs: ', 'Mail: ', 'Security log: ']) {
      const entry = json.find(({ purpose }: { purpose: string }) => purpose.startsWith(subject));
      expect(entry, subject).toMatchObject({
        legal_basis: 'legitimate_interests',
        data_categories: expect.arrayContaining([expect.any(String)]),
        retention_period: expect.stringMatching(/\w{4}/),
        data_subjects: expect.stringMatching(/\w{4}/),
        recipients: expect.stringMatching(/\w{4}/),
        security_measures: expect.stringMatching(/\w{4}/),
      });
      // As long as the API accepts.
      expect(entry.retention_period.length, subject).toBeLessThanOrEqual(200);
    }
    const mail = json.find(({ purpose }: { purpose: string }) => purpose.startsWith('Mail: '));
    expect(mail.retention_period).toContain('without a mail server, in a file');
  });

  it('adds the entries of later releases only on request and once', async () => {
    const { ask } = await setUp();
    const { db } = app.platform.datastore;
    const missing = async () => (await ask('GET', '/data-map/own-processing')).json;
    expect(await missing()).toEqual({ missing: 0 });
    // The state of an installation of the first release.
    await db
      .deleteFrom('installation')
      .where('name', '=', 'data_map_own_processing_2')
      .executeTakeFirstOrThrow();
    const before = (await ask('GET', '/data-map/export?format=json')).json;
    await seedOwnProcessing(app.platform);
    expect((await ask('GET', '/data-map/export?format=json')).json).toEqual(before);
    expect(await missing()).toEqual({ missing: 3 });
    const { status, json } = await ask('POST', '/data-map/own-processing');
    expect(status).toBe(200);
    expect(json.added.map(({ purpose }: { purpose: string }) => purpose.split(':')[0])).toEqual([
      'Console users',
      'Logs',
      'Mail',
    ]);
    expect((await ask('POST', '/data-map/own-processing')).json).toEqual({ added: [] });
    expect(await missing()).toEqual({ missing: 0 });
  });

  it('accepts synonyms of a legal basis and lists the six values in the error', async () => {
    const { ask, create } = await setUp();
    const mark = `basis${++made}`;
    const entry = await create({ purpose: mark, legal_basis: 'contractual' });
    expect(entry.legal_basis).toBe('contract');
    const changed = await ask('PUT', `/data-map/${entry.id}`, { legal_basis: 'legal_obligations' });
    expect(changed.json.legal_basis).toBe('legal_obligation');
    await ask('PUT', `/data-map/${entry.id}`, { legal_basis: 'Contractual' });
    const listed = await ask('GET', `/data-map?search=${mark}&legal_basis=contractual`);
    expect(listed.json).toHaveLength(1);
    const allowed =
      'consent, contract, legal_obligation, vital_interests, public_task, legitimate_interests';
    for (const refused of [
      await ask('GET', '/data-map?legal_basis=because'),
      await ask('PUT', `/data-map/${entry.id}`, { legal_basis: 'because' }),
    ]) {
      expect([refused.status, refused.json.code]).toEqual([400, 'rest_invalid_param']);
      expect(refused.json.data.params.legal_basis).toContain(allowed);
    }
  });

  it('suggests countries with their transfer status, safeguards and values of other entries', async () => {
    const { ask, create } = await setUp();
    await create({
      recipients: 'Alder Hosting; ALDER HOSTING',
      data_subjects: 'Newsletter readers',
      data_categories: ['shoe_size'],
    });
    const { status, json } = await ask('GET', '/data-map/suggestions');
    expect(status).toBe(200);
    const byCode = new Map(
      json.countries.map((country: { code: string }) => [country.code, country]),
    );
    expect(byCode.get('DE')).toEqual({
      code: 'DE',
      name: 'Germany',
      status: 'eea',
      condition: null,
    });
    expect(byCode.get('CH')).toMatchObject({ status: 'adequate', condition: null });
    expect(byCode.get('US')).toMatchObject({
      status: 'adequate',
      condition: expect.stringContaining('Privacy Framework'),
    });
    expect(byCode.get('IN')).toMatchObject({ status: 'restricted' });
    expect(byCode.size).toBe(249);
    const adequate = json.countries.filter(
      ({ status }: { status: string }) => status === 'adequate',
    );
    expect(adequate.map(({ code }: { code: string }) => code).sort()).toEqual(
      'AD AR BR CA CH FO GB GG IL IM JE JP KR NZ US UY'.split(' '),
    );
    expect(json).toMatchObject({
      organisations: ['European Patent Organisation'],
      adequacy_as_of: '2026-08-05',
    });
    expect(json.safeguards).toContainEqual({
      article: 'Art. 46(2)(c)',
      label: 'Standard contractual clauses of the European Commission',
    });
    const spelled = json.recipients.filter((name: string) => /alder/i.test(name));
    expect(spelled).toEqual(['Alder Hosting']);
    expect(json.data_subjects).toContain('Newsletter readers');
    expect(json.data_categories).toContain('shoe_size');
  });

  it('exports all entries as CSV and JSON, oldest first', async () => {
    const { ask, create } = await setUp();
    const entry = await create({
      purpose: '=1+1, "quoted"\nand more',
      data_categories: ['ip_address', 'usage_data'],
    });
    const csv = await ask('GET', '/data-map/export');
    expect([csv.status, csv.headers.get('content-type')]).toEqual([200, 'text/csv; charset=UTF-8']);
    expect(csv.headers.get('content-disposition')).toContain('records-of-processing.csv');
    expect(csv.text.startsWith('id,vendor_name,vendor_slug,vendor_id,purpose,')).toBe(true);
    expect(csv.text).toContain(
      `"'=1+1, ""quoted""\nand more","ip_address, usage_data",,active,consent,`,
    );
    const { json } = await ask('GET', '/data-map/export?format=json');
    expect(json.at(-1)).toEqual(entry);
    const enveloped = (await ask('GET', '/data-map/export?_envelope')).json;
    expect(enveloped.body).toBe(csv.text);
    expect((await ask('GET', '/data-map/export?format=xml')).json.code).toBe('rest_invalid_param');
  });

  it('exports a printable page in the order of Art. 30(1), without scripts and external resources', async () => {
    const { ask, create, createVendor } = await setUp();
    const attack = `"><script src=//evil.example>'&`;
    const vendor = await createVendor(attack);
    const texts = {
      controller: `Controller ${attack}`,
      purpose: `Purpose ${attack}`,
      data_subjects: `Subjects ${attack}`,
      data_categories: [`Categories ${attack}`, 'ip_address'],
      recipients: `Recipients ${attack}`,
      third_countries: `Countries ${attack}`,
      safeguards: `Safeguards ${attack}`,
      retention_period: `Period ${attack}`,
      security_measures: `Measures ${attack}`,
      data_source: `Source ${attack}`,
      automated_decisions: `Decisions ${attack}`,
    };
    await create({ vendor_id: vendor.id, ...texts, review_date: '2027-05-01', status: 'archived' });
    await create({ purpose: 'With few fields' });
    // 23 November in Berlin.
    app.clock.set('2026-11-22T23:30:00Z');
    await create({ purpose: 'At night' });

    const { status, headers, text } = await ask('GET', '/data-map/export?format=html');
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=UTF-8']);
    const policy = headers.get('content-security-policy') ?? '';
    const style = /<style>([\s\S]*)<\/style>/.exec(text)?.[1] ?? '';
    const hash = createHash('sha256').update(style).digest('base64');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain(`style-src 'sha256-${hash}'`);
    expect(policy).not.toContain('unsafe');
    expect(headers.get('cache-control')).toContain('no-store');
    expect(policy).toContain('img-src data:');
    expect(text).toContain('<link rel="icon" href="data:image/svg+xml,');
    expect(text).not.toMatch(/<script|javascript:|<link(?! rel="icon")|<img|\son\w+=|url\(/i);

    const escaped = '&#34;&#62;&#60;script src=//evil.example&#62;&#39;&#38;';
    const page = text.slice(text.indexOf(`Controller ${escaped}`));
    let at = -1;
    for (const [name, given] of Object.entries(texts)) {
      const word = [given].flat()[0]?.split(' ', 1)[0];
      const next = page.indexOf(`${word} ${escaped}`);
      expect(next, name).toBeGreaterThan(at);
      at = next;
    }
    expect(text).toContain(', ip address<');
    expect(text).toContain('<small>archived</small>');
    expect(text).toContain('1 May 2027');
    expect(text.match(/23 November 2026/g)).toHaveLength(2);
    expect(text.slice(text.indexOf('With few fields'))).toContain('Not stated');
  });

  it('prints safeguards without transfers, and a review, only if they are stated', async () => {
    const { ask, create } = await setUp();
    const headingsOf = async (purpose: string, more: object) => {
      await create({ purpose, ...more });
      const { text } = await ask('GET', '/data-map/export?format=html');
      const [, article = ''] = text.split(`<td>${purpose}</td>`);
      return (article.split('</article>')[0]?.match(/Safeguards|Next review/g) ?? []).join();
    };
    expect(await headingsOf('No transfers', { third_countries: ' none. ' })).toBe('');
    expect(await headingsOf('Unknown', {})).toBe('');
    const reviewed = { third_countries: 'USA', review_date: '2027-05-01' };
    expect(await headingsOf('Transfers', reviewed)).toBe('Safeguards,Next review');
    expect(await headingsOf('Safe', { third_countries: 'None', safeguards: 'SCC' })).toBe(
      'Safeguards',
    );
  });

  it('lists recipients once each for data subjects, and null for fields that are not stated', async () => {
    const { ask, create, createVendor } = await setUp();
    const vendor = await createVendor('Google');
    await create({
      vendor_id: vendor.id,
      purpose: 'Stated',
      recipients: 'google\nHetzner Online GmbH; Hetzner Online GmbH',
      third_countries: 'USA',
      safeguards: 'Standard contractual clauses',
      data_source: 'From our partner A',
      automated_decisions: 'None',
    });
    const findProcessing = async (purpose: string) =>
      (await listProcessing(app.platform.datastore.db)).find((entry) => entry.purpose === purpose);
    expect(await findProcessing('Stated')).toMatchObject({
      recipients: ['Google', 'Hetzner Online GmbH'],
      thirdCountries: 'USA',
      hasTransfers: true,
      safeguards: 'Standard contractual clauses',
      dataSource: 'From our partner A',
      automatedDecisions: 'None',
      retentionPeriod: null,
    });
    // The site itself is not a recipient.
    const [own] = (await ask('GET', '/data-map?search=Records+of+consent')).json;
    expect(own.vendor_slug).toBe('pavis-self');
    expect(await findProcessing(own.purpose)).toMatchObject({
      recipients: ['Administrators of this installation'],
    });
    const mail = (await ask('GET', '/data-map?search=Mail%3A+sending')).json[0];
    expect(await findProcessing(mail.purpose)).toMatchObject({
      recipients: ['Mail server of this site', 'Mail providers of the recipients'],
    });
    const { recipients } = (await ask('GET', '/data-map/suggestions')).json;
    expect(recipients).toContain('Mail server of this site');
    expect(recipients).not.toContain(own.vendor_name);
    const page = (await ask('GET', '/data-map/export?format=html')).text;
    const row = '<th scope="row">Recipients<span>(d)</span></th><td>';
    expect(page).toContain(`${row}Mail server of this site\nMail providers of the recipients</td>`);
    expect(page).not.toContain(`${row}${own.vendor_name}`);
  });

  it('lists all active processing for data subjects, also of more than a thousand entries', async () => {
    const { create, ask } = await setUp();
    const first = await create({ purpose: 'The first of very many' });
    const { db } = app.platform.datastore;
    const row = { vendor_id: first.vendor_id, legal_basis: 'consent', data_categories: '[]' };
    const rest = { retention_period: '', status: 'active', created_at: 0, updated_at: 0 };
    const rows = Array.from({ length: 1_000 }, (_, index) => ({
      ...{ ...row, ...rest },
      purpose: `Of very many ${index}`,
    }));
    await db.insertInto('data_map_entries').values(rows).execute();
    const purposes = (await listProcessing(db)).map(({ purpose }) => purpose);
    expect(purposes).toContain('The first of very many');
    await ask('PUT', `/data-map/${first.id}`, { status: 'archived' });
    const left = (await listProcessing(db)).map(({ purpose }) => purpose);
    expect(left).not.toContain('The first of very many');
    await db.deleteFrom('data_map_entries').where('purpose', 'like', 'Of very many%').execute();
  });

  it('prints the controller of the settings, also for entries that state none', async () => {
    const { ask, create } = await setUp();
    await create({ purpose: 'Of the controller' });
    const controller = {
      name: 'Example <Ltd>',
      address: '1 High Street',
      email: 'privacy@example.com',
      dpo_name: 'Ada Lovelace',
      dpo_email: 'dpo@example.com',
    };
    await ask('PUT', '/settings', { controller });
    const { text } = await ask('GET', '/data-map/export?format=html');
    const lines =
      'Example &#60;Ltd&#62;\n1 High Street\nprivacy@example.com\nData protection officer: Ada Lovelace, dpo@example.com';
    expect(text.slice(0, text.indexOf('<article>'))).toContain(lines);
    const ours = text.slice(0, text.indexOf('Of the controller'));
    expect(ours.slice(ours.lastIndexOf('<article>'))).toContain(lines);
  });

  it('filters entries whose review is due today in the time zone of the site, or before a day', async () => {
    const { ask, create } = await setUp();
    const mark = `review${++made}`;
    // In the time zone of the site it is the 22nd.
    app.clock.set('2026-11-21T23:30:00.000Z');
    for (const day of ['2026-11-21', '2026-11-22', '2026-11-23', null]) {
      await create({ purpose: `${mark} ${day}`, ...(day && { review_date: day }) });
    }
    const found = async (query: string) => {
      const { json, headers } = await ask('GET', `/data-map?search=${mark}&${query}`);
      expect(headers.get('x-wp-total')).toBe(String(json.length));
      return json.map(({ review_date }: { review_date: string }) => review_date);
    };
    expect(await found('review_due=1')).toEqual(['2026-11-22', '2026-11-21']);
    expect(await found('review_before=2026-11-22')).toEqual(['2026-11-21']);
    expect(await found('review_due=1&review_before=2026-11-23')).toHaveLength(2);
    expect(await found('review_due=0')).toHaveLength(4);
    for (const query of ['review_due=soon', 'review_before=2026-02-30']) {
      expect((await ask('GET', `/data-map?${query}`)).json.code).toBe('rest_invalid_param');
    }
  });

  it('returns 401 without credentials and 403 for other roles than administrators', async () => {
    const headers = await basicAuth(app.platform, 'editor');
    for (const path of ['/data-map', '/data-map/1', '/data-map/export']) {
      expect((await app.http.request('GET', ROOT + path)).status, path).toBe(401);
      expect((await app.http.request('GET', ROOT + path, { headers })).status, path).toBe(403);
    }
  });
});
