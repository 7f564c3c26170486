/** Why a part of another banner is not imported as it is. Used by more than one format. */
export const NO_REJECT =
  'The banner had no reject button. Pavis always shows one beside accept, with equal weight.';
export const NOT_SELECTED = 'No category is selected in advance (CJEU C-673/17).';
export const OPT_OUT = 'Rules and texts of banners that ask after loading are not imported.';
export const LOOK = 'Colours, sizes and styles are not imported.';
export const NO_CLOSE = 'The reject button takes its place.';
export const ONE_BANNER = 'Pavis has one banner, and another one of the file was read.';
export const EQUAL_WEIGHT = 'Accept and reject always have equal weight.';
