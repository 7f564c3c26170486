export { exportConsents } from './export.ts';
export { consentRecords } from './retention.ts';
export { consentRoutes } from './routes.ts';
export { EXPORT_FORMATS } from './schemas.ts';
export { seedConsents } from './seed.ts';
export { getConsentStats } from './stats.ts';
export { readVisitorToken } from './visitor-token.ts';
