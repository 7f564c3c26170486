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
  consent_id_text: 'Piekrišanas identifikators',
  consent_id_help_text:
    'Norādiet šo identifikatoru, kad par savu izvēli sazināties ar šīs vietnes pārzini.',
  withdraw_text: 'Atsaukt piekrišanu',
  vendors_text: 'Pakalpojumi un sīkdatnes',
  session_text: 'līdz pārlūka aizvēršanai',
  until_deleted_text: 'līdz dzēšanai',
  typical_text: '{duration} (parasti)',
  reopen_text: 'Privātuma izvēles',
  required_text: 'Vienmēr aktīvas',
  placeholder_text: 'Šo saturu nodrošina {host}, un tas var vākt datus par Jums.',
  load_text: 'Ielādēt vienreiz',
  always_text: 'Vienmēr atļaut: {category}',
  shared_text:
    'Kad esat pierakstījies, jūsu izvēle ir spēkā arī citās jūsu ierīcēs, kurās esat pierakstījies.',
  always_vendor_text: 'Vienmēr atļaut: {vendor}',
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
