export { type BannerRules, isMoreThanOptIn, toBannerRules } from './banner-rules.ts';
export { getRegimeFor } from './choice.ts';
export { EXEMPT_PURPOSES } from './model.ts';
export { assertOverrides } from './overrides.ts';
export { regimeRoutes } from './routes.ts';
export { RegimeSettings } from './schemas.ts';
