import type { Config } from '../config/index.ts';
import { PERSONAL_DATA } from '../modules.ts';
import type { Platform } from '../platform/deps.ts';
import { readEmail } from '../platform/email-address.ts';
import { readVisitorToken } from '../privacy/consent/index.ts';
import { processingOverview } from '../privacy/data-map/index.ts';
import { type Dsar, dsarOf, type Sender } from '../privacy/dsar/index.ts';
import { listPolicies } from '../privacy/retention/index.ts';
import { readSettings, type SiteSettings } from '../privacy/settings/index.ts';

/** Hands requests what they need of settings, data map and record types, which they have no arrow to. */
export function openDsar(
  platform: Platform,
  { timeZone, dataDir, rateLimits, mail }: Config,
  addresses: () => { restRoot: string; siteUrl: string },
): Dsar {
  const { db } = platform.datastore;
  return dsarOf(platform, {
    settings: async () => {
      const { settings } = await readSettings(db, addresses().siteUrl);
      return { ...settings, mail: senderOf(settings, mail.from?.address) };
    },
    siteUrl: () => addresses().siteUrl,
    publicUrl: () => new URL(addresses().restRoot).origin,
    readVisitorToken: (token) => readVisitorToken(platform, token),
    timeZone,
    dataDir,
    personalData: PERSONAL_DATA,
    processing: () => processingOverview(db),
    retentionRules: async (reader) =>
      (await listPolicies(reader, { isActive: true })).map(({ dataCategory, ...rule }) => ({
        ...rule,
        category: dataCategory,
      })),
    perMinute: rateLimits.dsarPerMinute,
  });
}

const NOBODY_READS = /^(?:no|do-?not)[._-]?reply@/;

/** Who emails come from, and the first address that was set of those to which people may answer. */
function senderOf({ mail, controller }: SiteSettings, mailFrom = ''): Sender {
  const from = NOBODY_READS.test(mailFrom) ? '' : mailFrom;
  return {
    from_name: mail.from_name || controller.name,
    // One that was stored before addresses were checked may be none.
    reply_to: readEmail(mail.reply_to) ?? (controller.email || from),
    controller,
  };
}
