import { Type } from 'typebox';
import { clearable, OneOf, Text } from '../../platform/http/schemas.ts';
import type { Vendor } from './store.ts';

const SLUG = '^[a-z0-9][a-z0-9_-]{0,63}$';

const texts = (maxLength: number, description: string) =>
  Type.Array(Text(maxLength), { maxItems: 200, description });

const fields = {
  purpose: Text(5_000, { minLength: 0, description: 'Purpose of processing.' }),
  data_categories: texts(100, 'Categories of personal data.'),
  default_retention: Text(200, {
    minLength: 0,
    description: 'Default retention period, for example `13 months`.',
  }),
  category: Text(64, { description: 'Consent category; one of the categories in the settings.' }),
  domains: texts(253, 'Domains, including their subdomains.'),
  cookies: texts(200, 'Cookie names. `*` matches any characters.'),
};

export const VendorCreation = Type.Object(
  {
    name: Text(100),
    slug: Type.String({ pattern: SLUG, description: 'Unique. Cannot be changed later.' }),
    purpose: Type.Optional(fields.purpose),
    data_categories: Type.Optional(fields.data_categories),
    default_retention: Type.Optional(fields.default_retention),
    category: Type.Optional(fields.category),
    domains: Type.Optional(fields.domains),
    cookies: Type.Optional(fields.cookies),
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

/** Absent leaves alone, null clears. */
export const VendorUpdate = Type.Object(
  {
    name: Type.Optional(Text(100)),
    slug: Type.Optional(Type.String({ pattern: SLUG })),
    purpose: clearable(fields.purpose),
    data_categories: clearable(fields.data_categories),
    default_retention: clearable(fields.default_retention),
    category: Type.Optional(fields.category),
    domains: clearable(fields.domains),
    cookies: clearable(fields.cookies),
  },
  { title: 'VendorUpdate', examples: [{ purpose: 'Counts visits' }] },
);

export const VendorRecord = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    slug: Type.String(),
    ...fields,
    is_builtin: Type.Boolean(),
    source: OneOf(['builtin', 'custom', 'extension'], {
      description: '`extension`: provided by an extension and read-only.',
    }),
  },
  { title: 'Vendor', description: 'A company that receives data of visitors.' },
);

/** Names of cookies and storage keys by consent category. */
export const VendorCookies = Type.Record(Type.String(), Type.Array(Type.String()), {
  title: 'VendorCookies',
});

export const toVendorRecord = (vendor: Vendor) => ({
  id: vendor.id,
  name: vendor.name,
  slug: vendor.slug,
  purpose: vendor.purpose,
  data_categories: vendor.dataCategories,
  default_retention: vendor.defaultRetention,
  category: vendor.category,
  domains: vendor.domains,
  cookies: vendor.cookies,
  is_builtin: vendor.isBuiltin,
  source: sourceOf(vendor),
});

function sourceOf({ isBuiltin, extension }: Vendor): 'builtin' | 'custom' | 'extension' {
  if (extension !== null) return 'extension';
  return isBuiltin ? 'builtin' : 'custom';
}
