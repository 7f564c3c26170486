export {
  DEFAULT_APPEARANCE,
  DEFAULT_COLORS,
  getColors,
  measureContrasts,
  updateAppearance,
} from './banner/appearance/rules.ts';
export {
  Appearance,
  AppearanceUpdate,
  COLOR_NAMES,
  ContrastRecord,
} from './banner/appearance/schemas.ts';
export type { Asked } from './banner/asked.ts';
export { ConsentVersions } from './banner/consent-versions.ts';
export { addNewTexts } from './banner/new-texts.ts';
export { bannerTexts, ConsentSettings } from './banner/schemas.ts';
export { getShownTexts, getTexts, listTextLanguages, toValidTag } from './banner/texts.ts';
export { SettingsCache } from './cache.ts';
export { IMPORT_FORMATS, loadImport } from './import/index.ts';
export { settingsRoutes } from './routes.ts';
export { getSenderName } from './rules.ts';
export { ScanSchedule, type SiteSettings } from './schemas.ts';
export { assertCategory, type CurrentSettings, readSettings } from './service.ts';
export { type ConsentVersion, listConsentVersions } from './store.ts';
