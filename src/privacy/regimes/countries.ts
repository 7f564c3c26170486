import type { RegimeName } from './model.ts';

/** The 27 member states. */
const EU = 'AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IT LV LT LU MT NL PL PT RO SK SI ES SE';
/** The other states of the European Economic Area (decision no. 154/2018 of the EEA Joint Committee). */
const EEA = 'IS LI NO';
/** Parts of the EU with country codes of their own: Article 355(1) and (4) TFEU. */
const EU_REGIONS = 'GP GF MQ YT RE MF AX';

/** ISO 3166-1 alpha-2, and Kosovo (`XK`), for which databases and networks use a code of their own. */
export const COUNTRIES: readonly string[] = `
  AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT
  BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH
  ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT
  HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS
  LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI
  NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG
  SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG
  UM US UY UZ VA VC VE VG VI VN VU WF WS XK YE YT ZA ZM ZW
`
  .trim()
  .split(/\s+/);

const KNOWN = {
  eu: `${EU} ${EEA} ${EU_REGIONS}`.split(' '),
  uk: ['GB'],
  us: ['US'],
  ch: ['CH'],
  br: ['BR'],
};
const known = new Set(Object.values(KNOWN).flat());

/**
 * Countries and territories by regime. `default` has all that no other has. A territory is listed elsewhere only where the
 * laws of the regime apply. So `default` has Jersey, Guernsey, the Isle of Man and Gibraltar, to which the British
 * regulations do not extend; the territories of the United States, whose residents the laws of the states do not cover;
 * Svalbard (Protocol 40 to the EEA Agreement), and overseas countries of EU members (Article 355(2) TFEU).
 */
export const REGIME_COUNTRIES: Record<RegimeName, readonly string[]> = {
  ...KNOWN,
  default: COUNTRIES.filter((country) => !known.has(country)),
};
