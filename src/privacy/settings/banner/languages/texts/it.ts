import type { LanguageTexts } from '../schemas.ts';

export const texts = {
  title: 'La Sua privacy',
  message:
    'Questo sito utilizza cookie e tecnologie simili. Alcuni sono strettamente necessari al suo funzionamento. Con il Suo consenso, questo sito e servizi di terze parti possono utilizzarli anche per misurare l’utilizzo del sito (statistiche), per mostrarLe pubblicità pertinente (marketing) e per adattare i contenuti ai Suoi interessi (personalizzazione). Può modificare o revocare il Suo consenso in qualsiasi momento.',
  opt_out_message:
    'Questo sito e servizi di terze parti utilizzano cookie e tecnologie simili per misurare le visite, mostrare annunci pertinenti e personalizzare i contenuti. Può opporsi in qualsiasi momento, anche a ogni vendita o condivisione dei Suoi dati personali.',
  opt_out_text: 'Le Sue scelte sulla privacy',
  opted_out_text: 'Richiesta di opposizione rispettata',
  own_use_text:
    'Già attivo: {categories}. Questo sito usa questi dati solo per sé. Può disattivarlo in qualsiasi momento.',
  accept_text: 'Accetta tutto',
  reject_text: 'Rifiuta tutto',
  manage_text: 'Gestisci preferenze',
  save_text: 'Salva preferenze',
  privacy_text: 'Informativa sulla privacy',
  receipt_text: 'Scarica la ricevuta del consenso',
  consent_id_text: 'Identificativo del consenso',
  consent_id_help_text:
    'Indichi questo identificativo quando contatta il gestore di questo sito in merito alle Sue scelte.',
  withdraw_text: 'Revoca il consenso',
  vendors_text: 'Servizi e cookie',
  session_text: 'fino alla chiusura del browser',
  until_deleted_text: 'fino alla cancellazione',
  typical_text: '{duration} (di norma)',
  reopen_text: 'Preferenze sulla privacy',
  required_text: 'Sempre attivi',
  placeholder_text:
    'Questo contenuto è fornito da {host} e può raccogliere dati che La riguardano.',
  load_text: 'Carica una volta',
  always_text: 'Consenti sempre “{category}”',
  shared_text:
    'Se ha effettuato l’accesso, la Sua scelta vale anche sugli altri Suoi dispositivi in cui ha effettuato l’accesso.',
  always_vendor_text: 'Consenti sempre “{vendor}”',
  categories: {
    functional: {
      label: 'Strettamente necessari',
      description:
        'Necessari al funzionamento del sito, ad esempio per ricordare le Sue scelte sulla privacy o per mantenere l’accesso. Questa categoria non può essere disattivata.',
    },
    analytics: {
      label: 'Statistiche',
      description: 'Misura le visite e l’utilizzo del sito per poterlo migliorare.',
    },
    marketing: {
      label: 'Marketing',
      description:
        'Le mostra pubblicità pertinente e ne misura l’efficacia. I fornitori possono combinare questi dati tra più siti.',
    },
    personalisation: {
      label: 'Personalizzazione',
      description: 'Ricorda le Sue preferenze e adatta i contenuti ai Suoi interessi.',
    },
  },
} satisfies LanguageTexts;
