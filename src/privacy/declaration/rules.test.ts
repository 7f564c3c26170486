import { describe, expect, it } from 'vitest';
import type { Entry } from '../data-map/index.ts';
import type { KnownVendor } from '../vendors/index.ts';
import { listBuiltinVendors } from '../vendors/library.ts';
import { findUndeclared, findUnseen } from './drift/rules.ts';
import { formatDuration } from './durations.ts';
import { listRecipients } from './preferences/rules.ts';
import { groupSightings, type Knowledge, type Sighting } from './rules.ts';
import { findTexts } from './texts/index.ts';
import { toVisitorPurpose } from './texts/vendor-purposes.ts';

const vendor = (id: number, more: Partial<KnownVendor> = {}): KnownVendor => ({
  id,
  slug: `vendor-${id}`,
  name: `Vendor ${id}`,
  purpose: '',
  category: 'marketing',
  dataCategories: [],
  defaultRetention: '',
  domains: [`vendor-${id}.example`],
  cookies: [],
  isBuiltin: false,
  extension: null,
  ...more,
});
const sighting = (more: Partial<Sighting> = {}): Sighting => ({
  resourceType: 'script',
  host: 'cdn.vendor-1.example',
  thirdParty: true,
  vendorId: 1,
  category: 'marketing',
  name: 'Vendor 1',
  sources: ['network'],
  details: {},
  firstSeen: 100,
  ...more,
});
const entry = (id: number, vendorId: number, status = 'active') =>
  ({ id, vendor_id: vendorId, status, purpose: 'Ads', legal_basis: 'consent' }) as Entry;
const byId = (...vendors: KnownVendor[]) => new Map(vendors.map((each) => [each.id, each]));

describe('The groups of a declaration', () => {
  const knowledge: Knowledge = {
    vendors: byId(vendor(1)),
    entries: [entry(7, 1), entry(8, 1, 'inactive'), entry(9, 2)],
    registered: new Map(),
    registeredHosts: new Map(),
    classify: ({ name }) =>
      name === 'basket' ? { category: 'functional', purpose: 'Keeps the basket' } : undefined,
    findUsual: () => 86_400,
  };
  const group = (...sightings: Sighting[]) => groupSightings(sightings, knowledge);
  const cookie = (name: string, seconds: number | null, more: Partial<Sighting> = {}) =>
    sighting({
      resourceType: 'cookie',
      name,
      details: { duration_seconds: seconds, domain: 'shop.example' },
      ...more,
    });

  it('put hosts, cookies and active data map entries of a vendor together', () => {
    const [only, ...others] = group(
      sighting({ host: 'b.vendor-1.example:8443' }),
      sighting({ host: 'a.vendor-1.example' }),
      cookie('_v', 60, { thirdParty: false, host: 'shop.example' }),
    );
    expect(others).toEqual([]);
    expect(only).toMatchObject({
      domains: ['a.vendor-1.example', 'b.vendor-1.example'],
      entries: [{ id: 7 }],
      stored: [{ name: '_v', kind: 'cookie', duration: 60, usual: 86_400 }],
    });
  });

  it('leave out what the policy of the page forbids', () => {
    expect(group(sighting({ details: { failure: 'policy' } }))).toEqual([]);
    expect(group(sighting({ details: { failure: 'timeout' } }))).toHaveLength(1);
  });

  it('leave out cookies that the browser rejected', () => {
    const details = { domain: 'vendor-1.example', blocked_reasons: ['SameSiteNoneInsecure'] };
    expect(group(cookie('_v', 60, { details }))).toEqual([]);
  });

  it('leave out what is only mentioned in code, and forms and scripts of the site itself', () => {
    const own = { vendorId: null, thirdParty: false, host: 'shop.example' };
    expect(
      group(
        sighting({ sources: ['script', 'inferred'] }),
        sighting({ ...own, resourceType: 'form' }),
      ),
    ).toEqual([]);
  });

  it('name the longest duration that was observed', () => {
    const seen = [null, 3_600, 60].map((seconds) => cookie('_v', seconds));
    for (const order of [seen, seen.toReversed()])
      expect(group(...order)[0]?.stored).toMatchObject([{ duration: 3_600 }]);
  });

  it('follow the classification of cookies by the owner, and keep unclassified ones apart', () => {
    const own = { vendorId: null, thirdParty: false, host: 'shop.example', category: null };
    const storage = { ...own, details: { storage: 'local', duration: 'until cleared' } };
    const found = group(cookie('basket', null, own), cookie('x_1', null, storage));
    expect(found.map(({ category, stored }) => [category, stored[0]?.purpose])).toEqual([
      ['functional', 'Keeps the basket'],
      [null, null],
    ]);
    expect(found[1]?.stored[0]).toMatchObject({ kind: 'local', duration: 'until_deleted' });
  });

  it('have a vendor in each category of its registered scripts, with cookies where the owner put them', () => {
    const registered = new Map([['vendor-1', ['analytics', 'marketing']]]);
    const found = groupSightings(
      [sighting(), cookie('_v', 60), cookie('basket', 60, { thirdParty: false })],
      { ...knowledge, registered },
    );
    expect(found.map(({ category, stored }) => [category, stored.map(({ name }) => name)])).toEqual(
      [
        ['analytics', ['_v']],
        ['marketing', ['_v']],
        ['functional', ['basket']],
      ],
    );
  });

  it('have a host without a vendor in each category of the scripts that are registered on it', () => {
    const registeredHosts = new Map([['ads.example', ['analytics', 'marketing']]]);
    const unknown = { vendorId: null, host: 'ads.example:8443', category: null };
    const own = { ...unknown, thirdParty: false };
    const found = groupSightings(
      [sighting(unknown), sighting({ ...unknown, host: 'b.example' }), cookie('x', null, own)],
      { ...knowledge, registeredHosts },
    );
    expect(found.map(({ host, category }) => [host, category])).toEqual([
      ['ads.example', 'analytics'],
      ['ads.example', 'marketing'],
      ['b.example', null],
      [null, null],
    ]);
  });

  it('list vendors before unknown hosts, and the site itself last', () => {
    const found = group(
      cookie('x', null, { vendorId: null, thirdParty: false, host: 'shop.example' }),
      sighting({ vendorId: 99, host: 'a.example' }),
      sighting(),
    );
    expect(found.map(({ vendor: known, host }) => known?.name ?? host)).toEqual([
      'Vendor 1',
      'a.example',
      null,
    ]);
  });
});

