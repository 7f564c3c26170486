/** ISO 3166-1 alpha-2 codes of the European Economic Area, and of parts of member states with a code of their own. */
const EEA = new Set(
  `AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IS IT LI LT LU LV MT NL NO PL PT RO SE SI SK
AX GF GP MF MQ RE YT`.split(/\s/),
);

/**
 * Countries with an adequacy decision of the European Commission (GDPR Art. 45), and what it is limited to. The list is
 * that of `ADEQUACY_SOURCE`.
 */
const ADEQUATE: Readonly<Record<string, string | null>> = {
  AD: null,
  AR: null,
  BR: null,
  CA: 'Organisations subject to PIPEDA (commercial organisations)',
  CH: null,
  FO: null,
  GB: null,
  GG: null,
  IL: null,
  IM: null,
  JE: null,
  JP: 'Business operators subject to the Act on the Protection of Personal Information',
  KR: 'Controllers subject to the Personal Information Protection Act',
  NZ: null,
  US: 'Organisations certified under the EU-US Data Privacy Framework',
  UY: null,
};

/** International organisations with an adequacy decision. */
export const ADEQUATE_ORGANISATIONS = ['European Patent Organisation'];

/** The day of the list. Since 2025 it was changed for the EPO (July 2025), the UK (renewed) and Brazil (January 2026). */
export const ADEQUACY_AS_OF = '2026-08-05';
export const ADEQUACY_SOURCE =
  'https://commission.europa.eu/law/law-topic/data-protection/international-dimension-data-protection/adequacy-decisions_en';

/** The assigned codes of ISO 3166-1 alpha-2. */
const CODES =
  `AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW
BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO
FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP
KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU
MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB
SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY
UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW`.split(/\s+/);

export const TRANSFER_STATUSES = ['eea', 'adequate', 'restricted'] as const;

function getStatus(code: string): (typeof TRANSFER_STATUSES)[number] {
  if (EEA.has(code)) return 'eea';
  return code in ADEQUATE ? 'adequate' : 'restricted';
}

const names = new Intl.DisplayNames(['en'], { type: 'region' });

/** All countries and territories, by name. */
export const COUNTRIES = CODES.map((code) => ({
  code,
  name: names.of(code) ?? code,
  status: getStatus(code),
  condition: ADEQUATE[code] ?? null,
})).sort((a, b) => a.name.localeCompare(b.name, 'en'));

/** Legal bases of a transfer to a third country: GDPR Art. 45 to 49. */
export const SAFEGUARDS = [
  { article: 'Art. 45', label: 'Adequacy decision' },
  { article: 'Art. 45', label: 'EU-US Data Privacy Framework' },
  { article: 'Art. 46(2)(a)', label: 'Legally binding instrument between public authorities' },
  { article: 'Art. 46(2)(b), Art. 47', label: 'Binding corporate rules' },
  { article: 'Art. 46(2)(c)', label: 'Standard contractual clauses of the European Commission' },
  { article: 'Art. 46(2)(d)', label: 'Standard contractual clauses of a supervisory authority' },
  { article: 'Art. 46(2)(e)', label: 'Approved code of conduct' },
  { article: 'Art. 46(2)(f)', label: 'Approved certification mechanism' },
  { article: 'Art. 46(3)(a)', label: 'Contractual clauses authorised by a supervisory authority' },
  { article: 'Art. 49(1)(a)', label: 'Explicit consent of the data subject' },
] as const;
