import { activationHistory } from './licensing/activations/index.ts';
import { checkoutOrders } from './licensing/checkout/index.ts';
import { customerRecords } from './licensing/customers/index.ts';
import { auditLog } from './licensing/licences/index.ts';
import { userLog, userRecords } from './platform/auth/users/index.ts';
import { mailRecords } from './platform/mail/index.ts';
import type { RecordType } from './platform/records/index.ts';
import { consentRecords } from './privacy/consent/index.ts';
import { caseDeletions, caseRecords, packageRecords } from './privacy/dsar/index.ts';
import { retentionChanges } from './privacy/retention/index.ts';
import { scanFindings } from './privacy/scanner/index.ts';

/**
 * Every kind of record that is about people, as its slice declares it. Retention and data-subject
 * requests know of no others, and a test finds the column that none of them names.
 */
export const RECORD_TYPES: readonly RecordType[] = [
  consentRecords,
  caseRecords,
  packageRecords,
  caseDeletions,
  activationHistory,
  auditLog,
  scanFindings,
  customerRecords,
  checkoutOrders,
  userRecords,
  userLog,
  mailRecords,
  retentionChanges,
];
