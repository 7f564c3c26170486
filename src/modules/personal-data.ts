import { securityLog } from '../identity/security-log/index.ts';
import { userIdentities } from '../identity/single-sign-on/index.ts';
import {
  applicationPasswords,
  authenticatorApps,
  passkeys,
  passwordResets,
  userLog,
  userRecords,
  userSessions,
} from '../identity/users/index.ts';
import { activationHistory } from '../licensing/activations/index.ts';
import { checkoutOrders, purchaseRecords } from '../licensing/checkout/index.ts';
import { customerRecords } from '../licensing/customers/index.ts';
import { auditLog, licenceRecords } from '../licensing/licences/index.ts';
import { signInLinks } from '../licensing/magic-links/index.ts';
import { mailRecords } from '../mail/index.ts';
import type { PersonalDataDeclaration } from '../personal-data/index.ts';
import type { Platform } from '../platform/deps.ts';
import { consentRecords, sharedChoices } from '../privacy/consent/index.ts';
import { seedOwnProcessing } from '../privacy/data-map/index.ts';
import { caseDeletions, caseRecords, packageRecords, requestLog } from '../privacy/dsar/index.ts';
import { retentionChanges, seedPolicies } from '../privacy/retention/index.ts';
import { findingDecisions, scanFindings } from '../privacy/scanner/index.ts';
import { seedLibrary } from '../privacy/vendors/index.ts';
import { webhookEvents } from '../webhooks/index.ts';

/**
 * The personal data of every slice, for retention and data subject requests; a test fails for a text column that is in
 * none of them. Erasure follows this order: records come before those by which their person is found.
 */
export const PERSONAL_DATA: readonly PersonalDataDeclaration[] = [
  sharedChoices,
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
  passwordResets,
  userIdentities,
  authenticatorApps,
  passkeys,
  userLog,
  securityLog,
  userRecords,
  mailRecords,
  webhookEvents,
  retentionChanges,
  scanFindings,
  findingDecisions,
];

/** Writes the data that every installation starts with, unless it exists. */
export async function seedDatabase(platform: Platform): Promise<void> {
  await seedLibrary(platform);
  await seedOwnProcessing(platform);
  await seedPolicies(platform, PERSONAL_DATA);
}
