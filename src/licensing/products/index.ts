export { CATALOGUE_CHANGED, CatalogueCache } from './cache.ts';
export { createPlan, findPlan, getPlanTag, updatePlan } from './plans.ts';
export {
  type Catalogue,
  DEFAULT_PRODUCT,
  findProduct,
  getPlan,
  getProduct,
  hasOwnName,
  INTERVALS,
  type Interval,
  NEVER,
  type Plan,
  type Product,
  readPlan,
  readProduct,
  resolveFeatures,
} from './rules.ts';
export {
  FeatureList,
  PlanCreate,
  PlanRecord,
  PlanUpdate,
  ProductCreate,
  ProductRecord,
  ProductUpdate,
  toPlanRecord,
  toProductRecord,
} from './schemas.ts';
export { createProduct, getProductTag, setCurrentVersion, updateProduct } from './service.ts';
export { countLicences, readCatalogue } from './store.ts';
