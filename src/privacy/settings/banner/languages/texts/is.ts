import type { LanguageTexts } from '../schemas.ts';

export const texts = {
  title: 'Persónuvernd þín',
  message:
    'Þessi vefur notar vefkökur og svipaða tækni. Sumar þeirra eru nauðsynlegar til að vefurinn virki. Með samþykki þínu geta þessi vefur og þjónusta þriðju aðila einnig notað þær til að mæla notkun vefsins (tölfræði), til að birta þér viðeigandi auglýsingar (markaðssetning) og til að laga efni að áhugasviði þínu (sérsnið). Þú getur breytt samþykki þínu eða afturkallað það hvenær sem er.',
  opt_out_message:
    'Þessi vefur og þjónusta þriðju aðila nota vafrakökur og svipaða tækni til að mæla heimsóknir, sýna viðeigandi auglýsingar og laga efni að þér. Þú getur hafnað þessu hvenær sem er, þar á meðal allri sölu eða miðlun persónuupplýsinga þinna.',
  opt_out_text: 'Persónuverndarval þitt',
  opted_out_text: 'Beiðni um höfnun virt',
  own_use_text:
    'Nú þegar virkt: {categories}. Vefurinn notar þessi gögn aðeins fyrir sjálfan sig. Þú getur slökkt á þessu hvenær sem er.',
  accept_text: 'Samþykkja allt',
  reject_text: 'Hafna öllu',
  manage_text: 'Stjórna stillingum',
  save_text: 'Vista stillingar',
  privacy_text: 'Persónuverndarstefna',
  receipt_text: 'Sækja kvittun fyrir samþykki',
  consent_id_text: 'Auðkenni samþykkis',
  consent_id_help_text:
    'Gefðu upp þetta auðkenni þegar þú hefur samband við rekstraraðila vefsins vegna vals þíns.',
  withdraw_text: 'Afturkalla samþykki',
  vendors_text: 'Þjónusta og vefkökur',
  session_text: 'þar til vafranum er lokað',
  until_deleted_text: 'þar til því er eytt',
  typical_text: '{duration} (venjulega)',
  reopen_text: 'Persónuverndarstillingar',
  required_text: 'Alltaf virkt',
  placeholder_text: 'Þetta efni kemur frá {host} og gæti safnað upplýsingum um þig.',
  load_text: 'Hlaða einu sinni',
  always_text: 'Leyfa alltaf: {category}',
  shared_text:
    'Þegar þú ert skráð(ur) inn gildir val þitt einnig í öðrum tækjum þínum þar sem þú ert skráð(ur) inn.',
  always_vendor_text: 'Leyfa alltaf: {vendor}',
  categories: {
    functional: {
      label: 'Nauðsynlegar',
      description:
        'Nauðsynlegar til að vefurinn virki, til dæmis til að muna persónuverndarstillingar þínar eða halda þér innskráðum. Ekki er hægt að slökkva á þessum flokki.',
    },
    analytics: {
      label: 'Tölfræði',
      description: 'Mælir heimsóknir og notkun vefsins svo að hægt sé að bæta hann.',
    },
    marketing: {
      label: 'Markaðssetning',
      description:
        'Birtir þér viðeigandi auglýsingar og mælir áhrif þeirra. Þjónustuaðilar geta tengt þessar upplýsingar saman milli vefja.',
    },
    personalisation: {
      label: 'Sérsnið',
      description: 'Man stillingar þínar og lagar efni að áhugasviði þínu.',
    },
  },
} satisfies LanguageTexts;
