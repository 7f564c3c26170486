import type { LanguageTexts } from '../schemas.ts';

export const texts = {
  title: 'Jūsu privātums',
  message:
    'Šī tīmekļa vietne izmanto sīkdatnes un līdzīgas tehnoloģijas. Dažas no tām ir obligāti nepieciešamas vietnes darbībai. Ar Jūsu piekrišanu šī vietne un trešo personu pakalpojumi var tās izmantot arī, lai mērītu vietnes izmantošanu (analītika), rādītu Jums atbilstošu reklāmu (mārketings) un pielāgotu saturu Jūsu interesēm (personalizācija). Savu piekrišanu varat jebkurā laikā mainīt vai atsaukt.',
  opt_out_message:
    'Šī vietne un trešo pušu pakalpojumi izmanto sīkdatnes un līdzīgas tehnoloģijas, lai mērītu apmeklējumus, rādītu atbilstošas reklāmas un personalizētu saturu. Jūs jebkurā laikā varat no tā atteikties, arī no jebkādas jūsu personas datu pārdošanas vai kopīgošanas.',
  opt_out_text: 'Jūsu privātuma izvēles',
  opted_out_text: 'Atteikuma pieprasījums ievērots',
  own_use_text:
    'Jau ieslēgts: {categories}. Šī vietne šos datus izmanto tikai savām vajadzībām. Jūs to varat izslēgt jebkurā laikā.',
  accept_text: 'Pieņemt visas',
  reject_text: 'Noraidīt visas',
  manage_text: 'Pārvaldīt izvēles',
  save_text: 'Saglabāt izvēles',
  privacy_text: 'Privātuma politika',
  receipt_text: 'Lejupielādēt piekrišanas apliecinājumu',
  reopen_text: 'Privātuma izvēles',
  required_text: 'Vienmēr aktīvas',
  placeholder_text: 'Šo saturu nodrošina {host}, un tas var vākt datus par Jums.',
  load_text: 'Ielādēt vienreiz',
  always_text: 'Vienmēr atļaut: {category}',
  categories: {
    functional: {
      label: 'Obligāti nepieciešamās',
      description:
        'Nepieciešamas vietnes darbībai, piemēram, lai atcerētos Jūsu privātuma izvēles vai saglabātu Jūsu pieslēgšanos. Šo kategoriju nevar izslēgt.',
    },
    analytics: {
      label: 'Analītika',
      description: 'Mēra apmeklējumus un vietnes izmantošanu, lai vietni varētu uzlabot.',
    },
    marketing: {
      label: 'Mārketings',
      description:
        'Rāda Jums atbilstošu reklāmu un mēra tās ietekmi. Pakalpojumu sniedzēji var apvienot šos datus no vairākām vietnēm.',
    },
    personalisation: {
      label: 'Personalizācija',
      description: 'Atceras Jūsu izvēles un pielāgo saturu Jūsu interesēm.',
    },
  },
} satisfies LanguageTexts;
