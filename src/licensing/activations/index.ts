export { activationRoutes } from './routes.ts';
export { ActivationRecord, toActivationRecord } from './schemas.ts';
export { licenceNotFound } from './service.ts';
export { siteClaim } from './site-request.ts';
export { type LicenceUse, listActivations, listInUse, useOf } from './store.ts';
