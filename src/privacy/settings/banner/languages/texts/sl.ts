import type { LanguageTexts } from '../schemas.ts';

export const texts = {
  title: 'Vaša zasebnost',
  message:
    'To spletno mesto uporablja piškotke in podobne tehnologije. Nekateri so nujno potrebni za njegovo delovanje. Z vašo privolitvijo jih lahko to spletno mesto in storitve tretjih oseb uporabljajo tudi za merjenje uporabe spletnega mesta (analitika), za prikazovanje za vas relevantnih oglasov (trženje) in za prilagajanje vsebine vašim interesom (personalizacija). Svojo privolitev lahko kadar koli spremenite ali prekličete.',
  opt_out_message:
    'To spletno mesto in storitve tretjih oseb uporabljajo piškotke in podobne tehnologije za merjenje obiska, prikaz ustreznih oglasov in prilagajanje vsebin. Temu lahko kadar koli ugovarjate, tudi vsaki prodaji ali posredovanju vaših osebnih podatkov.',
  opt_out_text: 'Vaše izbire glede zasebnosti',
  opted_out_text: 'Zahteva za zavrnitev je upoštevana',
  own_use_text:
    'Že vklopljeno: {categories}. To spletno mesto te podatke uporablja samo zase. Kadar koli lahko to izklopite.',
  accept_text: 'Sprejmi vse',
  reject_text: 'Zavrni vse',
  manage_text: 'Upravljaj nastavitve',
  save_text: 'Shrani nastavitve',
  privacy_text: 'Politika zasebnosti',
  receipt_text: 'Prenesi potrdilo o privolitvi',
  consent_id_text: 'Identifikator privolitve',
  consent_id_help_text:
    'Navedite ta identifikator, ko se glede svoje izbire obrnete na upravljavca tega spletnega mesta.',
  withdraw_text: 'Prekliči privolitev',
  vendors_text: 'Storitve in piškotki',
  session_text: 'do zaprtja brskalnika',
  until_deleted_text: 'do izbrisa',
  typical_text: '{duration} (običajno)',
  reopen_text: 'Nastavitve zasebnosti',
  required_text: 'Vedno aktivno',
  placeholder_text: 'To vsebino zagotavlja {host} in lahko zbira podatke o vas.',
  load_text: 'Naloži enkrat',
  always_text: 'Vedno dovoli »{category}«',
  shared_text:
    'Ko ste prijavljeni, vaša izbira velja tudi v vaših drugih napravah, v katerih ste prijavljeni.',
  always_vendor_text: 'Vedno dovoli »{vendor}«',
  categories: {
    functional: {
      label: 'Nujno potrebni',
      description:
        'Potrebni za delovanje spletnega mesta, na primer za shranjevanje vaših izbir glede zasebnosti ali za ohranjanje prijave. Te kategorije ni mogoče izklopiti.',
    },
    analytics: {
      label: 'Analitika',
      description: 'Meri obiske in uporabo spletnega mesta, da ga je mogoče izboljšati.',
    },
    marketing: {
      label: 'Trženje',
      description:
        'Prikazuje vam relevantne oglase in meri njihov učinek. Ponudniki lahko te podatke združujejo z različnih spletnih mest.',
    },
    personalisation: {
      label: 'Personalizacija',
      description: 'Shranjuje vaše izbire in prilagaja vsebino vašim interesom.',
    },
  },
} satisfies LanguageTexts;
