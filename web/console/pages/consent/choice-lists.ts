import type { ConsentSettings } from '../../api/types.ts';

export interface Choice<Value extends string> {
  value: Value;
  label: string;
  description: string;
}

/** When visitors are asked again, in the order in which the server saves them. */
export const REASONS: readonly Choice<ConsentSettings['ask_again_on'][number]>[] = [
  {
    value: 'vendors',
    label: 'A vendor is added',
    description: 'Vendors of active data map entries whose legal basis is consent',
  },
  {
    value: 'purposes',
    label: 'A purpose is added or reworded',
    description: 'Purposes of the same entries',
  },
  {
    value: 'categories',
    label: 'The categories change',
    description: 'One is added, removed, or made required or optional',
  },
  {
    value: 'texts',
    label: 'A text changes in any language',
    description:
      'Title, message, address of the privacy policy, names and descriptions of categories',
  },
];

/** The services that the banner can inform, in the order in which the server saves them. */
export const SIGNALS: readonly Choice<ConsentSettings['signals'][number]>[] = [
  {
    value: 'google',
    label: 'Google Consent Mode v2',
    description:
      'Denies storage before tags of Google run, and sends each choice. You need it if the site uses Google Tag Manager, Analytics or Ads: without it, their tags do not know what visitors have chosen.',
  },
  {
    value: 'wordpress',
    label: 'WP Consent API',
    description:
      'Answers plugins that ask for consent with the WP Consent API. You need it for a WordPress site with such plugins.',
  },
  {
    value: 'uet',
    label: 'Microsoft Advertising (UET)',
    description:
      'Sends whether marketing is accepted. You need it for visitors in the EEA, the United Kingdom and Switzerland: without it, Microsoft assumes that they refuse.',
  },
  {
    value: 'clarity',
    label: 'Microsoft Clarity',
    description:
      'Sends whether analytics and marketing are accepted. You need it for visitors in the same countries: without it, Clarity sets no cookies for them.',
  },
  {
    value: 'meta',
    label: 'Meta Pixel',
    description:
      'Pauses the events of the pixel until marketing is accepted. You need it if the pixel loads before consent.',
  },
  {
    value: 'shopify',
    label: 'Shopify',
    description:
      'Passes each choice to the Customer Privacy API. You need it for a Shopify shop: Shopify applies the choice to its own pixels, audiences and checkout.',
  },
];

export const REGIME_MODES: Record<ConsentSettings['regimes']['mode'], string> = {
  opt_in_everywhere: 'Ask all visitors for consent',
  by_country: 'Ask by the rules of each country',
};
