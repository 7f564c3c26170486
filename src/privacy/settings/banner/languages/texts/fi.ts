import type { LanguageTexts } from '../schemas.ts';

export const texts = {
  title: 'Yksityisyytesi',
  message:
    'Tämä verkkosivusto käyttää evästeitä ja vastaavia tekniikoita. Osa niistä on välttämättömiä sivuston toiminnalle. Suostumuksellasi tämä sivusto ja kolmansien osapuolten palvelut voivat käyttää niitä myös sivuston käytön mittaamiseen (analytiikka), sinulle olennaisen mainonnan näyttämiseen (markkinointi) ja sisällön mukauttamiseen kiinnostuksen kohteidesi mukaan (personointi). Voit muuttaa suostumustasi tai peruuttaa sen milloin tahansa.',
  opt_out_message:
    'Tämä sivusto ja kolmansien osapuolten palvelut käyttävät evästeitä ja vastaavia tekniikoita käyntien mittaamiseen, kiinnostavien mainosten näyttämiseen ja sisällön mukauttamiseen. Voit kieltää tämän milloin tahansa, myös henkilötietojesi mahdollisen myynnin tai jakamisen.',
  opt_out_text: 'Tietosuojavalintasi',
  opted_out_text: 'Kieltopyyntö huomioitu',
  own_use_text:
    'Jo käytössä: {categories}. Sivusto käyttää näitä tietoja vain omiin tarkoituksiinsa. Voit poistaa tämän käytöstä milloin tahansa.',
  accept_text: 'Hyväksy kaikki',
  reject_text: 'Hylkää kaikki',
  manage_text: 'Hallinnoi valintoja',
  save_text: 'Tallenna valinnat',
  privacy_text: 'Tietosuojaseloste',
  receipt_text: 'Lataa todiste suostumuksesta',
  consent_id_text: 'Suostumuksen tunniste',
  consent_id_help_text:
    'Ilmoita tämä tunniste, kun otat valintojasi koskevissa asioissa yhteyttä tämän sivuston ylläpitäjään.',
  withdraw_text: 'Peruuta suostumus',
  vendors_text: 'Palvelut ja evästeet',
  session_text: 'selaimen sulkemiseen asti',
  until_deleted_text: 'poistamiseen asti',
  typical_text: '{duration} (yleensä)',
  reopen_text: 'Yksityisyysvalinnat',
  required_text: 'Aina käytössä',
  placeholder_text: 'Tämän sisällön tarjoaa {host}, ja se voi kerätä tietoja sinusta.',
  load_text: 'Lataa kerran',
  always_text: 'Salli aina: {category}',
  shared_text:
    'Kun olet kirjautunut sisään, valintasi koskee myös muita laitteitasi, joilla olet kirjautunut sisään.',
  always_vendor_text: 'Salli aina: {vendor}',
  categories: {
    functional: {
      label: 'Välttämättömät',
      description:
        'Tarvitaan sivuston toimintaan, esimerkiksi yksityisyysvalintojesi muistamiseen tai kirjautumisesi säilyttämiseen. Tätä luokkaa ei voi poistaa käytöstä.',
    },
    analytics: {
      label: 'Analytiikka',
      description: 'Mittaa käyntejä ja sivuston käyttöä, jotta sivustoa voidaan parantaa.',
    },
    marketing: {
      label: 'Markkinointi',
      description:
        'Näyttää sinulle olennaista mainontaa ja mittaa sen vaikutusta. Palveluntarjoajat voivat yhdistää näitä tietoja eri sivustoilta.',
    },
    personalisation: {
      label: 'Personointi',
      description: 'Muistaa valintasi ja mukauttaa sisältöä kiinnostuksen kohteidesi mukaan.',
    },
  },
} satisfies LanguageTexts;
