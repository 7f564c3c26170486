export { activationHistory } from './retention.ts';
export { activationRoutes } from './routes.ts';
export { ActivationRecord, DeactivationResult, toActivationRecord } from './schemas.ts';
export { licenceNotFound, noSuchLicence, releaseActivation } from './service.ts';
export { plainSiteClaim, siteClaim } from './site-request.ts';
export { type LicenceUse, listActivations, listInUse, listOwnActivations, useOf } from './store.ts';
