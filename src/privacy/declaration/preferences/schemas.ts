import { type Static, Type } from 'typebox';
import { Text } from '../../../platform/http/schemas.ts';

export const PreferencesVendorsArgs = Type.Object({
  language: Type.Optional(
    Text(35, {
      minLength: 0,
      description:
        'For example `de` or `pt-BR`. Lifetimes are in the best matching language of the site, purposes of the vendor library in English or German. Default: the first language of the site.',
    }),
  ),
});

const StoredItem = Type.Object(
  {
    name: Type.String({ description: '`*` stands for parts that vary from visit to visit.' }),
    lifetime: Type.Optional(
      Type.String({ description: 'For example `1 year`. Absent if it is not known.' }),
    ),
    purpose: Type.Optional(
      Type.String({
        description: 'As classified by the owner of the site, or of what the banner itself stores.',
      }),
    ),
  },
  { title: 'PreferencesStorage' },
);

const Vendor = Type.Object(
  {
    slug: Type.Optional(Type.String({ description: 'Absent if it is no vendor of the library.' })),
    name: Type.String(),
    choice: Type.Optional(
      Type.Boolean({
        description: 'Whether visitors can choose this vendor by itself. Absent if they cannot.',
      }),
    ),
    purpose: Type.Optional(Type.String()),
    purpose_language: Type.Optional(
      Type.String({ description: 'If the purpose is in another language than the texts.' }),
    ),
    privacy_url: Type.Optional(Type.String({ description: 'The privacy policy of the vendor.' })),
    stored: Type.Optional(
      Type.Array(StoredItem, {
        description:
          'Cookies and keys of browser storage: those that the scan observed. If it observed none of the vendor, those that the vendor library lists, with typical lifetimes.',
      }),
    ),
  },
  { title: 'PreferencesVendor' },
);

export const PreferencesVendors = Type.Object(
  {
    language: Type.String({ description: 'The language of the lifetimes.' }),
    categories: Type.Record(Type.String(), Type.Array(Vendor), {
      description: 'By category id, without categories that have no vendors.',
    }),
  },
  {
    title: 'PreferencesVendors',
    description:
      'What the preferences of the banner list in each category: what the latest completed scan saw, active data map entries with consent as legal basis, and active scripts of the registry.',
  },
);

export const VendorCookies = Type.Record(Type.String(), Type.Array(Type.String()), {
  title: 'VendorCookies',
  description:
    'Names of cookies and storage keys by consent category. Vendors with active scripts are in the categories of these, others in their own. Cookies that you have classified are in the category of their classification, which can be a required one. `*` stands for any characters. Of several patterns that match a name, the name itself counts, otherwise the longest.',
});

export type PreferencesVendor = Static<typeof Vendor>;
export type PreferencesStorage = Static<typeof StoredItem>;
export type PreferencesVendorsBody = Static<typeof PreferencesVendors>;
