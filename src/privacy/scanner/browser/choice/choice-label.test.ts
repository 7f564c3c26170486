import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LABEL_WORDS, rankLabel, toList } from '../accept-label.ts';
import { CONSENT_WORDS } from '../consent-words.ts';
import { CHOICE_WORDS, type ChoiceRanks, rankChoice } from './choice-label.ts';

const rank = (label: string) => rankChoice(label, CHOICE_WORDS);
const roles = (label: string) =>
  Object.entries(rank(label)).flatMap(([role, at]) => (at > 0 ? [role] : []));

/** As they stand on buttons of real banners. */
const LABELS: Record<string, Record<Exclude<keyof ChoiceRanks, 'reopen'>, string[]>> = {
  bg: {
    reject: ['Отхвърляне на всички', 'Само необходимите'],
    settings: ['Настройки на бисквитките'],
    save: ['Запазване на настройките'],
  },
  cs: {
    reject: ['Odmítnout vše', 'Pouze nezbytné cookies', 'Přijmout jen nezbytné'],
    settings: ['Podrobné nastavení', 'Nastavení cookies'],
    save: ['Uložit nastavení', 'Povolit vybrané'],
  },
  da: {
    reject: ['Afvis alle', 'Kun nødvendige cookies', 'Nej tak'],
    settings: ['Tilpas', 'Vis detaljer'],
    save: ['Tillad valgte', 'Gem og luk'],
  },
  de: {
    reject: [
      'Alle ablehnen',
      'Ablehnen',
      'Nur notwendige Cookies',
      'Nur essenzielle Cookies akzeptieren',
      'Weiter ohne Einwilligung',
      'Nein, danke',
      'Optionale Cookies ablehnen',
      'Alle notwendigen akzeptieren',
      'Weiter mit notwendigen Cookies',
      'Nur funktionale Cookies',
    ],
    settings: [
      'Einstellungen',
      'Cookie-Einstellungen',
      'Individuelle Einstellungen',
      'Mehr Optionen',
      'Auswählen',
      'Mehr',
      'Meine Einstellungen',
      'Privatsphäre-Einstellungen',
    ],
    save: [
      'Auswahl speichern',
      'Auswahl bestätigen',
      'Speichern',
      'Auswahl akzeptieren',
      'Speichern & schließen',
      'Individuelle Auswahl akzeptieren',
    ],
  },
  el: {
    reject: ['Απόρριψη όλων', 'Μόνο τα απαραίτητα'],
    settings: ['Ρυθμίσεις cookies'],
    save: ['Αποθήκευση προτιμήσεων'],
  },
  en: {
    reject: [
      'Reject all',
      'REJECT ALL COOKIES',
      'Decline',
      'Only necessary',
      'Use necessary cookies only',
      'Accept only essential cookies',
      'Continue without accepting',
      'No, thanks',
      'I do not accept',
      'Deny',
      'Reject non-essential cookies',
      'Accept necessary cookies',
      'Reject additional cookies',
      'I decline',
      "Don't allow",
      'Essential only',
      'Rather not',
      'Deactivate all',
    ],
    settings: [
      'Settings',
      'Cookie settings',
      'Manage preferences',
      'Customise',
      'Let me choose',
      'More options',
      'Manage cookies',
      'Show details',
      'Show purposes',
      'More',
      'Set preferences',
    ],
    save: [
      'Save',
      'Save preferences',
      'Confirm my choices',
      'Accept selected',
      'Allow selection',
      'Save & accept',
      'Save & Exit',
      'Save and close',
    ],
  },
  es: {
    reject: [
      'Rechazar todo',
      'Rechazar todas las cookies',
      'Continuar sin aceptar',
      'Solo necesarias',
    ],
    settings: ['Configurar cookies', 'Más opciones'],
    save: ['Guardar preferencias', 'Permitir la selección'],
  },
  et: {
    reject: ['Keeldu kõigist', 'Ainult vajalikud'],
    settings: ['Seaded'],
    save: ['Salvesta valikud'],
  },
  fi: {
    reject: ['Hylkää kaikki', 'Vain välttämättömät evästeet', 'Hyväksy vain välttämättömät'],
    settings: ['Evästeasetukset', 'Muokkaa asetuksia'],
    save: ['Tallenna valinnat', 'Hyväksy valitut'],
  },
  fr: {
    reject: [
      'Tout refuser',
      'Continuer sans accepter',
      'Refuser',
      'Uniquement les cookies nécessaires',
      'Refuser tous les cookies',
      'Je refuse',
      'Interdire tous les cookies',
    ],
    settings: [
      'Personnaliser',
      'Paramétrer les cookies',
      'Gérer mes préférences',
      'En savoir plus',
      'Je personnalise',
    ],
    save: ['Enregistrer mes choix', 'Valider', 'Accepter la sélection'],
  },
  ga: {
    reject: ['Diúltaigh do gach', 'Fianáin riachtanacha amháin'],
    settings: ['Socruithe'],
    save: ['Sábháil na roghanna'],
  },
  hr: {
    reject: ['Odbij sve', 'Samo nužni kolačići'],
    settings: ['Postavke kolačića'],
    save: ['Spremi odabir'],
  },
  hu: {
    reject: ['Összes elutasítása', 'Csak a szükséges sütik'],
    settings: ['Beállítások kezelése'],
    save: ['Beállítások mentése', 'Kiválasztottak elfogadása'],
  },
  it: {
    reject: ['Rifiuta tutto', 'Continua senza accettare', 'Solo i cookie necessari'],
    settings: ['Personalizza', 'Gestisci preferenze'],
    save: ['Salva preferenze', 'Accetta selezionati'],
  },
  lt: {
    reject: ['Atmesti visus', 'Tik būtini slapukai'],
    settings: ['Slapukų nustatymai'],
    save: ['Išsaugoti pasirinkimą'],
  },
  lv: {
    reject: ['Noraidīt visas', 'Tikai nepieciešamās'],
    settings: ['Iestatījumi'],
    save: ['Apstiprināt izvēli'],
  },
  mt: {
    reject: ['Irrifjuta kollox', 'Il-cookies neċessarji biss'],
    settings: ['Immaniġġja l-preferenzi'],
    save: ['Issejvja l-preferenzi'],
  },
  nl: {
    reject: [
      'Alles weigeren',
      'Alleen noodzakelijke cookies',
      'Weigeren',
      'Doorgaan zonder te accepteren',
    ],
    settings: ['Instellingen aanpassen', 'Voorkeuren beheren'],
    save: ['Keuze opslaan', 'Selectie toestaan'],
  },
  pl: {
    reject: ['Odrzuć wszystkie', 'Tylko niezbędne', 'Nie zgadzam się'],
    settings: ['Ustawienia plików cookie', 'Zarządzaj preferencjami'],
    save: ['Zapisz wybór', 'Zaakceptuj wybrane'],
  },
  pt: {
    reject: ['Rejeitar todos', 'Recusar tudo', 'Apenas os necessários', 'Continuar sem aceitar'],
    settings: ['Gerir preferências', 'Configurações de cookies'],
    save: ['Guardar preferências', 'Permitir seleção'],
  },
  ro: {
    reject: ['Respinge toate', 'Doar cele necesare', 'Refuz'],
    settings: ['Setări cookie', 'Personalizează'],
    save: ['Salvează preferințele'],
  },
  sk: {
    reject: ['Odmietnuť všetko', 'Len nevyhnutné'],
    settings: ['Nastavenia cookies'],
    save: ['Uložiť nastavenia', 'Povoliť vybrané'],
  },
  sl: {
    reject: ['Zavrni vse', 'Samo nujni piškotki'],
    settings: ['Nastavitve piškotkov'],
    save: ['Shrani izbiro'],
  },
  sv: {
    reject: ['Avvisa alla', 'Endast nödvändiga kakor', 'Neka alla'],
    settings: ['Hantera inställningar', 'Anpassa'],
    save: ['Spara val', 'Tillåt urval'],
  },
  no: {
    reject: ['Avvis alle', 'Kun nødvendige', 'Bare nødvendige informasjonskapsler'],
    settings: ['Tilpass', 'Innstillinger'],
    save: ['Lagre valg', 'Tillat utvalgte'],
  },
  is: {
    reject: ['Hafna öllum', 'Aðeins nauðsynlegar vafrakökur'],
    settings: ['Stillingar'],
    save: ['Vista val'],
  },
  uk: {
    reject: ['Відхилити всі', 'Лише необхідні'],
    settings: ['Налаштування'],
    save: ['Зберегти вибір'],
  },
  tr: {
    reject: ['Tümünü reddet', 'TÜM ÇEREZLERİ REDDET', 'Yalnızca gerekli çerezler'],
    settings: ['Çerez ayarları', 'Tercihleri yönet'],
    save: ['Seçimi kaydet', 'Tercihlerimi kaydet'],
  },
  ru: {
    reject: ['Отклонить все', 'Только необходимые'],
    settings: ['Настройки'],
    save: ['Сохранить настройки'],
  },
  ar: {
    reject: ['رفض الكل', 'رفض'],
    settings: ['إعدادات', 'إدارة التفضيلات'],
    save: ['حفظ التفضيلات'],
  },
  he: {
    reject: ['דחה הכל', 'רק הכרחיות'],
    settings: ['הגדרות', 'ניהול העדפות'],
    save: ['שמור בחירה'],
  },
  zh: {
    reject: ['全部拒绝', '拒绝所有 Cookie', '仅必要 Cookie', '全部拒絕'],
    settings: ['Cookie 设置', '管理偏好'],
    save: ['保存设置', '确认我的选择'],
  },
  ja: {
    reject: ['すべて拒否', 'すべてのCookieを拒否', '必須のみ', '同意しない'],
    settings: ['Cookie設定', '設定を管理'],
    save: ['設定を保存', '選択を確定'],
  },
  ko: {
    reject: ['모두 거부', '모든 쿠키 거부', '필수만 허용', '동의하지 않음'],
    settings: ['쿠키 설정'],
    save: ['선택 저장', '선택 항목 허용'],
  },
};

