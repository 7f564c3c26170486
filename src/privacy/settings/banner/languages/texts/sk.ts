import type { LanguageTexts } from '../schemas.ts';

export const texts = {
  title: 'Vaše súkromie',
  message:
    'Táto webová stránka používa súbory cookie a podobné technológie. Niektoré sú nevyhnutne potrebné na jej fungovanie. S vaším súhlasom ich táto stránka a služby tretích strán môžu používať aj na meranie spôsobu používania stránky (analytika), na zobrazovanie relevantnej reklamy (marketing) a na prispôsobenie obsahu vašim záujmom (personalizácia). Svoj súhlas môžete kedykoľvek zmeniť alebo odvolať.',
  opt_out_message:
    'Táto stránka a služby tretích strán používajú súbory cookie a podobné technológie na meranie návštevnosti, zobrazovanie relevantných reklám a prispôsobenie obsahu. Kedykoľvek to môžete odmietnuť vrátane akéhokoľvek predaja alebo zdieľania vašich osobných údajov.',
  opt_out_text: 'Vaše voľby ochrany súkromia',
  opted_out_text: 'Odmietnutie bolo rešpektované',
  own_use_text:
    'Už zapnuté: {categories}. Táto stránka používa tieto údaje iba pre seba. Kedykoľvek to môžete vypnúť.',
  accept_text: 'Prijať všetko',
  reject_text: 'Odmietnuť všetko',
  manage_text: 'Spravovať predvoľby',
  save_text: 'Uložiť predvoľby',
  privacy_text: 'Zásady ochrany osobných údajov',
  receipt_text: 'Stiahnuť potvrdenie o súhlase',
  consent_id_text: 'Identifikátor súhlasu',
  consent_id_help_text:
    'Uveďte tento identifikátor, keď sa v súvislosti so svojou voľbou obrátite na prevádzkovateľa tejto webovej stránky.',
  withdraw_text: 'Odvolať súhlas',
  vendors_text: 'Služby a súbory cookie',
  session_text: 'do zatvorenia prehliadača',
  until_deleted_text: 'do vymazania',
  typical_text: '{duration} (zvyčajne)',
  reopen_text: 'Nastavenia súkromia',
  required_text: 'Vždy aktívne',
  placeholder_text: 'Tento obsah poskytuje {host} a môže o vás zhromažďovať údaje.',
  load_text: 'Načítať raz',
  always_text: 'Vždy povoliť „{category}“',
  shared_text:
    'Keď ste prihlásení, vaša voľba platí aj na vašich ďalších zariadeniach, na ktorých ste prihlásení.',
  always_vendor_text: 'Vždy povoliť „{vendor}“',
  categories: {
    functional: {
      label: 'Nevyhnutne potrebné',
      description:
        'Sú potrebné na fungovanie webovej stránky, napríklad na zapamätanie vašich volieb ochrany súkromia alebo na udržanie vášho prihlásenia. Túto kategóriu nemožno vypnúť.',
    },
    analytics: {
      label: 'Analytika',
      description:
        'Meria návštevy a spôsob používania webovej stránky, aby ju bolo možné zlepšovať.',
    },
    marketing: {
      label: 'Marketing',
      description:
        'Zobrazuje vám relevantnú reklamu a meria jej účinok. Poskytovatelia môžu tieto údaje spájať z viacerých webových stránok.',
    },
    personalisation: {
      label: 'Personalizácia',
      description: 'Pamätá si vaše preferencie a prispôsobuje obsah vašim záujmom.',
    },
  },
} satisfies LanguageTexts;
