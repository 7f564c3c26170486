import { securityLog } from './identity/security-log/index.ts';
import {
  applicationPasswords,
  userLog,
  userRecords,
  userSessions,
} from './identity/users/index.ts';
import { activationHistory } from './licensing/activations/index.ts';
import { checkoutOrders, purchaseRecords } from './licensing/checkout/index.ts';
import { customerRecords } from './licensing/customers/index.ts';
import { auditLog, licenceRecords } from './licensing/licences/index.ts';
import { signInLinks } from './licensing/magic-links/index.ts';
import { mailRecords } from './mail/index.ts';
import type { RecordType } from './personal-data/index.ts';
import { consentRecords } from './privacy/consent/index.ts';
import { caseDeletions, caseRecords, packageRecords, requestLog } from './privacy/dsar/index.ts';
import { retentionChanges } from './privacy/retention/index.ts';
import { findingDecisions, scanFindings } from './privacy/scanner/index.ts';

/**
 * Every kind of record that is about people, as its slice declares it. Retention and data-subject
 * requests know of no others, and a test finds the column that none of them names. Erasures go in this
 * order: what leads to a person comes before what it is found by.
 */
export const RECORD_TYPES: readonly RecordType[] = [
  consentRecords,
  licenceRecords,
  activationHistory,
  purchaseRecords,
  checkoutOrders,
  signInLinks,
  auditLog,
  customerRecords,
  requestLog,
  caseRecords,
  packageRecords,
  caseDeletions,
  userSessions,
  applicationPasswords,
  userLog,
  securityLog,
  userRecords,
  mailRecords,
  retentionChanges,
  scanFindings,
  findingDecisions,
];
