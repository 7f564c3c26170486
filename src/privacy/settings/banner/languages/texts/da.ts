import type { LanguageTexts } from '../schemas.ts';

export const texts = {
  title: 'Dit privatliv',
  message:
    'Dette websted bruger cookies og lignende teknologier. Nogle er strengt nødvendige for, at webstedet kan fungere. Med dit samtykke kan webstedet og tjenester fra tredjeparter også bruge dem til at måle, hvordan webstedet bruges (statistik), til at vise dig relevante annoncer (markedsføring) og til at tilpasse indhold til dine interesser (personalisering). Du kan til enhver tid ændre dit samtykke eller trække det tilbage.',
  opt_out_message:
    'Dette websted og tjenester fra tredjeparter bruger cookies og lignende teknologier til at måle besøg, vise relevante annoncer og tilpasse indhold. Du kan til enhver tid fravælge det, også ethvert salg eller enhver deling af dine personoplysninger.',
  opt_out_text: 'Dine privatlivsvalg',
  opted_out_text: 'Fravalg efterkommet',
  own_use_text:
    'Allerede slået til: {categories}. Dette websted bruger kun disse data til egne formål. Du kan slå det fra når som helst.',
  accept_text: 'Accepter alle',
  reject_text: 'Afvis alle',
  manage_text: 'Administrer præferencer',
  save_text: 'Gem præferencer',
  privacy_text: 'Privatlivspolitik',
  receipt_text: 'Hent kvittering for mit samtykke',
  consent_id_text: 'Samtykke-id',
  consent_id_help_text: 'Oplys dette id, når du kontakter ejeren af dette websted om dine valg.',
  withdraw_text: 'Træk samtykket tilbage',
  vendors_text: 'Tjenester og cookies',
  session_text: 'indtil du lukker browseren',
  until_deleted_text: 'indtil du sletter det',
  typical_text: '{duration} (typisk)',
  reopen_text: 'Valg om privatliv',
  required_text: 'Altid aktiv',
  placeholder_text: 'Dette indhold leveres af {host} og kan indsamle oplysninger om dig.',
  load_text: 'Indlæs én gang',
  always_text: 'Tillad altid {category}',
  shared_text:
    'Når du er logget ind, gælder dit valg også på dine andre enheder, hvor du er logget ind.',
  always_vendor_text: 'Tillad altid {vendor}',
  categories: {
    functional: {
      label: 'Strengt nødvendige',
      description:
        'Nødvendige for, at webstedet kan fungere, for eksempel for at huske dine valg om privatliv eller for at holde dig logget ind. Denne kategori kan ikke slås fra.',
    },
    analytics: {
      label: 'Statistik',
      description: 'Måler besøg og brugen af webstedet, så det kan forbedres.',
    },
    marketing: {
      label: 'Markedsføring',
      description:
        'Viser dig relevante annoncer og måler deres effekt. Udbydere kan kombinere disse oplysninger på tværs af websteder.',
    },
    personalisation: {
      label: 'Personalisering',
      description: 'Husker dine præferencer og tilpasser indhold til dine interesser.',
    },
  },
} satisfies LanguageTexts;
