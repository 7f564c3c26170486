import type { Migration } from '../platform/db/index.ts';
import { installation } from './001-installation.ts';
import { licensing } from './002-licensing.ts';
import { users } from './003-users.ts';
import { vendors } from './004-vendors.ts';
import { scripts } from './005-scripts.ts';
import { dataMap } from './006-data-map.ts';
import { settings } from './007-settings.ts';
import { consent } from './008-consent.ts';
import { consentRepeats } from './009-consent-repeats.ts';
import { extensionItems } from './010-extension-items.ts';
import { scanner } from './011-scanner.ts';
import { retention } from './012-retention.ts';
import { mail } from './013-mail.ts';
import { dsar } from './014-dsar.ts';
import { checkout } from './015-checkout.ts';
import { magicLinks } from './016-magic-links.ts';
import { siteLicence } from './017-site-licence.ts';
import { payments } from './018-payments.ts';
import { userLog } from './019-user-log.ts';
import { mailAbout } from './020-mail-about.ts';
import { visitorSegments } from './021-visitor-segments.ts';
import { visitorsInBatches } from './022-visitors-in-batches.ts';
import { refusedOrigins } from './023-refused-origins.ts';
import { configVersionNotStated } from './024-config-version-not-stated.ts';
import { consentCategoryDays } from './025-consent-category-days.ts';
import { askedOfVisitors } from './026-asked-of-visitors.ts';
import { revokedLinks } from './027-revoked-links.ts';
import { caseDecisions } from './028-case-decisions.ts';
import { ownersAndActors } from './029-owners-and-actors.ts';
import { addressSpellings } from './030-address-spellings.ts';
import { acknowledgements } from './031-acknowledgements.ts';
import { visitorClaims } from './032-visitor-claims.ts';
import { auditTrails } from './033-audit-trails.ts';
import { mailEnds } from './034-mail-ends.ts';
import { erasures } from './035-erasures.ts';
import { enteredRequests } from './036-entered-requests.ts';
import { intakeAlerts } from './037-intake-alerts.ts';
import { dataMapArt15 } from './038-data-map-art-15.ts';
import { licenceTransfers } from './039-licence-transfers.ts';
import { signIn } from './040-sign-in.ts';
import { securityLog } from './041-security-log.ts';
import { scanPageAnswers } from './042-scan-page-answers.ts';
import { scanRuns } from './043-scan-runs.ts';
import { scanPageBanners } from './044-scan-page-banners.ts';
import { licenceRestrictions } from './045-licence-restrictions.ts';
import { unknownPrices } from './046-unknown-prices.ts';
import { renewals } from './047-renewals.ts';
import { linksBesideEachOther } from './048-links-beside-each-other.ts';
import { licenceNotes } from './049-licence-notes.ts';
import { applicationIds } from './050-application-ids.ts';
import { settingsChanges } from './051-settings-changes.ts';
import { findingDecisions } from './052-finding-decisions.ts';
import { cookieClassifications } from './053-cookie-classifications.ts';
import { scanStates } from './054-scan-states.ts';
import { bannerPictures } from './055-banner-pictures.ts';
import { consentLog } from './056-consent-log.ts';
import { logVerifications } from './057-log-verifications.ts';
import { consentVendors } from './058-consent-vendors.ts';
import { sharedChoices } from './059-shared-choices.ts';
import { products } from './060-products.ts';
import { vendorPrivacyUrl } from './061-vendor-privacy-url.ts';
import { branding } from './066-branding.ts';
import { planDescriptions } from './067-plan-descriptions.ts';
import { releases } from './068-releases.ts';
import { webhooks } from './069-webhooks.ts';
import { signingKeys } from './070-signing-keys.ts';
import { licenceImports } from './071-licence-imports.ts';
import { apiTokens } from './072-api-tokens.ts';
import { trials } from './073-trials.ts';
import { releaseKeys } from './074-release-keys.ts';
import { validationCounts } from './074-validation-counts.ts';
import { signInByEmailAndProvider } from './076-sign-in-by-email-and-provider.ts';
import { largerVisitorBatches } from './078-larger-visitor-batches.ts';
import { secondFactor } from './079-second-factor.ts';
import { applicationPasswordExpiry } from './080-application-password-expiry.ts';
import { applicationPasswordScopes } from './081-application-password-scopes.ts';
import { mergedVisitorSegments } from './084-merged-visitor-segments.ts';
import { passwordChecks } from './086-password-checks.ts';
import { webhookEventTypes } from './088-webhook-event-types.ts';
import { formerPlanPrices } from './089-former-plan-prices.ts';
import { customerTransfers } from './090-customer-transfers.ts';
import { visitsWithPictures } from './091-visits-with-pictures.ts';
import { refusedRenewals } from './092-refused-renewals.ts';
import { deadlineReminders } from './093-deadline-reminders.ts';
import { liftedHolds } from './094-lifted-holds.ts';
import { mailExpiry } from './095-mail-expiry.ts';
import { crawlLimits } from './101-crawl-limits.ts';
import { purchaseTerms } from './103-purchase-terms.ts';

