export { deriveKey, isLicenceKey, maskKey } from '../../platform/crypto/licence-key.ts';
export { formatConsoleActor } from './actor.ts';
export { appendEvent } from './audit-log/service.ts';
export { type LicenceEvent, listEvents } from './audit-log/store.ts';
export { editLicence, getLicenceTag } from './edits.ts';
export {
  type IssuedLicence,
  type IssueRequest,
  issueLicence,
  issueLicenceWithin,
} from './issue.ts';
export { assertSameKey, KEY_HEADER, missingKey, requireKeyHeader } from './key-header.ts';
export { hashKey, MAX_OVERLAP_HOURS, type RotatedKey, rotateKey } from './keys/service.ts';
export { findFormerKeyTime, listMaskedKeys } from './keys/store.ts';
export {
  RESTRICTION_CAUSES,
  RESTRICTION_EFFECTS,
  type Restriction,
  type RestrictionCause,
} from './restrictions/rules.ts';
export { reinstateLicence, revokeLicence, suspendLicence } from './restrictions/service.ts';
export {
  addRestriction,
  changeCause,
  liftRestrictions,
  listRestrictions,
} from './restrictions/store.ts';
export { auditLog, licenceRecords } from './retention.ts';
export {
  describeEntitlement,
  describeFullLicence,
  getGraceEnd,
  getLicenceStatus,
  LICENCE_STATUSES,
  type Licence,
  type LicenceStatus,
  toRenewalUrl,
  UNLIMITED_SITES,
} from './rules.ts';
export {
  EXAMPLE_KEY,
  errorAnswers,
  expiryFields,
  LicenceId,
  LicenceParams,
  licenceInfoExample,
  licenceInfoFields,
  licenceKeySecurity,
  SiteRequest,
  toExpiry,
  toLicenceInfo,
  trialField,
} from './schemas.ts';
export {
  announceLicence,
  extendLicence,
  LICENCE_CHANGED,
  transferLicence,
} from './service.ts';
export {
  findLicenceByKeyHash,
  findLicenceWithCustomer,
  type LicenceWithCustomer,
  listLicences,
  listLicencesAfter,
  listLicencesBefore,
  listLicencesKeeping,
  lockLicence,
  searchLicences,
  updateLicence,
} from './store.ts';
export { toLicenceContent } from './webhook-licence.ts';
