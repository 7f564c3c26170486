import type { Config } from '../config/index.ts';
import type { Platform } from '../platform/deps.ts';
import { readEmail } from '../platform/email-address.ts';
import { consentRecords, readVisitorToken } from '../privacy/consent/index.ts';
import { listReceipts, openLog, readVerifierPage } from '../privacy/consent-log/index.ts';
import { listProcessing } from '../privacy/data-map/index.ts';
import { createDsar, type Dsar, type Sender } from '../privacy/dsar/index.ts';
import { listPolicies } from '../privacy/retention/index.ts';
import { getSenderName, readSettings, type SiteSettings } from '../privacy/settings/index.ts';
import type { Addresses } from './module.ts';
import { PERSONAL_DATA } from './personal-data.ts';
import { createReceiptScope } from './receipts.ts';

/** Opens data subject requests with what they need of slices that they must not import. */
export function openDataSubjectRequests(
  platform: Platform,
  { timeZone, dataDir, rateLimits, mail }: Config,
  addresses: () => Pick<Addresses, 'restRoot' | 'siteUrl' | 'consoleUrl'>,
): Dsar {
  const { db } = platform.datastore;
  const receipts = createReceiptScope(platform, addresses);
  return createDsar(platform, {
    settings: async () => {
      const { settings } = await readSettings(db, addresses().restRoot);
      return { ...settings, mail: toSender(settings, mail.from?.address) };
    },
    siteUrl: () => addresses().siteUrl,
    publicUrl: () => new URL(addresses().restRoot).origin,
    consoleUrl: () => addresses().consoleUrl,
    readVisitorToken: (token) => readVisitorToken(platform, token),
    timeZone,
    dataDir,
    personalData: PERSONAL_DATA,
    processing: () => listProcessing(db),
    receipts: {
      category: consentRecords.category,
      async *list(visitorId) {
        const log = openLog(platform, { dataDir });
        try {
          yield* listReceipts(platform, { ...receipts, log }, visitorId);
        } finally {
          await log.close();
        }
      },
      readVerifier: readVerifierPage,
    },
    retentionRules: async (reader) =>
      (await listPolicies(reader, { isActive: true })).map(({ dataCategory, ...rule }) => ({
        ...rule,
        category: dataCategory,
      })),
    perMinute: rateLimits.dsarPerMinute,
  });
}

const NO_REPLY = /^(?:no|do-?not)[._-]?reply@/;

/** Replies go to the first of: reply-to, controller, `PAVIS_MAIL_FROM`. */
function toSender(settings: SiteSettings, mailFrom = ''): Sender {
  const { mail, controller } = settings;
  const from = NO_REPLY.test(mailFrom) ? '' : mailFrom;
  return {
    from_name: getSenderName(settings),
    // Older settings may hold a value that is not an address.
    reply_to: readEmail(mail.reply_to) ?? (controller.email || from),
    controller,
  };
}
