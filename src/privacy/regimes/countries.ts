import type { RegimeName } from './model.ts';

/** The 27 member states. */
const EU = 'AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IT LV LT LU MT NL PL PT RO SK SI ES SE';
/** The other states of the European Economic Area (decision no. 154/2018 of the EEA Joint Committee). */
const EEA = 'IS LI NO';
/** Parts of the EU with country codes of their own: Article 355(1) and (4) TFEU. */
const EU_REGIONS = 'GP GF MQ YT RE MF AX';

/**
 * Countries and territories by regime, as ISO 3166-1 alpha-2. A territory is listed only where the laws of the regime
 * apply. Not listed, and so asked as strictly as possible: Jersey, Guernsey, the Isle of Man and Gibraltar, to which the
 * British regulations do not extend; the territories of the United States, whose residents the laws of the states do
 * not cover; Svalbard (Protocol 40 to the EEA Agreement), and overseas countries of EU members (Article 355(2) TFEU).
 */
export const REGIME_COUNTRIES: Record<RegimeName, readonly string[]> = {
  eu: `${EU} ${EEA} ${EU_REGIONS}`.split(' '),
  uk: ['GB'],
  us: ['US'],
  ch: ['CH'],
  br: ['BR'],
  default: [],
};