test('every language has labels in this test', () => {
  expect(Object.keys(LABELS).sort()).toEqual(Object.keys(CONSENT_WORDS).sort());
});

describe.each(Object.entries(LABELS))('in %s', (_language, { reject, settings, save }) => {
  test.each(reject)('"%s" rejects', (label) => expect(roles(label)).toEqual(['reject']));
  test.each(settings)('"%s" opens the settings', (label) =>
    expect(roles(label)).toContain('settings'),
  );
  test.each(save)('"%s" stores a choice', (label) => expect(roles(label)).toEqual(['save']));
});

test.each([
  'Cookie settings',
  'Cookie preferences',
  'Manage cookies',
  'Privacy settings',
  'Change consent',
  'Withdraw consent',
  'Your privacy choices',
  'Cookie-Einstellungen',
  'Einwilligung widerrufen',
  'Datenschutz-Einstellungen',
  'Gérer mes cookies',
  'Gestisci i cookie',
  'Cookie设置',
  'Cookies',
  'Website Data Collection Preferences',
  'Show Cookie Consent Settings',
  'Open cookie banner',
  'Update cookie preferences',
  'Set cookie preferences',
  'Your cookie choices',
  'My cookie settings',
  'Privacy & cookie settings',
  'Cookie-Hinweis',
  'Gestion des cookies',
  'Panneau de gestion des cookies',
  'Panel de cookies',
  'Gestione cookie',
  'Rivedi le tue scelte sui cookie',
])('"%s" opens the banner again', (label) => expect(rank(label).reopen).toBeGreaterThan(0));

