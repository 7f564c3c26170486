import { describe, expect, it } from 'vitest';
import { basicAuth } from '../../../../../test/support/makers.ts';
import { useTestApp } from '../../../../../test/support/test-app.ts';
import { PERSONAL_DATA } from '../../../../modules/personal-data.ts';
import { listProcessing } from '../../../data-map/index.ts';
import type { ProcessingEntry } from '../../context.ts';
import { CASE_STATUSES, CHANNELS, GROUNDS, REGIME_NAMES, REQUEST_TYPES } from '../../rules.ts';
import { createPackageWriter } from './index.ts';
import type { PackageContents } from './page.ts';
import { de, en, type Terms } from './terms/terms.ts';

const LANGUAGES: [string, Terms][] = [
  ['en', en],
  ['de', de],
];
const NOBODY = { name: '', address: '', email: '', dpo_name: '', dpo_email: '' };
const ENTRY: ProcessingEntry = {
  purpose: 'Newsletter',
  legalBasis: 'consent',
  dataCategories: ['contact_details', 'shoe_size'],
  dataSubjects: null,
  recipients: ['Mailer Ltd', 'Hetzner'],
  thirdCountries: 'USA',
  hasTransfers: true,
  safeguards: 'Standard contractual clauses',
  retentionPeriod: '14 months',
  dataSource: 'From our partner',
  automatedDecisions: null,
};

const source = (id: string, records: Record<string, unknown>[]) => ({
  id,
  label: 'A <label>',
  state: 'collected' as const,
  reason: null,
  retention: undefined,
  records,
});

const write = (language: string, contents: Partial<PackageContents>): string =>
  createPackageWriter(language, 'Europe/Berlin').page({
    reference: 'DSR-20261121-ABC123',
    organisation: 'example.org',
    day: '2026-11-21',
    controller: NOBODY,
    sources: [],
    receipts: { issued: 0, not_logged: 0, altered: 0, unproven: 0, verifier: null },
    about: undefined,
    ...contents,
  });

/** The texts of all table cells. */
const cellsOf = (page: string): string[] =>
  [...page.matchAll(/<t[dh](?: [^>]*)?>(.*?)<\/t[dh]>/g)].map(([, cell = '']) => cell);

describe('The terms of packages', () => {
  it('have the same keys in every language', () => {
    const keysOf = ({ sources, columns, values }: Terms) => ({
      sources: Object.keys(sources).toSorted(),
      columns: Object.keys(columns).toSorted(),
      values: Object.entries(values)
        .map(([column, known]) => [column, Object.keys(known).toSorted()])
        .toSorted(),
    });
    expect(keysOf(de)).toEqual(keysOf(en));
  });

  it.each(LANGUAGES)('name every built-in source and its columns in %s', (_language, terms) => {
    const types = PERSONAL_DATA.filter(({ person }) => person);
    expect(types.filter(({ category }) => !(category in terms.sources))).toEqual([]);
    const columns = types.flatMap(({ category, shown = [], given = [] }) =>
      [...shown, ...given].map((column) => [category, column] as const),
    );
    expect(types.filter(({ shown }) => !shown)).toEqual([]);
    const unnamed = columns.filter(
      ([category, column]) => !terms.columns[`${category}.${column}`] && !terms.columns[column],
    );
    expect(unnamed).toEqual([]);
  });

  it.each(LANGUAGES)('cover every status, type and ground in %s', (_language, terms) => {
    const { channel, request_type, status, ground, regime } = terms.values;
    for (const [known, values] of [
      [request_type, REQUEST_TYPES],
      [status, CASE_STATUSES],
      [ground, GROUNDS],
      [regime, REGIME_NAMES],
      [channel, CHANNELS],
    ] as const) {
      expect(Object.keys(known ?? {})).toEqual(expect.arrayContaining([...values]));
    }
  });
});

describe('The German terms', () => {
  const app = useTestApp('sqlite');

  it('cover all processing by Pavis', async () => {
    const headers = await basicAuth(app.platform);
    const body = { consent: { shared_choices: true } };
    const path = '/wp-json/svc/v1/settings';
    expect((await app.http.request('PUT', path, { headers, body })).status).toBe(200);
    const entries = await listProcessing(app.platform.datastore.db);
    expect(entries.length).toBeGreaterThan(7);
    const shown = entries.flatMap((entry) => [
      ...[entry.purpose, entry.dataSubjects, entry.retentionPeriod, entry.dataSource],
      ...[entry.automatedDecisions, ...entry.recipients],
    ]);
    const untranslated = shown.filter((text) => text !== null && !(text in de.texts));
    expect(untranslated).toEqual([]);
  });

  it('cover licences that were renewed', () => {
    const records = [{ action: 'renewed', actor: 'payment_service' }];
    const mails = [{ kind: 'licence_renewed', status: 'sent' }];
    const sources = [source('audit_log', records), source('outbox_mail', mails)];
    expect(cellsOf(write('de', { sources })).filter((cell) => /verlängert/.test(cell))).toEqual([
      'Lizenz verlängert',
      'Lizenz verlängert',
    ]);
  });
});

