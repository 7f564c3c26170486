import {
  CANNOT_PAY,
  LIFETIME_AFTER_SUBSCRIPTION,
  LIFETIME_LICENCE,
  NO_PORTAL,
  RENEWS_AUTOMATICALLY,
  SUSPENDED_BY_PAYMENT,
  TEST_LICENCE,
} from '../../checkout/index.ts';
import type { PortalTexts } from './en.ts';

/** The texts of the pages for customers, in German. */
export const de: PortalTexts = {
  problem: 'Es gibt ein Problem',
  notices: {
    switched:
      'Die Website ist aktiviert. Speichern Sie zum Abschluss den Lizenzschlüssel in den Einstellungen dieser Website noch einmal.',
    deactivated: 'Website deaktiviert.',
    'signed-out': 'Sie sind abgemeldet.',
    'new-key': 'Ein neuer Schlüssel ist per E-Mail unterwegs. Der alte funktioniert noch 7 Tage.',
    'key-sent':
      'Der aktuelle Schlüssel dieser Lizenz ist noch keine Stunde alt. Sehen Sie in Ihr Postfach und in den Spam-Ordner, oder versuchen Sie es später noch einmal.',
    everywhere: 'Sie sind auf allen Geräten abgemeldet.',
    ended:
      'Ihre Sitzung ist beendet. Eine Sitzung dauert eine Stunde, oder bis Sie sich in einem anderen Tab oder auf allen Geräten abmelden. Fordern Sie einen neuen Link an.',
    bought:
      'Vielen Dank. Die Lizenz gehört Ihnen, mit demselben Schlüssel, sobald die Zahlung bestätigt ist. Das dauert meist wenige Sekunden. Danach erhalten Sie eine E-Mail.',
    renewed:
      'Vielen Dank. Ihre Lizenz wird mit demselben Schlüssel verlängert, sobald die Zahlung bestätigt ist. Das dauert meist wenige Sekunden. Danach erhalten Sie eine E-Mail.',
  },
  errors: {
    licence_revoked:
      'Diese Lizenz wurde widerrufen und kann nicht verlängert werden. Sie können eine neue kaufen.',
    licence_suspended:
      'Diese Lizenz ist gesperrt und kann nicht verlängert werden. Bitten Sie den Anbieter, sie freizugeben.',
    wrong_mode:
      'Testlizenzen lassen sich nur im Testbetrieb verlängern, echte Lizenzen nur mit einer echten Zahlung.',
    licence_expired: 'Diese Lizenz ist abgelaufen. Verlängern Sie sie, um Websites zu aktivieren.',
    not_possible:
      'Ein Abonnement kann nicht zu einer unbegrenzten Lizenz werden. Kündigen Sie es in der Abrechnung. Sobald es beendet ist, können Sie die unbegrenzte Lizenz hier kaufen.',
    other_subscriber:
      'Diese Lizenz bezahlt noch ein Abonnement des früheren Inhabers. Sie können sie verlängern, sobald es beendet ist.',
    invalid_request:
      'Diese Auswahl ist nicht möglich. Sie muss für alle aktivierten Websites reichen und darf höchstens 100 Pakete haben. Deaktivieren Sie sonst zuerst Websites.',
    purchase_not_found: 'Zu dieser Lizenz gibt es keinen Kauf mit Rechnungen oder Zahlungsmitteln.',
    payment_in_progress: 'Eine Zahlung für diese Lizenz läuft bereits. Versuchen Sie es später.',
    rate_limited: 'Zu viele Anfragen. Versuchen Sie es später noch einmal.',
    service_unavailable:
      'Der Dienst ist gerade nicht erreichbar. Versuchen Sie es gleich noch einmal.',
    [RENEWS_AUTOMATICALLY]:
      'Diese Lizenz verlängert sich automatisch. Um sie zu ändern, wählen Sie einen anderen Tarif, eine andere Abrechnung oder eine andere Anzahl von Websites.',
    [LIFETIME_LICENCE]:
      'Diese Lizenz ist unbegrenzt gültig und braucht keine Verlängerung. Um sie zu ändern, wählen Sie einen anderen Tarif oder mehr Websites mit einmaliger Zahlung.',
    [LIFETIME_AFTER_SUBSCRIPTION]:
      'Ein Abonnement kann nicht zu einer unbegrenzten Lizenz werden. Sobald es beendet ist, können Sie die unbegrenzte Lizenz hier kaufen.',
    [TEST_LICENCE]:
      'Dies ist eine Testlizenz. Sie lässt sich nicht mit einer echten Zahlung verlängern. Kaufen Sie eine echte Lizenz.',
    [SUSPENDED_BY_PAYMENT]:
      'Diese Lizenz ist wegen einer Zahlung gesperrt und kann nicht verlängert werden. Wenden Sie sich an den Anbieter.',
    [CANNOT_PAY]: 'Das lässt sich gerade nicht bezahlen. Wenden Sie sich an den Anbieter.',
    [NO_PORTAL]:
      'Die Abrechnung ist dafür nicht eingerichtet. Bitten Sie den Anbieter, Ihr Abonnement zu ändern.',
  },
  statuses: {
    active: { label: 'Aktiv', text: undefined },
    expired: {
      label: 'Abgelaufen',
      text: 'Sie können sie verlängern. Schlüssel und aktivierte Websites bleiben gleich.',
    },
    suspended: {
      label: 'Gesperrt',
      text: 'Ist eine Zahlung fällig, bezahlen Sie sie in der Abrechnung. Wenden Sie sich sonst an den Anbieter.',
    },
    revoked: { label: 'Widerrufen', text: 'Sie kann nicht mehr verwendet werden.' },
  },
  noEnd: 'Kein Ende (unbegrenzt)',
  signIn: {
    title: 'Anmelden',
    titleToRenew: 'Anmelden, um die Lizenz zu verlängern',
    titleToSwitch: 'Anmelden, um die Websites zu ändern',
    lead: 'Sehen Sie Ihre Lizenzen und aktivierten Websites. Sie brauchen kein Passwort: Wir senden Ihnen einen Link zum Anmelden.',
    leadToRenew:
      'Melden Sie sich an, um Ihre Lizenz zu verlängern. Sie brauchen kein Passwort: Wir senden Ihnen einen Link zum Anmelden.',
    leadToSwitch: (site) =>
      `Melden Sie sich an, um Ihre Lizenz auf ${site} zu verwenden. Sie brauchen kein Passwort: Wir senden Ihnen einen Link zum Anmelden.`,
    email: 'E-Mail-Adresse',
    emailHint: 'Die Adresse, an die wir Ihren Lizenzschlüssel gesendet haben.',
    emailWrong: 'Geben Sie eine E-Mail-Adresse ein, zum Beispiel name@example.com.',
    send: 'Link zum Anmelden senden',
    noLicence: 'Noch keine Lizenz?',
    buy: 'Lizenz kaufen',
    buyMore: 'Wir senden Ihnen den Schlüssel per E-Mail.',
    mailedTitle: 'Sehen Sie in Ihr Postfach',
    mailed:
      'Wenn zu dieser Adresse eine Lizenz gehört, haben wir jetzt oder in den letzten zehn Minuten einen Link zum Anmelden dorthin gesendet. Er funktioniert einmal, innerhalb von 15 Minuten.',
    notMailed: 'Nach einigen Minuten keine E-Mail? Sehen Sie im Spam-Ordner nach, oder',
    tryAgain: 'versuchen Sie eine andere Adresse',
    welcome: 'Willkommen zurück',
    welcomeLead: 'Melden Sie sich auf diesem Gerät für eine Stunde an.',
    button: 'Anmelden',
    expiredTitle: 'Dieser Link funktioniert nicht mehr',
    expired:
      'Er wurde schon verwendet, durch einen neueren ersetzt oder ist nach 15 Minuten abgelaufen.',
    requestNew: 'Neuen Link anfordern',
    notYoursTitle: 'Diese Lizenz gehört nicht zu Ihrem Konto',
    notYours:
      'Sie gehört vielleicht zu einer anderen Ihrer E-Mail-Adressen. Melden Sie sich ab, öffnen Sie den Link noch einmal und melden Sie sich mit der Adresse an, die die E-Mail erhalten hat.',
    signOut: 'Abmelden',
  },
  account: {
    title: 'Ihre Lizenzen',
    none: 'Sie haben keine Lizenzen.',
    noneFound: 'Keine Ihrer Lizenzen passt zu dieser Suche.',
    search: 'Website oder Ende des Schlüssels',
    searchButton: 'Suchen',
    all: 'Alle Lizenzen',
    older: 'Ältere Lizenzen',
    buy: 'Lizenz kaufen',
    buyAnother: 'Weitere Lizenz kaufen',
    otherDevices: 'Andere Geräte',
    otherDevicesText:
      'Melden Sie sich auf allen Geräten ab, zum Beispiel wenn Sie eines verloren haben.',
    signOutEverywhere: 'Überall abmelden',
    menu: 'Konto',
    test: 'Test',
    trialBadge: 'Testphase',
    buyTrial: 'Diese Lizenz kaufen',
    trial: 'Diese kostenlose Testphase endet von selbst, und es wird nichts abgebucht.',
    trialToBuy:
      'Diese kostenlose Testphase endet von selbst, und es wird nichts abgebucht. Wenn Sie die Lizenz kaufen, bleibt der Schlüssel gleich, und Ihre Websites bleiben aktiviert.',
    inGrace: (end) =>
      `Der bezahlte Zeitraum ist abgelaufen. Die Lizenz funktioniert noch bis ${end}.`,
    renewBefore: 'Verlängern Sie sie bis dahin.',
    toVendor: 'Wenn Sie sie verlängern möchten, wenden Sie sich an den Anbieter.',
    trialEnded: 'Die kostenlose Testphase ist beendet.',
    trialEndedToBuy:
      'Wenn Sie die Lizenz kaufen, bleibt der Schlüssel gleich, und Ihre Websites bleiben aktiviert.',
    renewing:
      'Die Lizenz verlängert sich automatisch, sobald die Zahlung bestätigt ist. Sie brauchen nichts zu tun, außer wir schreiben Ihnen, dass eine Zahlung fehlgeschlagen ist.',
    renewingUntil: (end) => `Ohne Zahlung funktioniert sie bis ${end}.`,
    key: 'Schlüssel',
    licence: 'Lizenz',
    expiredOn: 'Abgelaufen am',
    expiresOn: 'Läuft ab am',
    validUntil: 'Gültig bis',
    renewsOn: 'Verlängert sich am',
    paidUntil: 'Bezahlt bis',
    sitesInUse: 'Aktive Websites',
    of: (used, allowed) => `${used} von ${allowed}`,
    ofUnlimited: (used) => `${used} (unbegrenzt)`,
    renew: 'Verlängern',
    renewOrChange: 'Verlängern oder ändern',
    sites: 'Websites',
    since: 'Seit',
    deactivate: 'Website deaktivieren',
    noSites: 'Keine aktivierten Websites.',
    enterKey: 'Geben Sie den Schlüssel in den Einstellungen Ihrer Website ein.',
    lostKey: 'Schlüssel verloren?',
    lostKeyText:
      'Wir speichern keine Schlüssel und können Ihnen nur einen neuen senden. Der alte funktioniert noch 7 Tage, und Ihre Websites bleiben aktiviert.',
    sendNewKey: 'Neuen Schlüssel senden',
    licenceFile: 'Lizenzdatei für eine Website ohne Internetzugang',
    licenceFileText:
      'Die Datei ersetzt den Schlüssel, wenn eine Website unseren Server nicht erreicht. Sie gilt 30 Tage, höchstens aber bis zum Ende Ihrer Lizenz. Eine neue können Sie jederzeit hier herunterladen.',
    downloadFile: 'Lizenzdatei herunterladen',
    history: 'Verlauf',
    historyOf: (id) => `Verlauf von ${id}`,
    site: 'Website',
    activated: 'Aktiviert',
    deactivated: 'Deaktiviert',
    notDeactivated: 'nein',
    back: 'Zurück zu Ihren Lizenzen',
  },
  buy: {
    title: 'Lizenz kaufen',
    titleOf: (product) => `Lizenz für ${product} kaufen`,
    lead: 'Sobald Sie bezahlt haben, senden wir Ihnen den Lizenzschlüssel per E-Mail.',
    chooseProduct: 'Wählen Sie ein Produkt.',
    sites: (count) => (count === 1 ? '1 Website' : `${count} Websites`),
    unlimitedSites: 'Unbegrenzt viele Websites',
    unlimited: 'unbegrenzt',
    includes: 'Enthält',
    intervals: { year: 'Jährlich', month: 'Monatlich', once: 'Einmalig' },
    testNote: 'Testkasse: Die Preise sind Beispiele, und es wird nichts abgebucht.',
    totalNote: 'Die Kasse zeigt den Gesamtbetrag, bevor Sie bezahlen.',
    someMissing: 'Einige Preise sind gerade nicht verfügbar.',
    priceLater: 'Preis an der Kasse',
    notAvailable: 'Nicht verfügbar:',
    billing: 'Abrechnung',
    tier: 'Tarif',
    total: 'gesamt',
    perPackage: 'pro Paket',
    toCheckout: 'Weiter zur Kasse',
    toPortal: 'Weiter zur Abrechnung',
    redirected: 'Sie werden weitergeleitet. Wenn nichts geschieht, verwenden Sie den Knopf.',
  },
  renewal: {
    title: 'Ihre Lizenz',
    titleToRenew: 'Lizenz verlängern',
    titleToChange: 'Lizenz ändern',
    renews:
      'Diese Lizenz verlängert sich automatisch. Änderungen gelten für denselben Schlüssel, und Ihre Websites bleiben aktiviert.',
    keeps: 'Die Lizenz behält ihren Schlüssel, und Ihre Websites bleiben aktiviert.',
    noPayments: 'Diese Lizenz kann hier nicht verlängert werden. Wenden Sie sich an den Anbieter.',
    resume: {
      cancelled:
        'Ihr Abonnement ist gekündigt. Setzen Sie es in der Abrechnung fort, oder verlängern Sie die Lizenz hier, sobald es beendet ist.',
      unpaid: 'Ihr Abonnement ist nicht bezahlt. Bezahlen Sie es in der Abrechnung.',
      paused: 'Ihr Abonnement ist pausiert. Setzen Sie es in der Abrechnung fort.',
    },
    packages: 'Pakete',
    packagesHint: (sites) => `Websites pro Paket: ${sites}. Die Preise gelten pro Paket.`,
    unlimited: (plan) => `Mit ${plan} behält diese Lizenz unbegrenzt viele Websites.`,
    remaining:
      'Verbleibende Tage werden angerechnet, wenn Sie den Tarif behalten und keine Pakete hinzufügen.',
    toChange: 'Weiter zur Änderung',
    portalTitle: 'Zahlungsmittel, Rechnungen und Kündigung',
    openPortal: 'Zur Abrechnung',
  },
  trial: {
    offer: 'Erst ausprobieren',
    start: (days, isUpTo) =>
      `Kostenlose Testphase starten (${isUpTo ? 'bis zu ' : ''}${days === 1 ? '1 Tag' : `${days} Tage`})`,
    title: 'Kostenlose Testphase starten',
    titleOf: (product) => `Kostenlose Testphase von ${product} starten`,
    ends: 'Sie brauchen keine Karte. Die Testphase endet von selbst, und es wird nichts abgebucht.',
    once: 'Jede E-Mail-Adresse und jede Website kann eine Testphase pro Produkt haben. Um das zu prüfen, bewahren wir zu beiden drei Jahre lang einen Code auf, der sie nicht enthält.',
    days: (days) => (days === 1 ? '1 Tag' : `${days} Tage`),
    email: 'E-Mail-Adresse',
    emailHint:
      'Wir senden Ihnen einen Link, mit dem Sie die Testphase starten. Auch der Lizenzschlüssel geht an diese Adresse.',
    emailWrong: 'Geben Sie eine E-Mail-Adresse ein, zum Beispiel name@example.com.',
    site: 'Website',
    siteHint: 'Die öffentliche Adresse der Website, zum Beispiel https://www.example.com.',
    siteWrong:
      'Geben Sie die öffentliche Adresse Ihrer Website ein, zum Beispiel https://www.example.com.',
    send: 'Link senden',
    mailed: (hours) =>
      `Eine E-Mail ist an Ihre Adresse unterwegs, sofern wir heute nicht schon viele dorthin gesendet haben. Ihr Link funktioniert innerhalb von ${hours} Stunden. Hatte die Adresse oder die Website schon eine Testphase, steht das in der E-Mail.`,
    confirmTitle: 'Ihre kostenlose Testphase starten',
    confirm: 'Testphase starten',
    startedTitle: 'Ihre kostenlose Testphase hat begonnen',
    started:
      'Dies ist Ihr Lizenzschlüssel. Er wird nur einmal angezeigt, und wir haben ihn Ihnen per E-Mail gesendet. Geben Sie ihn in den Einstellungen Ihrer Website ein.',
    endsOn: 'Endet von selbst am',
    failedTitle: 'Die Testphase wurde nicht gestartet',
    failed: {
      link_expired: 'Der Link ist nach 24 Stunden abgelaufen oder unvollständig.',
      trial_used:
        'Diese Testphase hat schon begonnen, oder diese Adresse oder diese Website hatte ihre schon. Wenn Sie sie gestartet haben, finden Sie den Schlüssel in Ihrem Postfach und die Lizenz in Ihrem Konto.',
      not_possible: 'Diese Testphase wird nicht mehr angeboten.',
    },
    account: 'Ihre Lizenzen',
  },
  switching: {
    title: 'Lizenz auf einer anderen Website verwenden',
    full: (used, allowed) =>
      allowed === 1
        ? 'Die einzige Aktivierung dieser Lizenz ist belegt. Wählen Sie die Website, die Sie deaktivieren möchten.'
        : `${used} von ${allowed} Aktivierungen dieser Lizenz sind belegt. Wählen Sie eine Website, die Sie deaktivieren möchten.`,
    free: (used, allowed) =>
      `${used} von ${allowed} Aktivierungen dieser Lizenz sind belegt. Sie müssen keine Website deaktivieren.`,
    freeUnlimited:
      'Diese Lizenz gilt für unbegrenzt viele Websites. Sie müssen keine Website deaktivieren.',
    alreadyActive:
      'Diese Website ist schon aktiviert. Zeigt sie noch einen Fehler, speichern Sie den Lizenzschlüssel in ihren Einstellungen noch einmal.',
    newSite: 'Neue Website',
    choose: 'Website deaktivieren',
    effect:
      'Die Website, die Sie deaktivieren, kann die Lizenz nicht mehr verwenden. Sie können später zurückwechseln.',
    submit: (site) => `Gewählte Website deaktivieren und ${site} verwenden`,
    activate: (site) => `${site} verwenden`,
    notChosen: 'Wählen Sie eine Website, die Sie deaktivieren möchten.',
    stillFull:
      'Es hat sich nichts geändert, weil keine Aktivierung frei war. Wählen Sie noch einmal.',
    tooMany: (used, allowed) =>
      `${used} Websites sind aktiviert, aber die Lizenz erlaubt nur ${allowed}. Deaktivieren Sie zuerst Websites in der Liste Ihrer Lizenzen und öffnen Sie dann diese Seite noch einmal.`,
  },
  faults: {
    403: [
      'Anfrage abgelehnt',
      'Das Formular stammt von einer anderen Website oder aus einer früheren Sitzung. Öffnen Sie Ihre Lizenzen und versuchen Sie es noch einmal.',
    ],
    404: ['Seite nicht gefunden', 'Prüfen Sie die Adresse. Der Link ist vielleicht unvollständig.'],
    503: ['Dienst nicht erreichbar', 'Versuchen Sie es gleich noch einmal.'],
    other: ['Etwas ist schiefgegangen', 'Gehen Sie zurück und versuchen Sie es noch einmal.'],
  },
};
