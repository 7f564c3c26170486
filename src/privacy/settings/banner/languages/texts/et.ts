import type { LanguageTexts } from '../schemas.ts';

export const texts = {
  title: 'Teie privaatsus',
  message:
    'See veebisait kasutab küpsiseid ja sarnaseid tehnoloogiaid. Mõned neist on veebisaidi toimimiseks hädavajalikud. Teie nõusolekul võivad see veebisait ja kolmandate isikute teenused kasutada neid ka veebisaidi kasutamise mõõtmiseks (analüütika), teile asjakohase reklaami näitamiseks (turundus) ja sisu kohandamiseks teie huvidega (isikupärastamine). Võite oma nõusolekut igal ajal muuta või selle tagasi võtta.',
  opt_out_message:
    'See sait ja kolmandate isikute teenused kasutavad küpsiseid ja sarnaseid tehnoloogiaid, et mõõta külastusi, näidata asjakohaseid reklaame ja isikupärastada sisu. Saate sellest igal ajal loobuda, sealhulgas oma isikuandmete mis tahes müügist või jagamisest.',
  opt_out_text: 'Teie privaatsusvalikud',
  opted_out_text: 'Loobumistaotlust on arvestatud',
  own_use_text:
    'Juba sees: {categories}. See sait kasutab neid andmeid ainult enda jaoks. Saate selle igal ajal välja lülitada.',
  accept_text: 'Nõustu kõigiga',
  reject_text: 'Keeldu kõigist',
  manage_text: 'Halda eelistusi',
  save_text: 'Salvesta eelistused',
  privacy_text: 'Andmekaitsetingimused',
  receipt_text: 'Laadi alla nõusoleku kinnitus',
  consent_id_text: 'Nõusoleku tunnus',
  consent_id_help_text:
    'Esitage see tunnus, kui pöördute oma valikute asjus selle veebisaidi haldaja poole.',
  withdraw_text: 'Võta nõusolek tagasi',
  vendors_text: 'Teenused ja küpsised',
  session_text: 'kuni brauseri sulgemiseni',
  until_deleted_text: 'kuni kustutamiseni',
  typical_text: '{duration} (tavaliselt)',
  reopen_text: 'Privaatsusvalikud',
  required_text: 'Alati sisse lülitatud',
  placeholder_text: 'Seda sisu pakub {host} ja see võib koguda teie kohta andmeid.',
  load_text: 'Laadi üks kord',
  always_text: 'Luba alati „{category}“',
  shared_text:
    'Kui olete sisse logitud, kehtib teie valik ka teie teistes seadmetes, kus olete sisse logitud.',
  always_vendor_text: 'Luba alati „{vendor}“',
  categories: {
    functional: {
      label: 'Hädavajalikud',
      description:
        'Vajalikud veebisaidi toimimiseks, näiteks teie privaatsusvalikute meeldejätmiseks või teie sisselogituna hoidmiseks. Seda kategooriat ei saa välja lülitada.',
    },
    analytics: {
      label: 'Analüütika',
      description: 'Mõõdab külastusi ja veebisaidi kasutamist, et veebisaiti täiustada.',
    },
    marketing: {
      label: 'Turundus',
      description:
        'Näitab teile asjakohast reklaami ja mõõdab selle mõju. Teenusepakkujad võivad neid andmeid eri veebisaitide vahel kombineerida.',
    },
    personalisation: {
      label: 'Isikupärastamine',
      description: 'Jätab meelde teie eelistused ja kohandab sisu teie huvidega.',
    },
  },
} satisfies LanguageTexts;
