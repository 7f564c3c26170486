import { Type } from 'typebox';
import { clearable, OneOf, Text } from '../../platform/http/schemas.ts';
import type { Vendor } from './store.ts';

const SLUG = '^[a-z0-9][a-z0-9_-]{0,63}$';

const texts = (maxLength: number, description: string) =>
  Type.Array(Text(maxLength), { maxItems: 200, description });

const fields = {
  purpose: Text(5_000, { minLength: 0, description: 'What the data is used for.' }),
  data_categories: texts(100, 'Kinds of data that are processed.'),
  default_retention: Text(200, { minLength: 0, description: 'How long data is kept, in words.' }),
  category: Text(64, { description: 'The consent category; one of those of the settings.' }),
  domains: texts(253, 'Host names; their subdomains count as well.'),
  cookies: texts(200, 'Cookie names; `*` stands for any text.'),
};

export const VendorCreation = Type.Object(
  {
    name: Text(100),
    slug: Type.String({ pattern: SLUG, description: 'Unique, and fixed from then on.' }),
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
      description: 'Where it comes from; what an extension brings is changed there.',
    }),
  },
  { title: 'Vendor', description: 'A vendor.' },
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