it.each([
  [31_536_000, '1 year', '1 Jahr'],
  [34_300_800, '13 months', '13 Monate'],
  [1_800, '30 minutes', '30 Minuten'],
  ['session', 'until the end of the session', 'bis zum Ende der Sitzung'],
  ['until_deleted', 'until you delete it', 'bis Sie den Eintrag löschen'],
] as const)('The duration %s is %s and %s', (duration, english, german) => {
  expect(formatDuration(duration, 'en', findTexts('en').texts)).toBe(english);
  expect(formatDuration(duration, 'de', findTexts('de-AT').texts)).toBe(german);
});

it.each([
  ['pt-PT-ao90', '13 meses'],
  ['en-abc', '13 months'],
  ['en-GB', '13 months'],
])('A duration is formatted under %s, also if the tag is malformed', (language, text) => {
  expect(formatDuration(34_300_800, language, findTexts('en').texts)).toBe(text);
});

it('Purposes of the vendor library are in words for visitors, in English and German', () => {
  for (const { purpose } of listBuiltinVendors()) {
    const [english, german] = [toVisitorPurpose(purpose, 'en'), toVisitorPurpose(purpose, 'de')];
    expect([purpose, english]).toEqual([purpose, expect.not.stringMatching(/\byou/i)]);
    expect(german).not.toBe(purpose);
    expect(german).not.toBe(english);
  }
  expect(toVisitorPurpose('Zählt unsere Gäste', 'de')).toBe('Zählt unsere Gäste');
});

describe('The recipients of the preferences', () => {
  const script = { label: 'Ads', category: 'analytics', vendor: vendor(1), host: 'x.example' };
  const place = (seen: Parameters<typeof listRecipients>[0]) =>
    listRecipients(seen, [entry(7, 1)], byId(vendor(1)), [script]).map(({ category, entries }) => [
      category,
      entries.length,
    ]);

  it('have a registered vendor in the category of its script, also if only a cookie in another was seen', () => {
    const stored = { vendor: vendor(1), host: null, domains: [], stored: [], entries: [] };
    expect(place([])).toEqual([['analytics', 1]]);
    expect(place([{ ...stored, category: 'analytics' }])).toEqual([['analytics', 0]]);
    expect(place([{ ...stored, category: 'functional' }])).toEqual([
      ['functional', 0],
      ['analytics', 1],
    ]);
  });

  it('have the host of a registered script without a vendor once, under its label, with what was seen', () => {
    const seen = { vendor: null, host: 'x.example', domains: ['x.example'], entries: [] };
    const marketing = { ...seen, category: 'marketing', stored: [] };
    const own = { ...script, vendor: null };
    expect(
      listRecipients([{ ...marketing, category: 'analytics' }, marketing], [], new Map(), [own]),
    ).toMatchObject([
      { label: 'Ads', category: 'analytics', domains: ['x.example'] },
      { host: 'x.example', category: 'marketing' },
    ]);
  });
});

describe('Drift', () => {
  it('lists third parties without an active entry, with their first sighting', () => {
    const found = findUndeclared(
      [
        sighting({ vendorId: null, host: 'z.example', category: null, firstSeen: 5 }),
        sighting({ vendorId: null, host: 'z.example:8080', firstSeen: 3 }),
        sighting({ vendorId: 2, host: 'two.example' }),
        sighting({ vendorId: 3, host: 'three.example' }),
        sighting({ vendorId: 4, host: 'four.example', sources: ['inferred'] }),
        sighting({ vendorId: 4, host: 'four.example', details: { failure: 'policy' } }),
        sighting({ vendorId: null, host: 'shop.example', thirdParty: false }),
      ],
      byId(vendor(2), vendor(3), vendor(4)),
      {
        entries: [entry(1, 2), entry(2, 3, 'inactive')],
        registered: new Map(),
        registeredHosts: new Map([['z.example', ['marketing']]]),
      },
    );
    expect(
      found.map(({ vendor: known, hosts, category, since }) => [known?.id, hosts, category, since]),
    ).toEqual([
      [3, ['three.example'], 'marketing', 100],
      [undefined, ['z.example'], 'marketing', 3],
    ]);
  });

  it('lists entries whose vendor the latest scans did not see, since the first of these scans', () => {
    const scans = [
      { completedAt: 40, vendors: new Set([1]) },
      { completedAt: 30, vendors: new Set([1]) },
      { completedAt: 20, vendors: new Set([1, 2]) },
    ];
    const vendors = byId(vendor(1), vendor(2), vendor(3), vendor(4, { domains: [] }));
    const entries = [entry(1, 1), entry(2, 2), entry(3, 3), entry(4, 4), entry(5, 2, 'inactive')];
    expect(
      findUnseen(scans, vendors, entries).map(({ entry: { id }, ...rest }) => ({ id, ...rest })),
    ).toEqual([
      { id: 2, since: 30, lastSeen: 20, scans: 2 },
      { id: 3, since: 20, lastSeen: null, scans: 3 },
    ]);
    expect(findUnseen([], vendors, entries)).toEqual([]);
  });
});