/** Every migration in order. What has landed is frozen: a change is a new one at the end. */
export const migrations: Record<string, Migration> = {
  '001-installation': installation,
  '002-licensing': licensing,
  '003-users': users,
  '004-vendors': vendors,
  '005-scripts': scripts,
  '006-data-map': dataMap,
  '007-settings': settings,
  '008-consent': consent,
  '009-consent-repeats': consentRepeats,
  '010-extension-items': extensionItems,
  '011-scanner': scanner,
  '012-retention': retention,
  '013-mail': mail,
  '014-dsar': dsar,
  '015-checkout': checkout,
  '016-magic-links': magicLinks,
  '017-site-licence': siteLicence,
  '018-payments': payments,
  '019-user-log': userLog,
  '020-mail-about': mailAbout,
  '021-visitor-segments': visitorSegments,
  '022-visitors-in-batches': visitorsInBatches,
  '023-refused-origins': refusedOrigins,
  '024-config-version-not-stated': configVersionNotStated,
  '025-consent-category-days': consentCategoryDays,
  '026-asked-of-visitors': askedOfVisitors,
  '027-revoked-links': revokedLinks,
  '028-case-decisions': caseDecisions,
  '029-owners-and-actors': ownersAndActors,
  '030-address-spellings': addressSpellings,
  '031-acknowledgements': acknowledgements,
  '032-visitor-claims': visitorClaims,
  '033-audit-trails': auditTrails,
  '034-mail-ends': mailEnds,
  '035-erasures': erasures,
  '036-entered-requests': enteredRequests,
  '037-intake-alerts': intakeAlerts,
  '038-data-map-art-15': dataMapArt15,
  '039-licence-transfers': licenceTransfers,
  '040-sign-in': signIn,
  '041-security-log': securityLog,
  '042-scan-page-answers': scanPageAnswers,
  '043-scan-runs': scanRuns,
  '044-scan-page-banners': scanPageBanners,
  '045-licence-restrictions': licenceRestrictions,
  '046-unknown-prices': unknownPrices,
  '047-renewals': renewals,
  '048-links-beside-each-other': linksBesideEachOther,
  '049-licence-notes': licenceNotes,
  '050-application-ids': applicationIds,
  '051-settings-changes': settingsChanges,
  '052-finding-decisions': findingDecisions,
  '053-cookie-classifications': cookieClassifications,
  '054-scan-states': scanStates,
  '055-banner-pictures': bannerPictures,
  '056-consent-log': consentLog,
  '057-log-verifications': logVerifications,
  '058-consent-vendors': consentVendors,
  '059-shared-choices': sharedChoices,
  '060-products': products,
  '061-vendor-privacy-url': vendorPrivacyUrl,
  '066-branding': branding,
  '067-plan-descriptions': planDescriptions,
  '068-releases': releases,
  '069-webhooks': webhooks,
  '070-signing-keys': signingKeys,
  '071-licence-imports': licenceImports,
  '072-api-tokens': apiTokens,
  '073-trials': trials,
  '074-release-keys': releaseKeys,
  '074-validation-counts': validationCounts,
  '076-sign-in-by-email-and-provider': signInByEmailAndProvider,
  '078-larger-visitor-batches': largerVisitorBatches,
  '079-second-factor': secondFactor,
  '080-application-password-expiry': applicationPasswordExpiry,
  '081-application-password-scopes': applicationPasswordScopes,
  '084-merged-visitor-segments': mergedVisitorSegments,
  '086-password-checks': passwordChecks,
  '088-webhook-event-types': webhookEventTypes,
  '089-former-plan-prices': formerPlanPrices,
  '090-customer-transfers': customerTransfers,
  '091-visits-with-pictures': visitsWithPictures,
  '092-refused-renewals': refusedRenewals,
  '093-deadline-reminders': deadlineReminders,
  '094-lifted-holds': liftedHolds,
  '095-mail-expiry': mailExpiry,
  '101-crawl-limits': crawlLimits,
  '103-purchase-terms': purchaseTerms,
};
