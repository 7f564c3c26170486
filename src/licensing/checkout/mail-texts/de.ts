import type { LicenceMailTexts } from './en.ts';

/** The emails about licences, in German. */
export const de: LicenceMailTexts = {
  key: {
    subject: (product) => (product ? `Ihr Lizenzschlüssel für ${product}` : 'Ihr Lizenzschlüssel'),
    before: 'Ihr Lizenzschlüssel:',
    after:
      'Geben Sie ihn in den Einstellungen Ihrer Website ein. Wir speichern den Schlüssel nicht, bewahren Sie diese E-Mail also auf.',
    trial:
      'Dies ist eine kostenlose Testphase. Sie endet an diesem Tag von selbst, und es wird nichts abgebucht.',
    freeUntil: (end) =>
      `Die Testphase ist bis ${end} kostenlos. Dann wird das Abonnement abgebucht, wenn Sie es nicht vorher kündigen.`,
    buyTrial:
      'Um die Lizenz zu behalten, kaufen Sie sie mit dieser E-Mail-Adresse. Der Schlüssel bleibt gleich, und Ihre Websites bleiben aktiviert.',
    buy: 'Diese Lizenz kaufen',
  },
  rotated: {
    subject: (product) =>
      product
        ? `Neuer Schlüssel für Ihre Lizenz von ${product}`
        : 'Ihre Lizenz hat einen neuen Schlüssel',
    before: (licence) => `Die Lizenz ${licence} hat einen neuen Schlüssel:`,
    oldWorks: (key, until) =>
      `Der alte Schlüssel, ${key}, funktioniert noch bis ${until}. Geben Sie bis dahin den neuen Schlüssel in den Einstellungen Ihrer Websites ein.`,
    oldEnded: (key) =>
      `Der alte Schlüssel, ${key}, funktioniert nicht mehr. Geben Sie den neuen Schlüssel in den Einstellungen Ihrer Websites ein.`,
    same: 'Ihre Websites bleiben aktiviert, und das Ablaufdatum ändert sich nicht.',
    keep: 'Wir speichern den Schlüssel nicht, bewahren Sie diese E-Mail also auf. Geben Sie den neuen Schlüssel auch dann ein, wenn Sie keinen angefordert haben.',
  },
  renewed: {
    subject: (product) =>
      product ? `Ihre Lizenz von ${product} ist verlängert` : 'Ihre Lizenz ist verlängert',
    text: (licence) =>
      `Vielen Dank. Die Lizenz ${licence} ist mit demselben Schlüssel verlängert. Ihre Websites bleiben aktiviert, und Sie müssen nichts ändern.`,
  },
  bought: {
    subject: (product) =>
      product ? `Sie haben Ihre Lizenz von ${product} gekauft` : 'Sie haben Ihre Lizenz gekauft',
    text: (licence) =>
      `Vielen Dank. Sie haben die Lizenz ${licence} gekauft. Der Schlüssel bleibt gleich, Ihre Websites bleiben aktiviert, und Sie müssen nichts ändern.`,
  },
  failed: {
    subject: (product) =>
      product
        ? `Zahlung für Ihre Lizenz von ${product} fehlgeschlagen`
        : 'Zahlung für Ihre Lizenz fehlgeschlagen',
    text: (licence) => `Die Zahlung für die Verlängerung der Lizenz ${licence} ist fehlgeschlagen.`,
    firstText: (licence) => `Die erste Zahlung für die Lizenz ${licence} ist fehlgeschlagen.`,
    worksUntil: (end) => `Ohne Zahlung funktionieren Ihre Websites höchstens bis ${end}.`,
    never: 'Ihre Lizenz endet dadurch nicht.',
    canEnd:
      'Ohne Zahlung kann die Lizenz jederzeit enden. Ihre Websites können sie dann nicht mehr verwenden.',
    expired: (end) =>
      `Die Lizenz ist am ${end} abgelaufen. Sie funktioniert wieder, sobald die Zahlung gelingt.`,
    suspended: 'Die Lizenz ist gesperrt, daher können Ihre Websites sie zurzeit nicht verwenden.',
    retried: {
      retry: 'Wir versuchen die Zahlung in den nächsten Tagen noch einmal.',
      pay: 'Sie können die Rechnung auch jetzt bezahlen, zum Beispiel mit einer anderen Karte:',
      byEmail:
        'Um Ihre Karte zu ändern, verwenden Sie den Link in den E-Mails unseres Zahlungsdienstes.',
    },
    last: {
      retry: 'Ein weiterer Versuch ist zurzeit nicht geplant.',
      pay: 'Bezahlen Sie die Rechnung jetzt, zum Beispiel mit einer anderen Karte:',
      byEmail:
        'Bezahlen Sie die Rechnung jetzt, mit dem Link in den E-Mails unseres Zahlungsdienstes.',
    },
    formerOwner:
      'Diese Lizenz wird über ein Abonnement des früheren Inhabers bezahlt. Sobald es beendet ist, können Sie die Lizenz selbst verlängern.',
    pay: 'Rechnung bezahlen',
  },
  expiry: {
    subject: (product, days) =>
      `Ihre Lizenz ${product ? `von ${product} ` : ''}läuft in ${days === 1 ? 'einem Tag' : `${days} Tagen`} ab`,
    text: (licence, tier, end) => `Die Lizenz ${licence} (Tarif ${tier}) läuft am ${end} ab.`,
    worksUntil: (end) =>
      `Ihre Websites funktionieren noch bis ${end}. Verlängern Sie die Lizenz bis dahin.`,
    ends: 'Danach können Ihre Websites sie nicht mehr verwenden. Verlängern Sie die Lizenz vorher.',
    formerOwner:
      'Bis dahin wird diese Lizenz über ein Abonnement des früheren Inhabers bezahlt. Sobald es beendet ist, können Sie die Lizenz selbst verlängern.',
    endsUntilRenewed:
      'Ihre Websites können sie dann erst wieder verwenden, wenn Sie sie verlängert haben.',
    trialSubject: (product, days) =>
      `Ihre Testphase ${product ? `von ${product} ` : ''}endet in ${days === 1 ? 'einem Tag' : `${days} Tagen`}`,
    trialText: (licence, tier, end) =>
      `Die kostenlose Testphase der Lizenz ${licence} (Tarif ${tier}) endet am ${end}. Danach können Ihre Websites sie nicht mehr verwenden. Es wird nichts abgebucht.`,
    same: 'Der Schlüssel bleibt gleich, und Ihre Websites bleiben aktiviert. Melden Sie sich zum Verlängern mit dieser E-Mail-Adresse an.',
    renew: 'Lizenz verlängern',
    contact: 'Wenn Sie die Lizenz behalten möchten, wenden Sie sich an den Anbieter.',
  },
  terms: {
    licence: 'Lizenz',
    key: 'Schlüssel',
    product: 'Produkt',
    tier: 'Tarif',
    sites: 'Websites',
    unlimited: 'unbegrenzt',
    expires: 'Läuft ab',
    renews: 'Verlängert sich',
    never: 'nie (unbegrenzt)',
  },
  suspended:
    'Die Lizenz ist gesperrt, daher können Ihre Websites sie zurzeit nicht verwenden. Bitten Sie den Anbieter, sie freizugeben.',
  test: 'Dies ist eine Testlizenz. Verwenden Sie sie nicht auf einer echten Website.',
};
