import { type Static, Type } from 'typebox';
import { URL_MAX_LENGTH } from '../../platform/http/limits.ts';
import { toRecord } from '../../platform/http/record.ts';
import {
  clearable,
  NonBlankText,
  nullable,
  OneOf,
  SLUG,
  Text,
} from '../../platform/http/schemas.ts';
import { toHosts } from './host.ts';
import { findBuiltinVendor, findPrivacyUrl } from './library.ts';
import type { Vendor, VendorFields } from './store.ts';

const texts = (maxLength: number, description: string) =>
  Type.Array(Text(maxLength), { maxItems: 200, description });

const fields = {
  purpose: Text(5_000, { minLength: 0, description: 'Purpose of processing.' }),
  data_categories: texts(100, 'Categories of personal data.'),
  default_retention: Text(200, {
    minLength: 0,
    description: 'Default retention period, for example `13 months`.',
  }),
  category: Text(64, {
    description:
      'Consent category; one of the categories in the settings. A new vendor without it gets `marketing`, or the last optional category.',
  }),
  domains: texts(253, 'Host names, for example `ads.example.com`, including their subdomains.'),
  cookies: texts(200, 'Cookie names. `*` matches any characters.'),
};

const privacy_url = clearable(
  Type.String({
    format: 'uri',
    maxLength: URL_MAX_LENGTH,
    description:
      'The privacy policy of the vendor, linked in the preferences of the banner. null: the one in the library, if the vendor is built in.',
  }),
);

export const VendorCreation = Type.Object(
  {
    name: NonBlankText(100),
    slug: Type.String({ pattern: SLUG, description: 'Unique. Cannot be changed later.' }),
    ...Type.Partial(Type.Object(fields)).properties,
    privacy_url,
  },
  {
    title: 'VendorCreation',
    examples: [
      {
        name: 'Ada Analytics',
        slug: 'ada-analytics',
        category: 'analytics',
        domains: ['ada.example.com'],
      },
    ],
  },
);

export const VendorUpdate = Type.Object(
  {
    name: Type.Optional(NonBlankText(100)),
    slug: Type.Optional(Type.String({ pattern: SLUG })),
    purpose: clearable(fields.purpose),
    data_categories: clearable(fields.data_categories),
    default_retention: clearable(fields.default_retention),
    category: Type.Optional(fields.category),
    domains: clearable(fields.domains),
    cookies: clearable(fields.cookies),
    privacy_url,
  },
  { title: 'VendorUpdate', examples: [{ purpose: 'Counts visits' }] },
);

const CookieDetails = Type.Object({
  name: Type.String(),
  type: nullable(
    OneOf(['cookie', 'storage'], { description: '`storage`: localStorage or sessionStorage.' }),
  ),
  domain: nullable(Type.String({ description: 'Only on this host and its subdomains.' })),
  lifetime: nullable(
    Type.String({
      description: 'Usual lifetime, for example `2 years`, `session` or `until cleared`.',
    }),
  ),
  lifetime_seconds: nullable(
    Type.Integer({ minimum: 0, description: '0 for `session`; null for `until cleared`.' }),
  ),
});

export const VendorRecord = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    slug: Type.String(),
    ...fields,
    privacy_url: nullable(
      Type.String({ description: 'The link that the preferences of the banner show.' }),
    ),
    cookie_details: Type.Array(CookieDetails, {
      description:
        'What the built-in library knows about the `cookies`. Fields are null if unknown. Their purpose is that of the vendor.',
    }),
    is_builtin: Type.Boolean(),
    source: OneOf(['builtin', 'custom', 'extension'], {
      description: '`extension`: provided by an extension and read-only.',
    }),
  },
  { title: 'Vendor', description: 'A company that receives data of visitors.' },
);

/** Default values of a new vendor, which null in an update restores. */
export const EMPTY_VENDOR = {
  purpose: '',
  category: 'marketing',
  dataCategories: [],
  defaultRetention: '',
  domains: [],
  cookies: [],
  privacyUrl: null,
} satisfies Partial<VendorFields>;

/** The fields that are present. */
export function toVendorFields({
  data_categories: dataCategories,
  default_retention: defaultRetention,
  privacy_url: privacyUrl,
  domains,
  ...same
}: Static<typeof VendorUpdate>): Partial<VendorFields> {
  const hosts = domains && toHosts(domains);
  const changed = { ...same, dataCategories, defaultRetention, domains: hosts, privacyUrl };
  const fields = Object.entries(changed)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, value ?? EMPTY_VENDOR[name as keyof typeof EMPTY_VENDOR]]);
  return Object.fromEntries(fields);
}

export const toVendorRecord = (vendor: Vendor) =>
  toRecord(VendorRecord, {
    ...vendor,
    privacyUrl: findPrivacyUrl(vendor) ?? null,
    cookieDetails: vendor.cookies.flatMap((name) => describeCookie(vendor, name)),
    source: vendor.extension !== null ? 'extension' : vendor.isBuiltin ? 'builtin' : 'custom',
  });

/** A name can stand for several cookies, each on its own host. */
function describeCookie({ slug, isBuiltin }: Vendor, name: string): Static<typeof CookieDetails>[] {
  const library = (isBuiltin && findBuiltinVendor(slug)?.cookies) || [];
  const known = library.filter((cookie) => cookie.name === name);
  if (known.length === 0) {
    return [{ name, type: null, domain: null, lifetime: null, lifetime_seconds: null }];
  }
  return known.map(({ kind, domain = null, lifetime, seconds }) => ({
    name,
    type: kind,
    domain,
    lifetime,
    lifetime_seconds: seconds,
  }));
}
