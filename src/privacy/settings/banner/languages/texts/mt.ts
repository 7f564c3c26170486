import type { LanguageTexts } from '../schemas.ts';

export const texts = {
  title: 'Il-privatezza tiegħek',
  message:
    'Dan is-sit web juża cookies u teknoloġiji simili. Xi wħud huma strettament meħtieġa biex is-sit jaħdem. Bil-kunsens tiegħek, dan is-sit web u servizzi ta’ partijiet terzi jistgħu jużawhom ukoll biex ikejlu l-użu tas-sit (analitika), biex juruk reklamar rilevanti (kummerċjalizzazzjoni) u biex jadattaw il-kontenut għall-interessi tiegħek (personalizzazzjoni). Tista’ tibdel jew tirtira l-kunsens tiegħek fi kwalunkwe ħin.',
  opt_out_message:
    'Dan is-sit u servizzi ta’ partijiet terzi jużaw cookies u teknoloġiji simili biex ikejlu ż-żjarat, juru reklami rilevanti u jippersonalizzaw il-kontenut. Tista’ topponi għal dan fi kwalunkwe ħin, inkluż għal kwalunkwe bejgħ jew qsim tad-data personali tiegħek.',
  opt_out_text: 'L-għażliet ta’ privatezza tiegħek',
  opted_out_text: 'It-talba ta’ oppożizzjoni ġiet irrispettata',
  own_use_text:
    'Diġà mixgħul: {categories}. Dan is-sit juża din id-data għalih innifsu biss. Tista’ titfih fi kwalunkwe ħin.',
  accept_text: 'Aċċetta kollox',
  reject_text: 'Irrifjuta kollox',
  manage_text: 'Immaniġġja l-preferenzi',
  save_text: 'Issejvja l-preferenzi',
  privacy_text: 'Politika ta’ privatezza',
  receipt_text: 'Niżżel ir-riċevuta tal-kunsens tiegħi',
  consent_id_text: 'Identifikatur tal-kunsens',
  consent_id_help_text:
    'Agħti dan l-identifikatur meta tikkuntattja lill-operatur ta’ dan is-sit web dwar l-għażliet tiegħek.',
  withdraw_text: 'Irtira l-kunsens',
  vendors_text: 'Servizzi u cookies',
  session_text: 'sakemm tagħlaq il-brawżer',
  until_deleted_text: 'sakemm jitħassar',
  typical_text: '{duration} (normalment)',
  reopen_text: 'Għażliet ta’ privatezza',
  required_text: 'Dejjem attivi',
  placeholder_text: 'Dan il-kontenut huwa pprovdut minn {host} u jista’ jiġbor data dwarek.',
  load_text: 'Għabbi darba',
  always_text: 'Ippermetti dejjem: {category}',
  shared_text:
    'Meta tkun illoggjat, l-għażla tiegħek tapplika wkoll fuq l-apparati l-oħra tiegħek fejn tkun illoggjat.',
  always_vendor_text: 'Ippermetti dejjem: {vendor}',
  categories: {
    functional: {
      label: 'Strettament meħtieġa',
      description:
        'Meħtieġa biex is-sit web jaħdem, pereżempju biex jiftakar l-għażliet ta’ privatezza tiegħek jew biex iżommok illoggjat. Din il-kategorija ma tistax tintefa.',
    },
    analytics: {
      label: 'Analitika',
      description: 'Tkejjel iż-żjarat u l-użu tas-sit web sabiex ikun jista’ jitjieb.',
    },
    marketing: {
      label: 'Kummerċjalizzazzjoni',
      description:
        'Turik reklamar rilevanti u tkejjel l-effett tiegħu. Il-fornituri jistgħu jikkombinaw din id-data minn diversi siti web.',
    },
    personalisation: {
      label: 'Personalizzazzjoni',
      description: 'Tiftakar il-preferenzi tiegħek u tadatta l-kontenut għall-interessi tiegħek.',
    },
  },
} satisfies LanguageTexts;
