export { activationHistory } from './retention.ts';
export { activationRoutes } from './routes.ts';
export { ActivationRecord, DeactivationResult, toActivationRecord } from './schemas.ts';
export { licenceNotFound, noSuchLicence, recountSlots, releaseActivation } from './service.ts';
export { plainSiteClaim, siteClaim } from './site-request.ts';
export { InvalidSiteUrl, siteKey } from './site-url.ts';
export { type LicenceUse, listActivations, listInUse, listOwnActivations, useOf } from './store.ts';
