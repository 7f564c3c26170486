import type { LanguageTexts } from '../schemas.ts';

export const texts = {
  title: 'Państwa prywatność',
  message:
    'Ta strona korzysta z plików cookie i podobnych technologii. Niektóre z nich są niezbędne do jej działania. Za Państwa zgodą ta strona oraz usługi podmiotów trzecich mogą z nich korzystać również w celu mierzenia sposobu korzystania ze strony (analityka), wyświetlania dopasowanych reklam (marketing) i dostosowywania treści do Państwa zainteresowań (personalizacja). Zgodę można w każdej chwili zmienić lub wycofać.',
  opt_out_message:
    'Ta witryna i usługi podmiotów trzecich używają plików cookie i podobnych technologii do mierzenia odwiedzin, wyświetlania odpowiednich reklam i personalizowania treści. W każdej chwili możesz z tego zrezygnować, także ze sprzedaży lub udostępniania Twoich danych osobowych.',
  opt_out_text: 'Twoje wybory dotyczące prywatności',
  opted_out_text: 'Rezygnacja została uwzględniona',
  own_use_text:
    'Już włączone: {categories}. Ta witryna używa tych danych tylko na własne potrzeby. W każdej chwili możesz to wyłączyć.',
  accept_text: 'Zaakceptuj wszystkie',
  reject_text: 'Odrzuć wszystkie',
  manage_text: 'Zarządzaj ustawieniami',
  save_text: 'Zapisz ustawienia',
  privacy_text: 'Polityka prywatności',
  receipt_text: 'Pobierz potwierdzenie zgody',
  consent_id_text: 'Identyfikator zgody',
  consent_id_help_text:
    'Podaj ten identyfikator, kontaktując się z operatorem tej witryny w sprawie swoich wyborów.',
  withdraw_text: 'Wycofaj zgodę',
  vendors_text: 'Usługi i pliki cookie',
  session_text: 'do zamknięcia przeglądarki',
  until_deleted_text: 'do usunięcia',
  typical_text: '{duration} (zwykle)',
  reopen_text: 'Ustawienia prywatności',
  required_text: 'Zawsze aktywne',
  placeholder_text: 'Ta treść jest dostarczana przez {host} i może zbierać dane na Państwa temat.',
  load_text: 'Załaduj raz',
  always_text: 'Zawsze zezwalaj: {category}',
  shared_text:
    'Gdy użytkownik jest zalogowany, jego wybór obowiązuje także na innych urządzeniach, na których jest zalogowany.',
  always_vendor_text: 'Zawsze zezwalaj: {vendor}',
  categories: {
    functional: {
      label: 'Niezbędne',
      description:
        'Potrzebne do działania strony, na przykład do zapamiętania wyborów dotyczących prywatności lub utrzymania zalogowania. Tej kategorii nie można wyłączyć.',
    },
    analytics: {
      label: 'Analityka',
      description: 'Mierzy odwiedziny i sposób korzystania ze strony, aby można ją było ulepszać.',
    },
    marketing: {
      label: 'Marketing',
      description:
        'Wyświetla dopasowane reklamy i mierzy ich skuteczność. Dostawcy mogą łączyć te dane z wielu stron.',
    },
    personalisation: {
      label: 'Personalizacja',
      description: 'Zapamiętuje preferencje i dostosowuje treści do Państwa zainteresowań.',
    },
  },
} satisfies LanguageTexts;
