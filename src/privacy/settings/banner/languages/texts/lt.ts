import type { LanguageTexts } from '../schemas.ts';

export const texts = {
  title: 'Jūsų privatumas',
  message:
    'Šioje svetainėje naudojami slapukai ir panašios technologijos. Kai kurie iš jų yra būtini svetainei veikti. Jums sutikus, ši svetainė ir trečiųjų šalių paslaugos gali juos naudoti ir tam, kad matuotų svetainės naudojimą (analizė), rodytų jums aktualią reklamą (rinkodara) ir pritaikytų turinį jūsų pomėgiams (asmeninimas). Savo sutikimą galite bet kada pakeisti arba atšaukti.',
  opt_out_message:
    'Ši svetainė ir trečiųjų šalių paslaugos naudoja slapukus ir panašias technologijas apsilankymams matuoti, aktualiai reklamai rodyti ir turiniui pritaikyti. Galite bet kada to atsisakyti, taip pat ir bet kokio jūsų asmens duomenų pardavimo ar dalijimosi jais.',
  opt_out_text: 'Jūsų privatumo pasirinkimai',
  opted_out_text: 'Į atsisakymo prašymą atsižvelgta',
  own_use_text:
    'Jau įjungta: {categories}. Ši svetainė šiuos duomenis naudoja tik savo reikmėms. Galite tai bet kada išjungti.',
  accept_text: 'Priimti visus',
  reject_text: 'Atmesti visus',
  manage_text: 'Tvarkyti nuostatas',
  save_text: 'Įrašyti nuostatas',
  privacy_text: 'Privatumo politika',
  receipt_text: 'Atsisiųsti sutikimo patvirtinimą',
  consent_id_text: 'Sutikimo identifikatorius',
  consent_id_help_text:
    'Nurodykite šį identifikatorių, kai dėl savo pasirinkimų kreipiatės į šios svetainės valdytoją.',
  withdraw_text: 'Atšaukti sutikimą',
  vendors_text: 'Paslaugos ir slapukai',
  session_text: 'iki naršyklės uždarymo',
  until_deleted_text: 'iki ištrynimo',
  typical_text: '{duration} (paprastai)',
  reopen_text: 'Privatumo nuostatos',
  required_text: 'Visada įjungta',
  placeholder_text: 'Šį turinį teikia {host}; jis gali rinkti duomenis apie jus.',
  load_text: 'Įkelti vieną kartą',
  always_text: 'Visada leisti: {category}',
  shared_text:
    'Kai esate prisijungę, jūsų pasirinkimas galioja ir kituose jūsų įrenginiuose, kuriuose esate prisijungę.',
  always_vendor_text: 'Visada leisti: {vendor}',
  categories: {
    functional: {
      label: 'Būtinieji',
      description:
        'Būtini svetainei veikti, pavyzdžiui, kad būtų įsimintos jūsų privatumo nuostatos arba kad liktumėte prisijungę. Šios kategorijos išjungti negalima.',
    },
    analytics: {
      label: 'Analizė',
      description: 'Matuoja apsilankymus ir svetainės naudojimą, kad ją būtų galima tobulinti.',
    },
    marketing: {
      label: 'Rinkodara',
      description:
        'Rodo jums aktualią reklamą ir matuoja jos poveikį. Paslaugų teikėjai gali susieti šiuos duomenis iš kelių svetainių.',
    },
    personalisation: {
      label: 'Asmeninimas',
      description: 'Įsimena jūsų nuostatas ir pritaiko turinį jūsų pomėgiams.',
    },
  },
} satisfies LanguageTexts;
