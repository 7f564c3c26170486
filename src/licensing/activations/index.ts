export { ActivationLimitError, queueLimitReached } from './limit-reached.ts';
export { activationHistory } from './retention.ts';
export { activationRoutes } from './routes.ts';
export {
  ActivationChoice,
  ActivationRecord,
  DeactivationResult,
  toActivationRecord,
} from './schemas.ts';
export {
  assertActive,
  deactivate,
  licenceNotFound,
  licenceRefused,
  noSuchLicence,
  recountSlots,
  releaseActivation,
  takeSlot,
} from './service.ts';
export {
  parseSiteCredentials,
  parseSiteUrl,
  readSiteCredentials,
  type SiteCredentials,
} from './site-request.ts';
export {
  InvalidSiteUrl,
  isDevelopmentSite,
  needsSlot,
  toPublicSiteUrl,
  toSiteKey,
} from './site-url.ts';
export {
  type Activation,
  countSlotsInUse,
  listActivations,
  listInUse,
  listOwnActivations,
  listSitesOfCustomer,
  listUse,
  wasEverActivated,
} from './store.ts';
