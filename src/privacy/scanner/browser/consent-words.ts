/** What the buttons and texts of consent banners say in one language. */
export interface ConsentWords {
  /** Labels that agree to everything. More words may follow them, other than those of `never`. */
  all: readonly string[];
  /** Labels that agree, without saying to what; `and` and more words may follow them. */
  accept: readonly string[];
  and: string;
  /** Labels that take notice, which is all that some banners offer. */
  ok: readonly string[];
  /** How cookies are called: beginnings of words, or whole ones of up to four letters. They are left out of labels before these are compared. */
  cookies: readonly string[];
  /** What else banners are about: beginnings of words. */
  topic: readonly string[];
  /** Beginnings of words, or whole ones of up to three letters, that an accept button never has: a refusal, a part, settings, a purchase. */
  never: readonly string[];
}

const list = (text: string): string[] =>
  text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');

/**
 * By language code: the official languages of the European Union, then others. Words are compared
 * without case, accents, punctuation and the words for cookies: "accepter les" is "Accepter les
 * cookies".
 */
export const CONSENT_WORDS: Readonly<Record<string, ConsentWords>> = {
  bg: {
    all: list(`
      приемам всички, приеми всички, приемане на всички, приемете всички, разреши всички,
      разрешаване на всички, позволи всички, позволяване на всички, съгласен съм с всички,
      съгласявам се с всички`),
    accept: list(`
      приемам, приеми, приемане, приемане на, съгласен съм, съгласявам се, разреши, разрешавам,
      позволи`),
    and: 'и',
    ok: list(`разбрах, разбирам, добре, ок`),
    cookies: list(`бисквитк`),
    topic: list(`съгласи, поверителност, лични данни`),
    never: list(`
      само, необходим, избран, без, отказ, откаж, отхвърл, настройк, купи, поръч, плат, плащ,
      абонир`),
  },
  cs: {
    all: list(`
      přijmout vše, přijmout všechny, přijmout všechno, přijímám vše, přijímám všechny, povolit
      vše, povolit všechny, povolit všechno, souhlasím se vším, souhlasím se všemi, souhlasit se
      vším, souhlasit se všemi, akceptovat vše, akceptovat všechny, vše přijmout, vše povolit`),
    accept: list(`přijmout, přijímám, souhlasím, souhlasit, povolit, akceptuji, akceptovat`),
    and: 'a',
    ok: list(`rozumím, v pořádku, beru na vědomí, chápu`),
    cookies: list(`sušenk`),
    topic: list(`souhlas, soukromí, osobních údajů`),
    never: list(`
      jen, jenom, pouze, nezbytn, nutn, vybran, bez, odmít, nastaven, koupit, objedn, zaplat,
      předplat`),
  },
  da: {
    all: list(`
      accepter alle, accepter alt, acceptér alle, acceptér alt, accepterer alle, jeg accepterer
      alle, tillad alle, tillad alt, godkend alle, ja til alle, ok til alle, giv samtykke til alle`),
    accept: list(`
      accepter, acceptér, accepterer, jeg accepterer, tillad, godkend, jeg samtykker, giv
      samtykke, enig, jeg er enig`),
    and: 'og',
    ok: list(`forstået, jeg forstår, det er ok, det er i orden, fint`),
    cookies: list(``),
    topic: list(`samtykke, privatliv, persondata`),
    never: list(`
      kun, nødvendig, valgte, udvalgte, uden, undtagen, afvis, indstilling, køb, bestil, betal,
      abonner, abonnement`),
  },
  de: {
    all: list(`
      alle akzeptieren, alles akzeptieren, allen zustimmen, allem zustimmen, alle zulassen, alles
      zulassen, alle erlauben, alles erlauben, alle annehmen, alles annehmen, alle bestätigen,
      alle auswählen und akzeptieren, alle auswählen und bestätigen, akzeptiere alle, akzeptiere
      alles, akzeptieren alle, ich akzeptiere alle, ich akzeptiere alles, ich stimme allem zu, ich
      stimme allen zu, allen einwilligen, in alle einwilligen, einverstanden mit allen, mit allen
      einverstanden, alle aktivieren, alles aktivieren`),
    accept: list(`
      akzeptieren, akzeptiere, ich akzeptiere, ich akzeptiere die, zustimmen, ich stimme zu,
      zulassen, erlauben, annehmen, einwilligen, ich willige ein, einverstanden, ich bin
      einverstanden, bin einverstanden, bestätigen`),
    and: 'und',
    ok: list(`
      verstanden, ich verstehe, ich habe verstanden, alles klar, in ordnung, geht klar, das ist
      ok, das ist in ordnung, okay verstanden, ok verstanden, gerne, na klar`),
    cookies: list(`keks`),
    topic: list(`einwillig, zustimm, datenschutz, privatsphäre, personenbezogen, dsgvo`),
    never: list(`
      nur, notwendig, essenziell, essentiell, erforderlich, technisch, ausgewählt, auswahl, außer,
      ohne, nicht, ablehn, einstellung, anpassen, kauf, bestell, bezahl, zahlung, abonn, abo,
      buchen, buche, spende, kostenpflichtig`),
  },
  el: {
    all: list(`
      αποδοχή όλων, αποδέχομαι όλα, αποδέχομαι τα πάντα, αποδοχή όλων των, αποδοχή των όλων, να
      επιτρέπονται όλα, επιτρέπονται όλα, να επιτραπούν όλα, επιτρέψτε όλα, συμφωνώ με όλα,
      συναινώ σε όλα`),
    accept: list(`αποδοχή, αποδέχομαι, αποδοχή των, συμφωνώ, συναινώ, να επιτρέπονται, επιτρέπω`),
    and: 'και',
    ok: list(`εντάξει, κατάλαβα, το κατάλαβα, κατανοώ`),
    cookies: list(``),
    topic: list(`συναίνεσ, συγκατάθεσ, απόρρητο, προσωπικών δεδομένων`),
    never: list(`
      μόνο, απαραίτητ, αναγκαί, επιλεγμέν, χωρίς, εκτός, απόρριψ, απορρίπ, ρυθμίσ, αγορ, παραγγελ,
      πληρωμ, συνδρομ`),
  },
  en: {
    all: list(`
      accept all, accept everything, accept and allow all, i accept all, allow all, i allow all,
      agree to all, agree all, i agree to all, i agree to everything, agree to everything, enable
      all, consent to all, i consent to all, approve all, all accept, accept any, allow
      everything, ok to all, yes to all, opt in to all, select all and accept, select all and
      continue, save and accept all`),
    accept: list(`
      accept, accept the, accept these, accept our, accept use of, accept the use of, i accept, i
      accept the, i accept the use of, agree, i agree, i agree to the use of, agree to, allow,
      allow the, i allow, allow the use of, enable, consent, i consent, i give consent, give
      consent, accept recommended settings, accept recommended,
      accept additional, accept optional, accept analytics`),
    and: 'and',
    ok: list(`
      ok, okay, ok got it, okay got it, got it, i got it, i understand, understood, understand,
      thats ok, thats okay, thats fine, im ok with that, im ok with, im fine with that, im happy
      with, im happy with all, sounds good, alright, all right, sure, fine, continue, agree to
      proceed`),
    cookies: list(`cookie`),
    topic: list(`consent, privacy, gdpr, tracking, trackers`),
    never: list(`
      only, just, necessary, essential, required, functional, selected, selection, some, without,
      except, but, not, non, no, dont, reject, refuse, decline, deny, setting, preference, custom,
      manage, choose, terms, buy, order, purchase, pay, paid, checkout, subscribe, subscription,
      book, reserve, donate, sign, register, contract, invoice, offer, bid, delete, transfer,
      send, submit`),
  },
  es: {
    all: list(`
      aceptar todo, aceptar todas, aceptar todos, aceptarlas todas, acepto todo, acepto todas,
      acepto todos, acepta todo, acepta todas, permitir todo, permitir todas, permitir todos,
      autorizar todo, autorizar todas, consentir todo, consentir todas, estoy de acuerdo con todo,
      habilitar todas`),
    accept: list(`
      aceptar, aceptar las, aceptar los, aceptarlas, acepto, acepto las, acepta, permitir,
      permitir las, consentir, consiento, estoy de acuerdo, de acuerdo`),
    and: 'y',
    ok: list(`entendido, lo entiendo, entiendo, vale, conforme, está bien, comprendo, comprendido`),
    cookies: list(`galleta`),
    topic: list(`consentimiento, privacidad, rgpd, datos personales`),
    never: list(`
      solo, sólo, únicamente, necesari, esencial, imprescindible, técnica, seleccion, sin,
      excepto, salvo, menos, rechaz, configur, ajust, preferencia, compr, pedido, pagar, pago,
      suscri, reserv`),
  },
  et: {
    all: list(`
      nõustu kõigiga, nõustun kõigiga, nõustun kõikide, nõustu kõikide, luba kõik, luban kõik,
      aktsepteeri kõik, aktsepteeri kõiki, aktsepteerin kõik, aktsepteerin kõiki, võta kõik vastu,
      kinnita kõik`),
    accept: list(`nõustun, nõustu, luba, luban, aktsepteeri, aktsepteerin, olen nõus`),
    and: 'ja',
    ok: list(`sain aru, selge, mõistan, arusaadav, olgu, hästi`),
    cookies: list(`küpsis`),
    topic: list(`nõusolek, privaatsus, isikuandme`),
    never: list(`
      ainult, vajalik, hädavajalik, valitud, ilma, keeldu, seade, seaded, osta, telli, maksa`),
  },
  fi: {
    all: list(`
      hyväksy kaikki, hyväksyn kaikki, salli kaikki, sallin kaikki, hyväksy kaikkien, kaikki
      hyväksy`),
    accept: list(`hyväksy, hyväksyn, salli, sallin, suostun, samaa mieltä`),
    and: 'ja',
    ok: list(`selvä, ymmärrän, ymmärretty, okei, kiitos ymmärrän`),
    cookies: list(`eväste`),
    topic: list(`suostumu, yksityisyy, tietosuoja, henkilötie`),
    never: list(`
      vain, välttämättöm, pakollis, valitut, valittu, ilman, paitsi, hylkää, kieltäy, asetukset,
      osta, tilaa, tilaus, maksa`),
  },
  fr: {
    all: list(`
      tout accepter, tous accepter, accepter tout, accepter tous, accepter toutes, accepter et
      tout autoriser, j’accepte tout, j’accepte tous, tout autoriser, autoriser tout, autoriser
      tous, autoriser toutes, oui à tout, ok pour tout, ok tout accepter, ok j’accepte tout, tout
      accepter et, consentir à tout, je consens à tout, accepter l’ensemble, tout activer`),
    accept: list(`
      accepter, accepter les, j’accepte, j’accepte les, autoriser, autoriser les, consentir, je
      consens, d’accord, je suis d’accord, ok j’accepte, ok pour moi`),
    and: 'et',
    ok: list(`
      compris, j’ai compris, je comprends, c’est compris, c’est ok, bien compris, entendu, ça
      marche`),
    cookies: list(`témoin`),
    topic: list(`consent, confidentialité, vie privée, données personnelles, rgpd, traceur`),
    never: list(`
      seul, uniquement, nécessaire, essentiel, indispensable, obligatoire, technique, sélection,
      choix, sans, sauf, refus, rejet, paramèt, personnalis, gérer, préférence, achet, achat,
      command, payer, paiement, paye, abonn, réserv, conditions, cgv`),
  },
  ga: {
    all: list(`
      glac le gach, glac leis na fianáin go léir, glac le gach ceann, glac leo go léir, glac leis
      go léir, glac le chuile, ceadaigh gach, ceadaigh gach ceann, ceadaigh iad go léir, ceadaigh
      na fianáin go léir, glacaim le gach, glac leis na go léir`),
    accept: list(`glac leis, glac leis na, glac le, glacaim leis, glacaim le, ceadaigh, aontaím`),
    and: 'agus',
    ok: list(`tuigim, ceart go leor, tá go maith`),
    cookies: list(`fianán, fianáin`),
    topic: list(`toili, príobháid, príobháideachas`),
    never: list(`
      amháin, riachtanach, roghnaithe, gan, diúltaigh, socruithe, ceannaigh, ordaigh, íoc`),
  },
  hr: {
    all: list(`
      prihvati sve, prihvaćam sve, prihvatite sve, prihvati svih, dopusti sve, dozvoli sve,
      omogući sve, slažem se sa svim, slažem se sa svime, pristajem na sve, prihvaćanje svih`),
    accept: list(`
      prihvaćam, prihvati, prihvatite, slažem se, dopusti, dozvoli, pristajem, suglasan sam,
      suglasna sam`),
    and: 'i',
    ok: list(`u redu, razumijem, shvaćam, razumio sam, jasno`),
    cookies: list(`kolačić`),
    topic: list(`privol, pristanak, privatnost, osobnih podataka`),
    never: list(`
      samo, nužn, neophodn, odabran, bez, osim, odbij, odbaci, postavk, kupi, naruč, plati,
      plaćanj, pretplat`),
  },
  hu: {
    all: list(`
      összes elfogadása, mindet elfogadom, mindent elfogadok, mind elfogadom, mindegyik
      elfogadása, mindent elfogad, az összes elfogadása, az összes elfogadom, elfogadom az
      összeset, elfogadom mindet, elfogadom mindegyiket, elfogadom az összes, összes
      engedélyezése, az összes engedélyezése, mindent engedélyezek, mindet engedélyezem, minden
      elfogadása, minden süti elfogadása, összes süti elfogadása, összes süti engedélyezése`),
    accept: list(`
      elfogadom, elfogadás, elfogad, elfogadok, elfogadom a, elfogadása, engedélyezem,
      engedélyezés, egyetértek, hozzájárulok, beleegyezem`),
    and: 'és',
    ok: list(`rendben, értem, megértettem, oké`),
    cookies: list(`süti, sütik, sütit, sütiket`),
    topic: list(`hozzájárul, adatvéd, adatkezel, magánélet`),
    never: list(`
      csak, szükséges, kiválasztott, nélkül, kivéve, elutasít, beállítás, vásárl, vásárol,
      megrendel, rendelés, fizet, előfizet`),
  },
  it: {
    all: list(`
      accetta tutto, accetta tutti, accetta tutte, accettare tutto, accettare tutti, accetto
      tutto, accetto tutti, accettali tutti, accetta e consenti tutti, consenti tutto, consenti
      tutti, consenti tutte, permetti tutti, autorizza tutti, acconsento a tutti, acconsento a
      tutto, abilita tutti`),
    accept: list(`
      accetta, accetta i, accettare, accetto, accetto i, consenti, acconsento, acconsenti, sono
      d’accordo, d’accordo`),
    and: 'e',
    ok: list(`ho capito, capito, va bene, ho letto, presa visione, ok ho capito`),
    cookies: list(`biscott`),
    topic: list(`consenso, privacy, riservatezza, dati personali`),
    never: list(`
      solo, soltanto, necessari, essenzial, tecnic, selezion, senza, tranne, eccetto, rifiut,
      impostazion, personalizz, preferenz, acquist, compra, ordin, paga, abbon, prenot`),
  },
  lt: {
    all: list(`
      priimti visus, priimti visas, priimti viską, sutinku su visais, sutinku su viskuo, sutikti
      su visais, sutikti su viskuo, leisti visus, leisti viską, patvirtinti visus, patvirtinti
      viską, priimu visus, leidžiu visus`),
    accept: list(`sutinku, sutikti, priimti, priimu, leisti, patvirtinti`),
    and: 'ir',
    ok: list(`supratau, suprantu, gerai, aišku`),
    cookies: list(`slapuk`),
    topic: list(`sutikim, privatum, asmens duomen`),
    never: list(`
      tik, būtin, privalom, pasirinkt, be, išskyrus, atmesti, atsisak, nustatym, pirkti, užsaky,
      mokėti, apmokė, prenumer`),
  },
  lv: {
    all: list(`
      pieņemt visas, pieņemt visus, pieņemt visu, apstiprināt visas, apstiprināt visus,
      apstiprināt visu, atļaut visas, atļaut visus, atļaut visu, piekrist visām, piekrist visiem,
      piekrītu visām, piekrītu visiem, piekrītu visam, akceptēt visas, akceptēt visus`),
    accept: list(`piekrītu, piekrist, pieņemt, pieņemu, apstiprināt, apstiprinu, atļaut, akceptēt`),
    and: 'un',
    ok: list(`sapratu, saprotu, labi, skaidrs`),
    cookies: list(`sīkdat, sīkfail`),
    topic: list(`piekrišan, privātum, personas dat`),
    never: list(`
      tikai, nepiecieš, obligāt, izvēlēt, atlasīt, bez, izņemot, noraid, atteik, iestatījum,
      pirkt, pasūt, maksāt, abonē`),
  },
  mt: {
    all: list(`
      aċċetta kollox, aċċetta l-cookies kollha, aċċetta l kollha, aċċetta kollha, naċċetta kollox,
      naċċetta kollha, naċċetta l kollha, ippermetti kollox, ippermetti kollha, ippermetti l
      kollha, naqbel ma kollox`),
    accept: list(`aċċetta, naċċetta, aċċetta l, naċċetta l, naqbel, ippermetti`),
    and: 'u',
    ok: list(`fhimt, nifhem, tajjeb`),
    cookies: list(`kukis`),
    topic: list(`kunsens, privatezza`),
    never: list(`
      biss, neċessarj, meħtieġ, magħżul, mingħajr, irrifjuta, issettjar, ixtri, ordna, ħallas`),
  },
  nl: {
    all: list(`
      alles accepteren, alle accepteren, accepteer alles, accepteer alle, accepteren alle, alles
      toestaan, alle toestaan, alles toelaten, alle toelaten, alles aanvaarden, alle aanvaarden,
      aanvaard alle, aanvaard alles, alles goedkeuren, akkoord met alles, akkoord met alle, ik
      accepteer alles, ik accepteer alle, ja alles accepteren, sta alles toe, sta alle toe`),
    accept: list(`
      accepteren, accepteer, ik accepteer, toestaan, toelaten, aanvaarden, aanvaard, akkoord, ik
      ga akkoord, ik stem in, ga akkoord, goedkeuren, ik ben akkoord`),
    and: 'en',
    ok: list(`
      begrepen, ik begrijp het, ik snap het, prima, oké, oke, is goed, dat is goed, duidelijk`),
    cookies: list(``),
    topic: list(`toestemming, privacy, persoonsgegevens`),
    never: list(`
      alleen, enkel, noodzakelijk, essenti, functionele, verplicht, geselecteerd, selectie,
      zonder, behalve, niet, geen, weiger, afwijz, instelling, voorkeur, aanpassen, koop, kopen,
      bestel, betaal, betalen, abonn, boek`),
  },
  pl: {
    all: list(`
      zaakceptuj wszystkie, zaakceptuj wszystko, akceptuj wszystkie, akceptuj wszystko, akceptuję
      wszystkie, akceptuję wszystko, zaakceptować wszystkie, zezwól na wszystkie, zezwól na
      wszystko, zezwalam na wszystkie, zezwalaj na wszystkie, zgadzam się na wszystkie, zgadzam
      się na wszystko, zgoda na wszystkie, zgoda na wszystko, wyrażam zgodę na wszystkie, przyjmij
      wszystkie, akceptacja wszystkich, włącz wszystkie`),
    accept: list(`
      akceptuję, akceptuj, zaakceptuj, zaakceptować, zgadzam się, wyrażam zgodę, zgoda, zezwól,
      zezwalam, zezwól na, akceptuję pliki, zaakceptuj pliki, przyjmuję`),
    and: 'i',
    ok: list(`rozumiem, zrozumiałem, w porządku, dobrze, jasne`),
    cookies: list(`ciastecz`),
    topic: list(`zgod, prywatno, rodo, danych osobowych`),
    never: list(`
      tylko, wyłącznie, niezbędn, konieczn, wymagan, wybran, zaznaczon, bez, oprócz, odrzu, odmaw,
      ustawieni, dostosuj, kup, kupuję, zamów, zamawia, zapłać, płac, płatn, subskry, prenumer`),
  },
  pt: {
    all: list(`
      aceitar tudo, aceitar todos, aceitar todas, aceito tudo, aceito todos, aceito todas, aceite
      todos, permitir tudo, permitir todos, permitir todas, concordo com tudo, concordo com todos,
      concordar com tudo, autorizar todos, autorizar tudo, ativar todos`),
    accept: list(`
      aceitar, aceitar os, aceito, aceito os, aceite, permitir, permitir os, concordo, concordar,
      consentir, estou de acordo`),
    and: 'e',
    ok: list(`entendi, compreendo, percebi, compreendi, entendido, tudo bem, está bem`),
    cookies: list(``),
    topic: list(`consentimento, privacidade, dados pessoais, lgpd`),
    never: list(`
      só, somente, apenas, necessári, essencia, obrigatóri, selecion, sem, exceto, salvo, rejeit,
      recus, configur, definiç, personaliz, preferência, compr, encomend, pedido, pagar,
      pagamento, subscrev, assinar, assinatura, reserv`),
  },
  ro: {
    all: list(`
      acceptă toate, accept toate, acceptă tot, accept tot, acceptați toate, acceptați tot,
      acceptare toate, acceptarea tuturor, acceptă toate cookie-urile, permite toate, permite tot,
      permiteți toate, sunt de acord cu toate, sunt de acord cu tot, acceptă-le pe toate`),
    accept: list(`
      acceptă, accept, acceptați, acceptare, sunt de acord, de acord, permite, permiteți`),
    and: 'și',
    ok: list(`am înțeles, înțeleg, în regulă, bine`),
    cookies: list(`cookie, urile`),
    topic: list(`
      consimțământ, confidențialitate, date cu caracter personal, datelor cu caracter personal`),
    never: list(`
      doar, numai, necesar, esențial, strict, selectat, fără, exceptând, respinge, refuz, setări,
      personaliz, cumpăr, comand, plăt, abon`),
  },
  sk: {
    all: list(`
      prijať všetko, prijať všetky, prijímam všetko, prijímam všetky, povoliť všetko, povoliť
      všetky, súhlasím so všetkým, súhlasím so všetkými, súhlasiť so všetkým, akceptovať všetko,
      akceptovať všetky, akceptujem všetky, akceptujem všetko, prijať všetky súbory`),
    accept: list(`prijať, prijímam, súhlasím, súhlasiť, povoliť, akceptujem, akceptovať`),
    and: 'a',
    ok: list(`rozumiem, v poriadku, beriem na vedomie, chápem`),
    cookies: list(``),
    topic: list(`súhlas, súkromi, osobných údajov`),
    never: list(`
      len, iba, nevyhnutn, potrebn, vybran, bez, okrem, odmiet, nastaven, kúpiť, objedn, zaplat,
      predplat`),
  },
  sl: {
    all: list(`
      sprejmi vse, sprejmem vse, sprejmite vse, sprejemam vse, dovoli vse, dovolim vse, omogoči
      vse, strinjam se z vsemi, strinjam se z vsem, soglašam z vsemi, potrdi vse`),
    accept: list(`
      sprejmi, sprejmem, sprejmite, sprejemam, strinjam se, dovoli, dovolim, soglašam, se strinjam`),
    and: 'in',
    ok: list(`razumem, v redu, velja`),
    cookies: list(`piškot`),
    topic: list(`soglasj, privolitev, zasebnost, osebnih podatkov`),
    never: list(`
      samo, le, nujn, potrebn, obvezn, izbran, brez, razen, zavrni, nastavit, kupi, naroč, plačaj,
      plačil`),
  },
  sv: {
    all: list(`
      acceptera alla, acceptera allt, godkänn alla, godkänn allt, jag godkänner alla, jag
      godkänner allt, jag accepterar alla, jag accepterar allt, tillåt alla, tillåt allt, samtyck
      till alla, samtycker till alla, jag samtycker till alla, ja till alla, ok till alla`),
    accept: list(`
      acceptera, jag accepterar, godkänn, jag godkänner, tillåt, samtyck, jag samtycker, jag
      håller med, medge`),
    and: 'och',
    ok: list(`jag förstår, förstått, jag har förstått, uppfattat, det är ok, okej, det är okej`),
    cookies: list(`kakor, kaka, kakan, webbkakor`),
    topic: list(`samtycke, integritet, personuppgift`),
    never: list(`
      bara, endast, nödvändig, valda, utvalda, utan, utom, förutom, neka, avvisa, inställning,
      anpassa, köp, beställ, betala, prenumer`),
  },
  no: {
    all: list(`
      godta alle, godta alt, godkjenn alle, godkjenn alt, aksepter alle, aksepter alt, aksepterer
      alle, jeg godtar alle, jeg aksepterer alle, tillat alle, tillat alt, godta alle
      informasjonskapsler, godkjenner alle, eg godtek alle, godta alle kapslar, samtykk til alle,
      ja til alle`),
    accept: list(`
      godta, jeg godtar, godkjenn, jeg godkjenner, aksepter, aksepterer, jeg aksepterer, tillat,
      jeg samtykker, samtykk, jeg er enig, godtek`),
    and: 'og',
    ok: list(`jeg forstår, forstått, skjønner, den er grei, greit, det er greit`),
    cookies: list(`informasjonskaps`),
    topic: list(`samtykke, personvern`),
    never: list(`
      kun, bare, nødvendig, valgte, utvalgte, uten, unntatt, avvis, avslå, innstilling, tilpass,
      kjøp, bestill, betal, abonner`),
  },
  is: {
    all: list(`
      samþykkja allt, samþykkja allar, samþykki allt, samþykki allar, samþykkja öll, leyfa allt,
      leyfa allar, leyfa öll, ég samþykki allar, ég samþykki allt, heimila allar, heimila allt`),
    accept: list(`samþykkja, samþykki, ég samþykki, leyfa, heimila`),
    and: 'og',
    ok: list(`ég skil, skil, í lagi, allt í lagi, móttekið`),
    cookies: list(`vafrakök, vefkök, fótspor, kökur`),
    topic: list(`samþykki, persónuvernd`),
    never: list(`
      aðeins, eingöngu, bara, nauðsynleg, valdar, valin, án, nema, hafna, stilling, kaupa, panta,
      borga, greiða, greiðsl`),
  },
  uk: {
    all: list(`
      прийняти всі, прийняти все, прийняти усі, приймаю всі, приймаю все, дозволити всі, дозволити
      все, дозволити усі, погодитися з усім, погоджуюся з усім, погоджуюсь з усім, згоден з усім,
      надати згоду на всі, ухвалити всі`),
    accept: list(`
      прийняти, приймаю, погоджуюся, погоджуюсь, погодитися, згоден, згодна, дозволити, дозволяю,
      прийняти файли, прийняти всі файли`),
    and: 'та',
    ok: list(`зрозуміло, я розумію, розумію, гаразд, добре, ок`),
    cookies: list(`куки, кукі, куків, кукис`),
    topic: list(`згод, конфіденційн, приватн, персональн`),
    never: list(`
      лише, тільки, необхідн, обов’язков, обран, вибран, без, крім, відхил, відмов, налаштув,
      купит, замов, сплат, оплат, підпис, передплат`),
  },
  tr: {
    all: list(`
      tümünü kabul et, hepsini kabul et, tümünü kabul ediyorum, hepsini kabul ediyorum, tüm
      çerezleri kabul et, tüm kabul et, tüm kabul ediyorum, tümünü onayla, hepsini onayla, tümüne
      izin ver, hepsine izin ver, tüm izin ver, tümünü onaylıyorum, bütün kabul et, hepsini kabul
      edin, tümünü kabul edin`),
    accept: list(`
      kabul et, kabul ediyorum, kabul, onayla, onaylıyorum, izin ver, izin veriyorum, kabul edin`),
    and: 've',
    ok: list(`anladım, tamam, anlıyorum, peki`),
    cookies: list(`çerez`),
    topic: list(`rıza, gizlilik, kvkk, kişisel veri`),
    never: list(`
      sadece, yalnızca, gerekli, zorunlu, seçilen, seçili, olmadan, hariç, reddet, ayar, tercih,
      satın, sipariş, öde, abone`),
  },
  ru: {
    all: list(`
      принять все, принять всё, принимаю все, принимаю всё, разрешить все, разрешить всё,
      согласиться со всем, согласен со всем, согласиться на все, разрешаю все, согласен на все,
      согласиться со всеми, принять все файлы`),
    accept: list(`
      принять, принимаю, согласен, согласна, я согласен, я согласна, соглашаюсь, согласиться,
      разрешить, разрешаю, принять файлы`),
    and: 'и',
    ok: list(`понятно, понимаю, я понимаю, хорошо, ясно, ок, окей`),
    cookies: list(`куки, кукі, куків, кукис`),
    topic: list(`согласи, конфиденциальн, персональн`),
    never: list(`
      только, лишь, необходим, обязательн, выбранн, без, кроме, отклон, отказ, настро, купит,
      заказ, оплат, подпис`),
  },
  ar: {
    all: list(`
      قبول الكل, قبول الجميع, أوافق على الكل, الموافقة على الكل, موافقة على الكل, قبول جميع, قبول
      كل, قبول كافة, السماح للكل, السماح بالكل, السماح بجميع, الموافقة على جميع, اقبل الكل, أقبل
      الكل, قبول جميع ملفات تعريف الارتباط`),
    accept: list(`
      قبول, أقبل, اقبل, أوافق, موافق, موافقة, السماح, قبول ملفات تعريف الارتباط, الموافقة`),
    and: 'و',
    ok: list(`حسنا, فهمت, نعم فهمت, مفهوم, تم`),
    cookies: list(`كوكيز`),
    topic: list(`ملفات تعريف الارتباط, ملفات الارتباط, الخصوصية, موافقت`),
    never: list(`
      فقط, الضروري, الأساسي, المحدد, المختار, بدون, دون, رفض, إعداد, شراء, اشتر, طلب, دفع, ادفع,
      اشتراك, اشترك`),
  },
  he: {
    all: list(`
      אישור הכל, אשר הכל, אשר את הכל, קבל הכל, קבל את הכל, קבלת הכל, לאשר הכל, אני מסכים להכל, אני
      מאשר הכל, הסכמה לכל, אפשר הכל, קבל את כל, אשר את כל, אישור כל, קבלת כל, לקבל הכל`),
    accept: list(`
      אישור, אשר, אני מאשר, אני מאשרת, אני מסכים, אני מסכימה, מסכים, הסכמה, קבל, קבלה, מאשר, מאשרת`),
    and: 'ו',
    ok: list(`הבנתי, בסדר, אוקיי, אוקי, מובן`),
    cookies: list(`עוגיות, קוקיז, קוקי`),
    topic: list(`פרטיות, הסכמה, הסכמת`),
    never: list(`
      רק, הכרחי, נחוצ, חיוני, נבחר, ללא, בלי, דחה, דחיי, סירוב, הגדר, קנה, קנייה, רכוש, רכיש,
      הזמנ, הזמן, תשלום, שלם, מנוי`),
  },
  zh: {
    all: list(`
      全部接受, 接受全部, 接受所有, 全部同意, 同意全部, 同意所有, 全部允许, 允许全部, 允许所有, 一律接受, 接受一切, 全部允許, 允許全部, 允許所有, 接受所有的`),
    accept: list(`接受, 同意, 我同意, 我接受, 允许, 允許, 同意使用, 接受使用`),
    and: '并',
    ok: list(
      `知道了, 我知道了, 明白了, 我明白, 好的, 了解, 我了解, 确定, 確定, 好, 我已了解, 瞭解, 我瞭解`,
    ),
    cookies: list(`cookie, 小型文字檔`),
    topic: list(`隐私, 隱私, 同意, 个人信息, 個人資料`),
    never: list(`
      仅, 僅, 只, 必要, 必需, 选择, 選擇, 选定, 选中, 不, 拒绝, 拒絕, 除, 设置, 設定, 偏好, 购买, 購買, 订购, 訂購, 下单, 下單, 支付, 付款,
      订阅, 訂閱, 结账, 結帳, 结算`),
  },
  ja: {
    all: list(`
      すべて受け入れる, すべて同意する, すべて同意, すべて許可, すべて許可する, すべて承認, すべて承諾, すべてのを受け入れる, すべてのに同意する, すべてのに同意,
      すべてのを許可, すべてのを許可する, すべてに同意する, すべてに同意, 全て受け入れる, 全て同意する, 全てに同意する, 全て許可, 全て許可する, 全てのを受け入れる,
      全てのに同意する, 全てのを許可する, すべてを受け入れる, すべてを許可する, 全部同意する`),
    accept: list(`
      同意する, 同意します, 同意, 受け入れる, を受け入れる, 許可する, を許可する, を許可, 許可, に同意する, 承諾する, 承諾, 承認する, の使用に同意する,
      の利用に同意する`),
    and: 'して',
    ok: list(`了解, 了解しました, わかりました, 分かりました, 理解しました, はい`),
    cookies: list(`cookie, クッキー`),
    topic: list(`プライバシー, 同意, 個人情報`),
    never: list(
      `のみ, だけ, 必須, 必要, 選択, なし, 拒否, しない, 除, 設定, 購入, 注文, 支払, 予約, 購読, 申し込, 申込, 登録`,
    ),
  },
  ko: {
    all: list(`
      모두 동의, 모두 동의하기, 모두 동의합니다, 모두 수락, 모두 수락하기, 모두 허용, 모두 허용하기, 모두 승인, 전체 동의, 전체 동의하기, 전체 수락, 전체
      허용, 모든 수락, 모든 허용, 모든 동의, 모든 쿠키 수락, 모든 쿠키 허용, 모든 쿠키에 동의`),
    accept: list(
      `동의, 동의합니다, 동의함, 동의하기, 수락, 수락하기, 허용, 허용하기, 수락합니다, 승인`,
    ),
    and: '및',
    ok: list(`확인, 알겠습니다, 이해했습니다, 네, 예`),
    cookies: list(`쿠키`),
    topic: list(`개인정보, 동의, 프라이버시`),
    never: list(
      `만, 필수, 필요, 선택, 없이, 제외, 거부, 거절, 설정, 구매, 주문, 결제, 구독, 예약, 신청`,
    ),
  },
};

