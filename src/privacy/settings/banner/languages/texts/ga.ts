import type { LanguageTexts } from '../schemas.ts';

export const texts = {
  title: 'Do phríobháideachas',
  message:
    'Úsáideann an suíomh gréasáin seo fianáin agus teicneolaíochtaí dá samhail. Tá cuid acu fíor-riachtanach chun go n-oibreoidh an suíomh. Le do thoiliú, féadfaidh an suíomh seo agus seirbhísí tríú páirtí iad a úsáid freisin chun úsáid an tsuímh a thomhas (anailísíocht), chun fógraíocht ábhartha a thaispeáint duit (margaíocht) agus chun an t-ábhar a chur in oiriúint do do chuid spéiseanna (pearsantú). Is féidir leat do thoiliú a athrú nó a tharraingt siar am ar bith.',
  opt_out_message:
    'Úsáideann an suíomh seo agus seirbhísí tríú páirtí fianáin agus teicneolaíochtaí cosúla chun cuairteanna a thomhas, fógraí ábhartha a thaispeáint agus ábhar a phearsantú. Is féidir leat diúltú dó sin am ar bith, lena n-áirítear aon díol nó aon roinnt de do shonraí pearsanta.',
  opt_out_text: 'Do roghanna príobháideachais',
  opted_out_text: 'Urramaíodh d’iarratas diúltaithe',
  own_use_text:
    'Ar siúl cheana féin: {categories}. Úsáideann an suíomh seo na sonraí seo dó féin amháin. Is féidir leat é a mhúchadh am ar bith.',
  accept_text: 'Glac leo uile',
  reject_text: 'Diúltaigh dóibh uile',
  manage_text: 'Bainistigh roghanna',
  save_text: 'Sábháil roghanna',
  privacy_text: 'Ráiteas príobháideachais',
  receipt_text: 'Íoslódáil admháil mo thoilithe',
  consent_id_text: 'Aitheantas toilithe',
  consent_id_help_text:
    'Tabhair an t-aitheantas seo nuair a dhéanann tú teagmháil le hoibreoir an tsuímh ghréasáin seo faoi do roghanna.',
  withdraw_text: 'Tarraing toiliú siar',
  vendors_text: 'Seirbhísí agus fianáin',
  session_text: 'go dtí go ndúnann tú an brabhsálaí',
  until_deleted_text: 'go dtí go scriostar é',
  typical_text: '{duration} (de ghnáth)',
  reopen_text: 'Roghanna príobháideachais',
  required_text: 'Gníomhach i gcónaí',
  placeholder_text:
    'Is é {host} a sholáthraíonn an t-ábhar seo agus d’fhéadfadh sé sonraí fút a bhailiú.',
  load_text: 'Lódáil uair amháin',
  always_text: 'Ceadaigh i gcónaí: {category}',
  shared_text:
    'Má tá tú sínithe isteach, baineann do rogha freisin leis na gléasanna eile ar a bhfuil tú sínithe isteach.',
  always_vendor_text: 'Ceadaigh i gcónaí: {vendor}',
  categories: {
    functional: {
      label: 'Fíor-riachtanach',
      description:
        'Riachtanach chun go n-oibreoidh an suíomh gréasáin, mar shampla chun cuimhneamh ar do roghanna príobháideachais nó chun tú a choinneáil logáilte isteach. Ní féidir an chatagóir seo a mhúchadh.',
    },
    analytics: {
      label: 'Anailísíocht',
      description:
        'Tomhaiseann sé cuairteanna agus úsáid an tsuímh gréasáin ionas gur féidir é a fheabhsú.',
    },
    marketing: {
      label: 'Margaíocht',
      description:
        'Taispeánann sé fógraíocht ábhartha duit agus tomhaiseann sé a héifeacht. Féadfaidh soláthraithe na sonraí seo a chomhcheangal thar shuíomhanna gréasáin.',
    },
    personalisation: {
      label: 'Pearsantú',
      description:
        'Cuimhníonn sé ar do shainroghanna agus cuireann sé an t-ábhar in oiriúint do do chuid spéiseanna.',
    },
  },
} satisfies LanguageTexts;
