import { describe, expect, it } from 'vitest';
import { EMBED_KINDS, listBuiltinVendors, VENDOR_CATEGORIES } from './library.ts';
import { isPlatformCookie } from './platform-cookies.ts';

const vendors = listBuiltinVendors();
const repeated = (texts: readonly string[]) =>
  texts.filter((text, place) => texts.indexOf(text) !== place);

const HOST = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,}$/;
/** RFC 6265's token, with `*`; storage keys may hold more. */
const COOKIE = /^[\w!#$%&'*+.^`|~:/-]{1,100}$/;

describe('the vendor library', () => {
  it('is read once', () => {
    expect(listBuiltinVendors()[0]).toBe(vendors[0]);
    expect(vendors.length).toBeGreaterThan(200);
  });

  it('has no slug, name or domain twice', () => {
    expect(repeated(vendors.map(({ slug }) => slug))).toEqual([]);
    expect(repeated(vendors.map(({ name }) => name.toLowerCase()))).toEqual([]);
    expect(
      repeated(vendors.flatMap(({ domains, urlPrefixes }) => [...domains, ...urlPrefixes])),
    ).toEqual([]);
  });

  it.each(vendors.map((vendor) => [vendor.slug, vendor] as const))(
    'has valid fields for %s',
    (slug, vendor) => {
      expect(slug).toMatch(/^[a-z0-9][a-z0-9-]{0,63}$/);
      expect(vendor.isBuiltin).toBe(true);
      expect(VENDOR_CATEGORIES).toContain(vendor.category);
      expect(vendor.name.trim()).toBe(vendor.name);
      expect(vendor.name.length).toBeGreaterThan(0);
      expect(vendor.name.length).toBeLessThanOrEqual(100);
      expect(vendor.purpose).toMatch(/^[A-Z].{10,300}\.$/);
      expect(vendor.defaultRetention).toMatch(/^.{2,100}$/);
      expect(vendor.dataCategories.length).toBeGreaterThan(0);
      expect(repeated(vendor.dataCategories)).toEqual([]);
      for (const category of vendor.dataCategories) expect(category).toMatch(/^[a-z][a-z_]{1,63}$/);
      expect(vendor.domains.length).toBeGreaterThan(0);
      for (const domain of vendor.domains) expect(domain).toMatch(HOST);
      for (const prefix of vendor.urlPrefixes) {
        const [host, ...path] = prefix.split('/');
        expect(host).toMatch(HOST);
        expect(path.join('/')).not.toBe('');
      }
      for (const pattern of vendor.idPatterns) expect(() => new RegExp(pattern)).not.toThrow();
      for (const path of [...vendor.ownPaths, ...(vendor.ownPathsTogether ?? [])]) {
        expect(() => new RegExp(path)).not.toThrow();
      }
      if (vendor.privacyUrl) expect(vendor.privacyUrl).toMatch(/^https:\/\/[\w.-]+(\/[\w./#-]*)?$/);
      if (vendor.embed) expect(EMBED_KINDS).toContain(vendor.embed.kind);
      for (const file of vendor.fileNames) expect(file).toMatch(/^[\w.-]+\.(?:js|php)$/);
    },
  );

  it.each(
    vendors
      .filter(({ cookies }) => cookies.length > 0)
      .map((vendor) => [vendor.slug, vendor.cookies] as const),
  )('has valid cookies for %s', (_slug, cookies) => {
    expect(repeated(cookies.map(({ name }) => name))).toEqual([]);
    for (const { name, domain, seconds } of cookies) {
      expect(name).toMatch(COOKIE);
      // A pattern with little besides its star takes the cookies of others.
      expect(name.replaceAll('*', '').length).toBeGreaterThanOrEqual(
        name.includes('*') && !domain ? 3 : 1,
      );
      if (domain !== undefined) expect(domain).toMatch(HOST);
      if (seconds !== null) expect(Number.isSafeInteger(seconds) && seconds >= 0).toBe(true);
    }
  });

  it('has all fields of a vendor', () => {
    const sixMonths = { kind: 'cookie', lifetime: '6 months', seconds: 15_778_800 };
    expect(vendors.find(({ slug }) => slug === 'brevo')).toEqual({
      slug: 'brevo',
      name: 'Brevo (Sendinblue)',
      isBuiltin: true,
      category: 'marketing',
      purpose: expect.stringContaining('newsletter'),
      dataCategories: ['contact_details', 'cookie_identifiers', 'usage_data'],
      defaultRetention: '6 months',
      domains: ['brevo.com', 'sendinblue.com', 'sibautomation.com', 'sibforms.com', 'sendibt3.com'],
      urlPrefixes: [],
      idPatterns: [],
      fileNames: [],
      ownPaths: [],
      cookies: [
        { name: 'sib_cuid', ...sixMonths },
        { name: 'uuid', domain: 'sibautomation.com', ...sixMonths },
      ],
    });
  });
});

describe('a first-party cookie', () => {
  it.each([
    'PHPSESSID',
    '.AspNetCore.Antiforgery.x',
    'laravel_session',
    'csrftoken',
    'PrestaShop-abc',
  ])('is functional if it is %s', (name) => {
    expect(isPlatformCookie(name)).toBe(true);
  });

  it.each(['', '_ga', 'phpsessid', 'constructor', '__proto__'])(
    'is unknown if it is %j',
    (name) => {
      expect(isPlatformCookie(name)).toBe(false);
    },
  );
});
