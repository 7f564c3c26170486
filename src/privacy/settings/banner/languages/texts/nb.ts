import type { LanguageTexts } from '../schemas.ts';

export const texts = {
  title: 'Ditt personvern',
  message:
    'Dette nettstedet bruker informasjonskapsler og lignende teknologier. Noen er strengt nødvendige for at nettstedet skal fungere. Med ditt samtykke kan nettstedet og tjenester fra tredjeparter også bruke dem til å måle hvordan nettstedet brukes (statistikk), til å vise deg relevante annonser (markedsføring) og til å tilpasse innhold til dine interesser (persontilpasning). Du kan når som helst endre samtykket eller trekke det tilbake.',
  opt_out_message:
    'Dette nettstedet og tjenester fra tredjeparter bruker informasjonskapsler og lignende teknologi for å måle besøk, vise relevante annonser og tilpasse innhold. Du kan når som helst reservere deg, også mot salg eller deling av personopplysningene dine.',
  opt_out_text: 'Dine personvernvalg',
  opted_out_text: 'Reservasjonen er tatt til følge',
  own_use_text:
    'Allerede på: {categories}. Dette nettstedet bruker disse dataene bare til egne formål. Du kan slå det av når som helst.',
  accept_text: 'Godta alle',
  reject_text: 'Avvis alle',
  manage_text: 'Administrer valg',
  save_text: 'Lagre valg',
  privacy_text: 'Personvernerklæring',
  receipt_text: 'Last ned kvittering for samtykket',
  consent_id_text: 'Samtykke-ID',
  consent_id_help_text: 'Oppgi denne ID-en når du kontakter eieren av nettstedet om valgene dine.',
  withdraw_text: 'Trekk tilbake samtykket',
  vendors_text: 'Tjenester og informasjonskapsler',
  session_text: 'til du lukker nettleseren',
  until_deleted_text: 'til det slettes',
  typical_text: '{duration} (vanligvis)',
  reopen_text: 'Personvernvalg',
  required_text: 'Alltid aktiv',
  placeholder_text: 'Dette innholdet leveres av {host} og kan samle inn opplysninger om deg.',
  load_text: 'Last inn én gang',
  always_text: 'Tillat alltid {category}',
  shared_text:
    'Når du er logget inn, gjelder valget ditt også på de andre enhetene dine der du er logget inn.',
  always_vendor_text: 'Tillat alltid {vendor}',
  categories: {
    functional: {
      label: 'Strengt nødvendige',
      description:
        'Nødvendige for at nettstedet skal fungere, for eksempel for å huske personvernvalgene dine eller holde deg innlogget. Denne kategorien kan ikke slås av.',
    },
    analytics: {
      label: 'Statistikk',
      description: 'Måler besøk og hvordan nettstedet brukes, slik at det kan forbedres.',
    },
    marketing: {
      label: 'Markedsføring',
      description:
        'Viser deg relevante annonser og måler effekten av dem. Leverandører kan sammenstille disse opplysningene på tvers av nettsteder.',
    },
    personalisation: {
      label: 'Persontilpasning',
      description: 'Husker valgene dine og tilpasser innhold til dine interesser.',
    },
  },
} satisfies LanguageTexts;
