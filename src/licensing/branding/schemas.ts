import { type Static, Type } from 'typebox';
import { URL_MAX_LENGTH } from '../../platform/http/limits.ts';
import { clearable, NonBlankText, nullable, OneOf, Text } from '../../platform/http/schemas.ts';
import { type Brand, LANGUAGES } from './rules.ts';

/** About 70 KB of picture. */
const LOGO_MAX_LENGTH = 100_000;

const fields = {
  name: NonBlankText(100, { description: 'Your name, as customers know it.' }),
  support_url: Text(URL_MAX_LENGTH, {
    description: 'Where customers get help: a page, or `mailto:` with an address.',
    examples: ['mailto:help@forms.example.com'],
  }),
  color: Type.String({
    pattern: '^#[0-9a-fA-F]{6}$',
    description: 'Colour of buttons. The text on them is black or white, whichever is readable.',
    examples: ['#0f766e'],
  }),
  logo: Type.String({
    maxLength: LOGO_MAX_LENGTH,
    pattern: '^data:image/(?:png|jpeg|webp|svg\\+xml);base64,[A-Za-z0-9+/]+={0,2}$',
    description:
      'A PNG, JPEG, WebP or SVG picture as a data URL of at most 100,000 characters, shown at a height of 40 pixels.',
  }),
  language: OneOf(LANGUAGES, {
    description:
      'Language of emails, and of pages for browsers that prefer neither language. Default: English.',
  }),
};

export const BrandUpdate = Type.Object(
  {
    name: clearable(fields.name),
    support_url: clearable(fields.support_url),
    color: clearable(fields.color),
    logo: clearable(fields.logo),
    language: clearable(fields.language),
  },
  { title: 'BrandUpdate', examples: [{ name: 'Forms Ltd', color: '#0f766e', language: 'en' }] },
);

export const BrandRecord = Type.Object(
  {
    name: nullable(fields.name),
    support_url: nullable(fields.support_url),
    color: nullable(fields.color),
    logo: nullable(fields.logo),
    language: nullable(fields.language),
  },
  { title: 'Brand', description: 'How the seller of the licences appears to customers.' },
);

export const toBrandRecord = ({ supportUrl, ...same }: Brand): Static<typeof BrandRecord> => ({
  ...same,
  support_url: supportUrl,
});