/** Words that may come first: "Yes, accept all". */
export const YES = list(`
  yes, yes please, ja, oui, sí, sì, sim, tak, ano, áno, da, да, так, igen, kyllä, jah, jā, taip,
  ναι, evet, já, نعم, כן, はい, 네, 예, 是, ok, okay, thanks, danke, merci, super`);

/** What buttons and headings of shops say, in several languages. Compared without case and accents. */
export const PURCHASE =
  /\b(place (your |my |the )?order|order now|buy now|your order|your (shopping )?(cart|basket|bag)|order (total|summary)|check ?out|pay now|purchase now|jetzt (kaufen|bestellen)|zahlungspflichtig|kostenpflichtig|warenkorb|zur kasse|votre (commande|panier)|panier|valider la commande|comprar ahora|tu (pedido|carrito)|realizar pedido|acquista ora|carrello|winkelwagen|bestelling|afrekenen|carrinho|finalizar compra|koszyk|zamowieni|kosik|objednav|kosar|varukorg|kundvagn|handlekurv|indkobskurv|ostoskori)|корзин|заказ|кошик|замовленн|количк|поръчк|καλαθι|παραγγελια|sepet|السلة|סל הקניות|购物车|購物車|订单|訂單|カート|注文|장바구니|주문/;

/** An amount of money, which no consent banner names but those that sell a way around consent. */
export const PRICE =
  /[€$£¥₺₽₴₪₩]\s?\d|\d\s?(€|£|₺|₽|₴|₪|₩|(eur|usd|chf|gbp|pln|zl|kc|ft|kr|sek|nok|dkk|lei)\b|лв|руб|грн)/;