describe('The page of a package', () => {
  it('formats headings, statuses, lists and moments for the language', () => {
    const records = [
      {
        consent_action: 'accept_all',
        categories_accepted: ['functional', 'analytics'],
        gpc: false,
        language: 'not_a-language!',
        created_at: '2026-11-21T09:30:00.000Z',
        expires_at: '9999-12-31T23:59:59.000Z',
      },
    ];
    const page = (language: string) =>
      cellsOf(write(language, { sources: [source('consent_records', records)] }));
    expect(page('de')).toEqual([
      'Entscheidung',
      'Zugestimmt',
      'Signal „Global Privacy Control“',
      'Sprache',
      'Angelegt',
      'Gültig bis',
      'Allem zugestimmt',
      'Unbedingt erforderlich, Analyse',
      'Nein',
      'not_a-language!',
      '<time datetime="2026-11-21T09:30:00.000Z">21.11.2026, 10:30</time>',
      'Kein Ende',
    ]);
    expect(page('en')).toEqual([
      'Choice',
      'Accepted categories',
      'Global Privacy Control signal',
      'Language',
      'Created',
      'Valid until',
      'Accepted all',
      'Strictly necessary, Analytics',
      'No',
      'not_a-language!',
      '<time datetime="2026-11-21T09:30:00.000Z">21 Nov 2026, 10:30</time>',
      'No end',
    ]);
    expect(page('fr')).toEqual(page('en'));
  });

  it('formats the headings of extension sources and leaves their values unchanged', () => {
    const records = [
      { order_id: 7, isPaid: true, status: 'dead', items: [{ name_tag: 'a<b/2026-11-21' }] },
    ];
    const page = write('de', { sources: [source('shop_orders', records)] });
    expect(page).toContain('A &#60;label&#62;');
    expect(cellsOf(page)).toEqual([
      'Order id',
      'Is paid',
      'Status',
      'Items',
      '7',
      'Ja',
      'dead',
      'Name tag: a&#60;b/2026-11-21',
    ]);
  });

  it('names the source of an event', () => {
    const records = [{ action: 'task_done', details: { source: 'outbox_mail' } }];
    const page = write('de', { sources: [source('dsar_events', records)] });
    expect(cellsOf(page)).toEqual([
      'Ereignis',
      'Einzelheiten',
      'Teil erledigt',
      'Teil: E-Mails an Sie',
    ]);
  });

  it('shows records with many columns as cards, without empty columns', () => {
    const record = Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`c${n}`, n]));
    const page = write('en', { sources: [source('wide', [{ ...record, c8: null }])] });
    expect(page).toContain('<h3>Record 1</h3>');
    expect(page).toContain('<dt>C7</dt><dd>7</dd>');
    expect(page).not.toContain('C8');
    expect(page).not.toContain('<table');
  });

  it('is one accessible document without scripts', () => {
    const about = {
      processing: [ENTRY],
      regime: 'gdpr' as const,
      requestUrl: 'https://example.org/privacy/',
    };
    const page = write('de', {
      sources: [source('users', [{ login: 'ada' }]), source('customers', [])],
      about,
    });
    expect(page).toMatch(/^<!doctype html>\n<html lang="de">/);
    expect(page.match(/<h1>/g)).toHaveLength(1);
    const levels = [...page.matchAll(/<h([1-6])/g)].map(([, level]) => Number(level));
    expect(levels.every((level, at) => level <= (levels[at - 1] ?? 0) + 1)).toBe(true);
    expect(page).toContain('<caption>Ihr Benutzerkonto: 1 Eintrag</caption>');
    expect(page).toContain('<th scope="col"');
    expect(page).toContain('Keine Daten über Sie haben wir in: Ihr Kundenkonto.');
    expect(page).not.toMatch(/<script|javascript:|<link|<img|\son\w+=|url\(|_/i);
    for (const [, id] of page.matchAll(/href="#([^"]+)"/g)) expect(page).toContain(`id="${id}"`);
  });

  it('contains the information of GDPR Art. 15(1) for access requests only', () => {
    const about = {
      processing: [ENTRY],
      regime: 'gdpr' as const,
      requestUrl: 'https://example.org/privacy/',
    };
    const page = write('en', { about });
    for (const [heading, text] of [
      ['Legal basis', 'Consent'],
      ['Categories of personal data', 'contact details, shoe size'],
      ['Recipients', 'Mailer Ltd\nHetzner'],
      ['Third-country transfers', 'USA'],
      ['Safeguards for these transfers', 'Standard contractual clauses'],
      ['Retention period', '14 months'],
      ['Source of the data', 'From our partner'],
      [
        'Not stated, please contact us',
        'Data subjects, Automated decision-making, including profiling',
      ],
    ]) {
      expect(page).toContain(`<dt>${heading}</dt><dd>${text}</dd>`);
    }
    expect(page).toContain('supervisory authority');
    for (const right of ['correct', 'erase', 'restrict', 'object', 'withdraw']) {
      expect(page).toContain(right);
    }
    expect(write('en', {})).not.toContain('supervisory authority');
  });

  it('has no row for safeguards without transfers to third countries', () => {
    const processing = [
      { ...ENTRY, thirdCountries: 'None', hasTransfers: false, safeguards: null },
    ];
    const about = { processing, regime: 'gdpr' as const, requestUrl: 'https://example.org/' };
    const page = write('de', { about });
    expect(page).toContain('<dt>Übermittlung in Drittländer</dt><dd>Keine</dd>');
    expect(page).not.toContain('Geeignete Garantien');
  });

  it.each(['de', 'en'])('shows words of members of objects as they are in %s', (language) => {
    const processing = [
      {
        ...ENTRY,
        purpose: 'constructor',
        dataCategories: ['toString', 'valueOf'],
        recipients: ['hasOwnProperty'],
      },
    ];
    const about = { processing, regime: 'gdpr' as const, requestUrl: 'https://example.org/' };
    const records = [{ constructor: 'x', status: 'toString', kind: 'valueOf' }];
    const page = write(language, { about, sources: [source('toString', records)] });
    expect(page).toContain('>constructor<');
    expect(page).toContain('<dd>toString, valueOf</dd>');
    expect(page).toContain('<dd>hasOwnProperty</dd>');
    expect(page).not.toContain('native code');
  });

  it('names the controller and the data protection officer if they are set', () => {
    const controller = { ...NOBODY, name: 'Example Ltd', address: '1 Street\nTown' };
    expect(write('en', { controller })).toContain('Example Ltd\n1 Street\nTown');
    expect(write('en', { controller })).not.toContain('Data protection officer');
    expect(write('en', {})).not.toContain('Controller');
  });

  it.each([
    ['en', 'Anonymised 13 months after the choice expires.'],
    ['de', 'Anonymisierung: 13 Monate nach Ablauf der Einwilligung.'],
  ])('shows the retention period of the active policies in %s', (language, text) => {
    const { retention } = createPackageWriter(language, 'UTC');
    const rule = { action: 'anonymise', periodValue: 13, periodUnit: 'months' } as const;
    expect(retention('consent_records', [{ ...rule, category: 'consent_records' }])).toBe(text);
    // Every built-in category has a policy or a criterion.
    const rules = PERSONAL_DATA.flatMap(({ category, policy }) =>
      policy ? [{ ...policy, category }] : [],
    );
    const own = PERSONAL_DATA.filter(({ person }) => person);
    const untold = own.filter(({ category }) =>
      /criteria|Kriterien/.test(retention(category, rules)),
    );
    expect(untold.map(({ category }) => category)).toEqual([]);
    expect(retention('consent_records', [{ ...rule, category: 'audit_log' }])).not.toContain('13');
    const both = retention('audit_log', [
      { ...rule, category: 'audit_log' },
      { ...rule, category: 'audit_log', action: 'delete', periodValue: 1, periodUnit: 'years' },
    ]);
    expect(both).toMatch(/13 .* 1 (?:year|Jahr) /);
  });
});

describe('The CSV files of a package', () => {
  it('contain formatted values and ISO moments, and no formulas', () => {
    const { csv } = createPackageWriter('de', 'Europe/Berlin');
    const records = [
      { status: 'sent', sent_at: '2026-11-21T09:30:00.000Z', subject: '=1+1' },
      { status: 'dead', sent_at: null, subject: 'a, b' },
    ];
    expect(csv({ id: 'outbox_mail', records })).toBe(
      '\uFEFFStatus,Gesendet,Betreff\r\n' +
        "Gesendet,2026-11-21T09:30:00.000Z,'=1+1\r\n" +
        'Nicht zustellbar,,"a, b"\r\n',
    );
  });
});
