import type { Config } from '../config/index.ts';
import type { PersonalDataDeclaration } from '../personal-data/index.ts';
import type { Platform } from '../platform/deps.ts';
import { readEmail } from '../platform/email-address.ts';
import { readVisitorToken } from '../privacy/consent/index.ts';
import { listProcessing } from '../privacy/data-map/index.ts';
import { createDsar, type Dsar, type Sender } from '../privacy/dsar/index.ts';
import { listPolicies } from '../privacy/retention/index.ts';
import { readSettings, type SiteSettings } from '../privacy/settings/index.ts';

/** Gives data subject requests what they need of settings, data map and personal-data declarations, which they must not import. */
export function openDsar(
  platform: Platform,
  { timeZone, dataDir, rateLimits, mail }: Config,
  addresses: () => { restRoot: string; siteUrl: string },
  personalData: readonly PersonalDataDeclaration[],
): Dsar {
  const { db } = platform.datastore;
  return createDsar(platform, {
    settings: async () => {
      const { settings } = await readSettings(db, addresses().siteUrl);
      return { ...settings, mail: toSender(settings, mail.from?.address) };
    },
    siteUrl: () => addresses().siteUrl,
    publicUrl: () => new URL(addresses().restRoot).origin,
    readVisitorToken: (token) => readVisitorToken(platform, token),
    timeZone,
    dataDir,
    personalData,
    processing: () => listProcessing(db),
    retentionRules: async (reader) =>
      (await listPolicies(reader, { isActive: true })).map(({ dataCategory, ...rule }) => ({
        ...rule,
        category: dataCategory,
      })),
    perMinute: rateLimits.dsarPerMinute,
  });
}

const NO_REPLY = /^(?:no|do-?not)[._-]?reply@/;

/** The sender of emails. Replies go to the first address that is set and read: reply-to, controller, `PAVIS_MAIL_FROM`. */
function toSender({ mail, controller }: SiteSettings, mailFrom = ''): Sender {
  const from = NO_REPLY.test(mailFrom) ? '' : mailFrom;
  return {
    from_name: mail.from_name || controller.name,
    // Older settings may hold a value that is not an address.
    reply_to: readEmail(mail.reply_to) ?? (controller.email || from),
    controller,
  };
}
