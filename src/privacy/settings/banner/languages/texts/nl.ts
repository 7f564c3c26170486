import type { LanguageTexts } from '../schemas.ts';

export const texts = {
  title: 'Uw privacy',
  message:
    'Deze website gebruikt cookies en vergelijkbare technieken. Sommige zijn strikt noodzakelijk om de website te laten werken. Met uw toestemming kunnen deze website en diensten van derden ze ook gebruiken om het gebruik van de website te meten (statistieken), om u relevante advertenties te tonen (marketing) en om de inhoud aan uw interesses aan te passen (personalisatie). U kunt uw toestemming op elk moment wijzigen of intrekken.',
  opt_out_message:
    'Deze website en diensten van derden gebruiken cookies en vergelijkbare technieken om bezoeken te meten, relevante advertenties te tonen en inhoud te personaliseren. U kunt zich op elk moment afmelden, ook voor elke verkoop of elk delen van uw persoonsgegevens.',
  opt_out_text: 'Uw privacykeuzes',
  opted_out_text: 'Afmelding verwerkt',
  own_use_text:
    'Al ingeschakeld: {categories}. Deze website gebruikt deze gegevens alleen voor zichzelf. U kunt dit op elk moment uitschakelen.',
  accept_text: 'Alles accepteren',
  reject_text: 'Alles weigeren',
  manage_text: 'Voorkeuren beheren',
  save_text: 'Voorkeuren opslaan',
  privacy_text: 'Privacyverklaring',
  receipt_text: 'Mijn toestemmingsbewijs downloaden',
  consent_id_text: 'Toestemmings-ID',
  consent_id_help_text:
    'Vermeld deze ID wanneer u over uw keuzes contact opneemt met de beheerder van deze website.',
  withdraw_text: 'Toestemming intrekken',
  vendors_text: 'Diensten en cookies',
  session_text: 'tot u de browser sluit',
  until_deleted_text: 'tot verwijdering',
  typical_text: '{duration} (gebruikelijk)',
  reopen_text: 'Privacyvoorkeuren',
  required_text: 'Altijd actief',
  placeholder_text: 'Deze inhoud wordt geleverd door {host} en kan gegevens over u verzamelen.',
  load_text: 'Eenmalig laden',
  always_text: '{category} altijd toestaan',
  shared_text:
    'Als u bent ingelogd, geldt uw keuze ook op uw andere apparaten waarop u bent ingelogd.',
  always_vendor_text: '{vendor} altijd toestaan',
  categories: {
    functional: {
      label: 'Strikt noodzakelijk',
      description:
        'Nodig om de website te laten werken, bijvoorbeeld om uw privacyvoorkeuren te onthouden of u ingelogd te houden. Deze categorie kan niet worden uitgeschakeld.',
    },
    analytics: {
      label: 'Statistieken',
      description: 'Meet bezoeken en het gebruik van de website, zodat deze kan worden verbeterd.',
    },
    marketing: {
      label: 'Marketing',
      description:
        'Toont u relevante advertenties en meet het effect ervan. Aanbieders kunnen deze gegevens van verschillende websites combineren.',
    },
    personalisation: {
      label: 'Personalisatie',
      description: 'Onthoudt uw voorkeuren en past de inhoud aan uw interesses aan.',
    },
  },
} satisfies LanguageTexts;
