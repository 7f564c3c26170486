export { formatConsoleActor } from './actor.ts';
export { editLicence, getLicenceTag } from './edits.ts';
export { isLicenceKey, maskKey } from './key.ts';
export { assertSameKey, requireKeyHeader } from './key-header.ts';
export {
  RESTRICTION_CAUSES,
  RESTRICTION_EFFECTS,
  type Restriction,
  type RestrictionCause,
} from './restrictions/rules.ts';
export {
  addRestriction,
  changeCause,
  liftRestrictions,
  listRestrictions,
} from './restrictions/store.ts';
export { auditLog, licenceRecords } from './retention.ts';
export {
  describeFullLicence,
  getGraceEnd,
  getLicenceStatus,
  LICENCE_STATUSES,
  type Licence,
  NEVER,
  toRenewalUrl,
} from './rules.ts';
export {
  errorAnswers,
  expiryFields,
  licenceInfoExample,
  licenceInfoFields,
  licenceKeySecurity,
  SiteRequest,
  toExpiry,
  toLicenceInfo,
} from './schemas.ts';
export {
  announceLicence,
  extendLicence,
  hashKey,
  type IssuedLicence,
  type IssueRequest,
  issueLicence,
  issueLicenceWithin,
  LICENCE_CHANGED,
  type RotatedKey,
  reinstateLicence,
  revokeLicence,
  rotateKey,
  suspendLicence,
  transferLicence,
} from './service.ts';
export {
  appendEvent,
  findLicenceByKeyHash,
  findLicenceWithCustomer,
  type LicenceEvent,
  type LicenceWithCustomer,
  listEvents,
  listLicences,
  listLicencesAfter,
  listMaskedKeys,
  lockLicence,
  searchLicences,
  updateLicence,
} from './store.ts';
export { getTierFeatures, getTierSites, TIER_NAMES, type Tier } from './tiers.ts';
