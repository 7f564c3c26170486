import type { LanguageTexts } from '../schemas.ts';

export const texts = {
  title: 'Vaše soukromí',
  message:
    'Tyto webové stránky používají soubory cookie a podobné technologie. Některé jsou nezbytně nutné pro jejich fungování. S vaším souhlasem je tyto stránky a služby třetích stran mohou používat také k měření návštěvnosti a způsobu používání stránek (analytika), k zobrazování relevantní reklamy (marketing) a k přizpůsobení obsahu vašim zájmům (personalizace). Svůj souhlas můžete kdykoli změnit nebo odvolat.',
  opt_out_message:
    'Tento web a služby třetích stran používají soubory cookie a podobné technologie k měření návštěvnosti, zobrazování relevantních reklam a přizpůsobení obsahu. Kdykoli to můžete odmítnout, včetně jakéhokoli prodeje nebo sdílení vašich osobních údajů.',
  opt_out_text: 'Vaše volby ochrany soukromí',
  opted_out_text: 'Odmítnutí bylo respektováno',
  own_use_text:
    'Již zapnuto: {categories}. Tento web používá tyto údaje jen pro sebe. Kdykoli to můžete vypnout.',
  accept_text: 'Přijmout vše',
  reject_text: 'Odmítnout vše',
  manage_text: 'Spravovat předvolby',
  save_text: 'Uložit předvolby',
  privacy_text: 'Zásady ochrany osobních údajů',
  receipt_text: 'Stáhnout potvrzení o souhlasu',
  consent_id_text: 'Identifikátor souhlasu',
  consent_id_help_text:
    'Uveďte tento identifikátor, když se ohledně své volby obrátíte na provozovatele tohoto webu.',
  withdraw_text: 'Odvolat souhlas',
  vendors_text: 'Služby a soubory cookie',
  session_text: 'do zavření prohlížeče',
  until_deleted_text: 'do smazání',
  typical_text: '{duration} (obvykle)',
  reopen_text: 'Nastavení soukromí',
  required_text: 'Vždy aktivní',
  placeholder_text: 'Tento obsah poskytuje {host} a může o vás shromažďovat údaje.',
  load_text: 'Načíst jednou',
  always_text: 'Vždy povolit „{category}“',
  shared_text:
    'Pokud jste přihlášeni, platí vaše volba i na vašich dalších zařízeních, na kterých jste přihlášeni.',
  always_vendor_text: 'Vždy povolit „{vendor}“',
  categories: {
    functional: {
      label: 'Nezbytně nutné',
      description:
        'Jsou potřebné pro fungování webových stránek, například k zapamatování vašich voleb ochrany soukromí nebo k udržení vašeho přihlášení. Tuto kategorii nelze vypnout.',
    },
    analytics: {
      label: 'Analytika',
      description:
        'Měří návštěvy a způsob používání webových stránek, aby je bylo možné zlepšovat.',
    },
    marketing: {
      label: 'Marketing',
      description:
        'Zobrazuje vám relevantní reklamu a měří její účinek. Poskytovatelé mohou tyto údaje propojovat napříč webovými stránkami.',
    },
    personalisation: {
      label: 'Personalizace',
      description: 'Pamatuje si vaše preference a přizpůsobuje obsah vašim zájmům.',
    },
  },
} satisfies LanguageTexts;
