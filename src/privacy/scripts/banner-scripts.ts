import type { Db, Trx } from '../../platform/db/index.ts';
import type { SiteSettings } from '../settings/index.ts';
import {
  createVendorIndex,
  type KnownVendor,
  listKnownVendors,
  toHosts,
} from '../vendors/index.ts';
import { toPublicScript } from './schemas.ts';
import { listActiveScripts, listRegistry, type Script } from './store.ts';

/** Announced when an entry of the registry is added, changed or deleted. */
export const SCRIPTS_CHANGED = 'scripts';

/** What the banner file holds of the registry (`Rule` of web/banner/auto-blocking.ts). */
type BannerRule = [category: string, address: string, method?: 'frame' | 'off'];

/** By slug: the name, and the domains separated by spaces (`Served` of web/banner/served.ts). */
type BannerVendors = Record<string, [name: string, domains: string]>;

/** A vendor that visitors can choose, because its scripts can be blocked. */
export interface ChoosableVendor {
  slug: string;
  /** The categories of its scripts. */
  categories: string[];
}

/**
 * The registry for the banner: what `GET /consent/scripts` lists, and the rules of automatic blocking. If visitors can
 * choose vendors, the category of a rule is `category/vendor`.
 */
export async function readBannerScripts(
  db: Db,
  { categories, vendor_choices }: SiteSettings['consent'],
) {
  const active = (await listRegistry(db)).filter(({ isActive }) => isActive);
  const find = (id: string) => categories.find((category) => category.id === id);
  const scripts = active.filter(({ category }) => find(category)).map(toPublicScript);
  // Visitors cannot accept a category that was removed, so its scripts stay blocked.
  const blocked = active.filter(({ category }) => !find(category)?.required);
  if (!vendor_choices) return { scripts, rules: toBannerRules(blocked) };
  const findVendor = await readVendorFinder(db, blocked);
  const vendors: BannerVendors = {};
  const rules = blocked.map((script) => {
    const vendor = find(script.category) && findVendor(script);
    if (!vendor) return script;
    // Rows from before domains were checked can hold others, and the banner compares hosts as they are.
    vendors[vendor.slug] = [vendor.name, toHosts(vendor.domains).join(' ')];
    return { ...script, category: `${script.category}/${vendor.slug}` };
  });
  return { scripts, rules: toBannerRules(rules), vendors };
}

/** The vendors that visitors can choose; none while `vendor_choices` is off. */
export async function readChoosableVendors(
  db: Db,
  { categories, vendor_choices }: SiteSettings['consent'],
): Promise<ChoosableVendor[]> {
  if (!vendor_choices) return [];
  const optional = categories.filter(({ required }) => !required);
  const registered = await readRegisteredVendors(db, optional);
  return [...registered].map(([slug, own]) => ({ slug, categories: own }));
}

/** As `readRegistered`, only the vendors. */
export const readRegisteredVendors = async (
  db: Db | Trx,
  categories: readonly { id: string }[],
): Promise<Map<string, string[]>> => (await readRegistered(db, categories)).vendors;

/**
 * The categories of active scripts, because these decide when a vendor loads: of vendors by slug, and of hosts by name.
 * @param categories the scripts of others are left out: visitors cannot accept a category that was removed
 */
export async function readRegistered(db: Db | Trx, categories: readonly { id: string }[]) {
  const ids = categories.map(({ id }) => id);
  const active = await listActiveScripts(db, ids);
  const findVendor = await readVendorFinder(db, active);
  return {
    vendors: groupCategories(active, (script) => findVendor(script)?.slug),
    hosts: groupCategories(active, ({ scriptUrl }) => new URL(scriptUrl).hostname),
  };
}

function groupCategories(
  scripts: readonly Script[],
  getKey: (script: Script) => string | undefined,
): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const script of scripts) {
    const key = getKey(script);
    if (key === undefined) continue;
    const known = found.get(key) ?? [];
    found.set(key, known);
    if (!known.includes(script.category)) known.push(script.category);
  }
  return found;
}

async function readVendorFinder(
  db: Db | Trx,
  scripts: readonly Script[],
): Promise<(script: Script) => KnownVendor | null> {
  if (scripts.length === 0) return () => null;
  const { byUrl } = createVendorIndex(await listKnownVendors(db));
  return ({ scriptUrl }) => byUrl(scriptUrl);
}

/** The most specific addresses first, because the first that matches decides. */
const toBannerRules = (scripts: readonly Script[]): BannerRule[] =>
  scripts.map(toBannerRule).toSorted(([, one], [, other]) => other.length - one.length);

function toBannerRule({ category, scriptUrl, blockingMethod }: Script): BannerRule {
  const { host, pathname, search } = new URL(scriptUrl);
  const address = host + pathname + search;
  if (blockingMethod === 'iframe_placeholder') return [category, address, 'frame'];
  return blockingMethod === 'data_src' ? [category, address, 'off'] : [category, address];
}