test.each([
  'Settings',
  'Options',
  'Account settings',
  'Privacy policy',
  'Cookie policy',
  'Cookieconsent',
])('"%s" does not open the banner again', (label) => expect(rank(label).reopen).toBe(0));

test.each([
  'Reject and subscribe',
  'Decline and pay',
  'Ablehnen und abonnieren',
  'Refuser et s’abonner',
  'Reject offer',
  'Cancel my order',
  'Save and pay',
  'Confirm purchase',
  'Bestellung bestätigen',
  'Accept necessary and marketing cookies',
  'Reject nothing, accept all',
  'Save and accept all',
  'Necessary',
  'Learn how we reject bots',
  'Our newsletter',
])('"%s" neither rejects nor stores', (label) => {
  expect([rank(label).reject, rank(label).save]).toEqual([0, 0]);
});

const languages = fc.constantFrom(...Object.values(CONSENT_WORDS));
const oneOf = (text: string) => fc.constantFrom(...toList(text));
const end = fc.constantFrom('', ' cookies', ' now', ' (12)', ' →');

describe('no label is taken for a rejection', () => {
  test('that accepts, whatever follows', () => {
    const labels = languages.chain(({ all, accept, and }) =>
      fc
        .tuple(oneOf(all), oneOf(and), oneOf(accept), end)
        .map(([every, also, more, tail]) => [
          every + tail,
          `${every} ${also} ${more}${tail}`,
          `${more} ${also} ${more}${tail}`,
          more + tail,
        ]),
    );
    fc.assert(
      fc.property(labels, (each) => {
        for (const label of each) {
          if (rankLabel(label, LABEL_WORDS) > 0) expect([label, roles(label)]).toEqual([label, []]);
          expect([label, rank(label).reject]).toEqual([label, 0]);
        }
      }),
    );
  });

  test('that names a purchase', () => {
    const labels = languages.chain(({ reject, save, settings, buy, and }) =>
      fc
        .tuple(oneOf(`${reject},${save},${settings}`), oneOf(and), oneOf(buy))
        .map(([choice, also, purchase]) => [
          `${choice} ${also} ${purchase}`,
          `${purchase} ${choice}`,
        ]),
    );
    fc.assert(
      fc.property(labels, (each) => {
        for (const label of each) expect([label, roles(label)]).toEqual([label, []]);
      }),
    );
  });
});
