import { HOOK_CATALOGUE } from '../extensions/catalogue.ts';
import { ExtensionRegistry } from '../extensions/registry.ts';
import { SecurityLog } from '../identity/security-log/index.ts';
import { CatalogueCache } from '../licensing/products/index.ts';
import {
  type OpeningParts,
  openCorePlatform,
  type Platform,
  type PlatformSettings,
} from '../platform/deps.ts';
import type { Logger } from '../platform/log.ts';
import { RESERVED_SOURCES } from '../privacy/dsar/index.ts';
import { WebhookSubscriptions } from '../webhooks/index.ts';
import { PERSONAL_DATA } from './personal-data.ts';

export const createExtensionRegistry = (log: Logger): ExtensionRegistry =>
  new ExtensionRegistry(log, [
    ...RESERVED_SOURCES,
    ...PERSONAL_DATA.map(({ category }) => category),
  ]);

/** The caller closes `datastore`. */
export async function openPlatform(
  settings: PlatformSettings,
  parts: OpeningParts,
): Promise<Platform> {
  const core = await openCorePlatform(settings, { ...parts, documentedHooks: HOOK_CATALOGUE });
  return {
    ...core,
    extensions: createExtensionRegistry(core.log),
    securityLog: new SecurityLog(core),
    catalogue: new CatalogueCache(core),
    webhooks: new WebhookSubscriptions(core),
  };
}
