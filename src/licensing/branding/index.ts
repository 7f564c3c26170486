export {
  type Brand,
  chooseLanguage,
  getTextColor,
  type Language,
  NO_BRAND,
  toHelpLink,
  toMailBrand,
} from './rules.ts';
export { BrandRecord, BrandUpdate, toBrandRecord } from './schemas.ts';
export { getBrandTag, updateBrand } from './service.ts';
export { readBrand } from './store.ts';
