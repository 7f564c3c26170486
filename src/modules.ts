import { HOOK_CATALOGUE } from './extensions/catalogue.ts';
import { ExtensionRegistry } from './extensions/registry.ts';
import { SecurityLog, securityLog } from './identity/security-log/index.ts';
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
import type { PersonalDataDeclaration } from './personal-data/index.ts';
import {
  type OpeningParts,
  openCorePlatform,
  type Platform,
  type PlatformSettings,
} from './platform/deps.ts';
import { consentRecords } from './privacy/consent/index.ts';
import { caseDeletions, caseRecords, packageRecords, requestLog } from './privacy/dsar/index.ts';
import { retentionChanges } from './privacy/retention/index.ts';
import { findingDecisions, scanFindings } from './privacy/scanner/index.ts';

/**
 * Every kind of record that is about people, as its slice declares it. Retention and data-subject
 * requests know of no others, and a test finds the column that none of them names. Erasures go in this
 * order: what leads to a person comes before what it is found by.
 */
export const PERSONAL_DATA: readonly PersonalDataDeclaration[] = [
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

/** Opens what every slice may use; whoever opened it closes `datastore`. */
export async function openPlatform(
  settings: PlatformSettings,
  parts: OpeningParts,
): Promise<Platform> {
  const core = await openCorePlatform(settings, { ...parts, documentedHooks: HOOK_CATALOGUE });
  return {
    ...core,
    extensions: new ExtensionRegistry(core.log),
    securityLog: new SecurityLog(core),
  };
}
