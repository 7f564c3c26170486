import type { LanguageTexts } from '../schemas.ts';

export const texts = {
  title: 'Confidențialitatea dumneavoastră',
  message:
    'Acest site utilizează module cookie și tehnologii similare. Unele sunt strict necesare pentru funcționarea sa. Cu consimțământul dumneavoastră, acest site și serviciile unor terți le pot utiliza și pentru a măsura modul de utilizare a site-ului (analiză), pentru a vă afișa reclame relevante (publicitate) și pentru a adapta conținutul la interesele dumneavoastră (personalizare). Vă puteți modifica sau retrage consimțământul în orice moment.',
  opt_out_message:
    'Acest site și servicii ale unor terți folosesc cookie-uri și tehnologii similare pentru a măsura vizitele, a afișa reclame relevante și a personaliza conținutul. Vă puteți opune oricând, inclusiv oricărei vânzări sau partajări a datelor dumneavoastră personale.',
  opt_out_text: 'Opțiunile dumneavoastră de confidențialitate',
  opted_out_text: 'Cererea de renunțare a fost respectată',
  own_use_text:
    'Deja activat: {categories}. Acest site folosește aceste date numai pentru sine. Puteți dezactiva oricând această utilizare.',
  accept_text: 'Acceptă tot',
  reject_text: 'Refuză tot',
  manage_text: 'Gestionează preferințele',
  save_text: 'Salvează preferințele',
  privacy_text: 'Politica de confidențialitate',
  receipt_text: 'Descarcă dovada consimțământului',
  consent_id_text: 'Identificatorul consimțământului',
  consent_id_help_text:
    'Menționați acest identificator când contactați operatorul acestui site în legătură cu opțiunile dumneavoastră.',
  withdraw_text: 'Retrage consimțământul',
  vendors_text: 'Servicii și cookie-uri',
  session_text: 'până la închiderea browserului',
  until_deleted_text: 'până la ștergere',
  typical_text: '{duration} (de obicei)',
  reopen_text: 'Opțiuni de confidențialitate',
  required_text: 'Întotdeauna active',
  placeholder_text:
    'Acest conținut este furnizat de {host} și poate colecta date despre dumneavoastră.',
  load_text: 'Încarcă o dată',
  always_text: 'Permite întotdeauna „{category}”',
  shared_text:
    'Dacă sunteți autentificat, alegerea dvs. se aplică și pe celelalte dispozitive ale dvs. pe care sunteți autentificat.',
  always_vendor_text: 'Permite întotdeauna „{vendor}”',
  categories: {
    functional: {
      label: 'Strict necesare',
      description:
        'Necesare pentru funcționarea site-ului, de exemplu pentru a reține opțiunile dumneavoastră de confidențialitate sau pentru a vă menține autentificarea. Această categorie nu poate fi dezactivată.',
    },
    analytics: {
      label: 'Analiză',
      description:
        'Măsoară vizitele și modul de utilizare a site-ului, pentru ca acesta să poată fi îmbunătățit.',
    },
    marketing: {
      label: 'Publicitate',
      description:
        'Vă afișează publicitate relevantă și îi măsoară efectul. Furnizorii pot combina aceste date de pe mai multe site-uri.',
    },
    personalisation: {
      label: 'Personalizare',
      description:
        'Reține preferințele dumneavoastră și adaptează conținutul la interesele dumneavoastră.',
    },
  },
} satisfies LanguageTexts;
