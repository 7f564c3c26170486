import type { LanguageTexts } from '../schemas.ts';

export const texts = {
  title: 'Vaša privatnost',
  message:
    'Ova web-stranica upotrebljava kolačiće i slične tehnologije. Neki su nužni za njezin rad. Uz vašu privolu ova web-stranica i usluge trećih strana mogu ih upotrebljavati i za mjerenje načina korištenja web-stranice (analitika), za prikazivanje relevantnih oglasa (marketing) i za prilagodbu sadržaja vašim interesima (personalizacija). Svoju privolu možete promijeniti ili povući u bilo kojem trenutku.',
  opt_out_message:
    'Ova stranica i usluge trećih strana upotrebljavaju kolačiće i slične tehnologije za mjerenje posjeta, prikaz relevantnih oglasa i prilagodbu sadržaja. Tome se u svakom trenutku možete usprotiviti, uključujući svaku prodaju ili dijeljenje vaših osobnih podataka.',
  opt_out_text: 'Vaši odabiri privatnosti',
  opted_out_text: 'Zahtjev za odbijanje je poštovan',
  own_use_text:
    'Već uključeno: {categories}. Ova stranica te podatke upotrebljava samo za sebe. To možete isključiti u svakom trenutku.',
  accept_text: 'Prihvati sve',
  reject_text: 'Odbij sve',
  manage_text: 'Upravljaj postavkama',
  save_text: 'Spremi postavke',
  privacy_text: 'Politika privatnosti',
  receipt_text: 'Preuzmi potvrdu o privoli',
  consent_id_text: 'Identifikator privole',
  consent_id_help_text:
    'Navedite ovaj identifikator kada se u vezi sa svojim odabirom obraćate voditelju ove web-stranice.',
  withdraw_text: 'Povuci privolu',
  vendors_text: 'Usluge i kolačići',
  session_text: 'do zatvaranja preglednika',
  until_deleted_text: 'do brisanja',
  typical_text: '{duration} (uobičajeno)',
  reopen_text: 'Postavke privatnosti',
  required_text: 'Uvijek aktivno',
  placeholder_text: 'Ovaj sadržaj pruža {host} i može prikupljati podatke o vama.',
  load_text: 'Učitaj jednom',
  always_text: 'Uvijek dopusti „{category}”',
  shared_text:
    'Dok ste prijavljeni, vaš odabir vrijedi i na vašim drugim uređajima na kojima ste prijavljeni.',
  always_vendor_text: 'Uvijek dopusti „{vendor}”',
  categories: {
    functional: {
      label: 'Nužni',
      description:
        'Potrebni za rad web-stranice, na primjer kako bi se zapamtio vaš odabir u vezi s privatnošću ili kako biste ostali prijavljeni. Ova se kategorija ne može isključiti.',
    },
    analytics: {
      label: 'Analitika',
      description: 'Mjeri posjete i način korištenja web-stranice kako bi se ona mogla poboljšati.',
    },
    marketing: {
      label: 'Marketing',
      description:
        'Prikazuje vam relevantne oglase i mjeri njihov učinak. Pružatelji usluga mogu te podatke objediniti s više web-stranica.',
    },
    personalisation: {
      label: 'Personalizacija',
      description: 'Pamti vaše preferencije i prilagođava sadržaj vašim interesima.',
    },
  },
} satisfies LanguageTexts;
