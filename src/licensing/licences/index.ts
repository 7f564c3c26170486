export { isLicenceKey } from './key.ts';
export { assertSameKey, requireKeyHeader } from './key-header.ts';
export { auditLog } from './retention.ts';
export { DAY_MS, endsAt, type Licence, licenceStatus, NEVER } from './rules.ts';
export {
  errorAnswers,
  licenceInfoExample,
  licenceInfoFields,
  licenceKeySecurity,
  SiteRequest,
  toLicenceInfo,
} from './schemas.ts';
export {
  announceLicence,
  extendLicence,
  hashKey,
  issueLicence,
  LICENCE_CHANGED,
  reinstateLicence,
  rerollKey,
  revokeLicence,
  suspendLicence,
} from './service.ts';
export {
  appendEvent,
  findLicenceByKeyHash,
  findLicenceWithCustomer,
  type LicenceEvent,
  listEvents,
  listLicences,
  lockLicence,
  maskedKeysOf,
} from './store.ts';
export { featuresOf, TIER_NAMES, type Tier } from './tiers.ts';
