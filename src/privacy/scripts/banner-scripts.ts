import type { Db } from '../../platform/db/index.ts';
import type { SiteSettings } from '../settings/index.ts';
import { toPublicScript } from './schemas.ts';
import { listActiveScripts, type Script } from './store.ts';

/** Announced when an entry of the registry is added, changed or deleted. */
export const SCRIPTS_CHANGED = 'scripts';

/** What the banner file holds of the registry (`Rule` of web/banner/auto-blocking.ts). */
type BannerRule = [category: string, address: string, method?: 'frame' | 'off'];

/** The registry for the banner: what `GET /consent/scripts` lists, and the rules of automatic blocking. */
export async function readBannerScripts(db: Db, { categories }: SiteSettings['consent']) {
  // Visitors cannot accept a category that was removed, so its scripts stay blocked.
  const active = await listActiveScripts(
    db,
    categories.map(({ id }) => id),
  );
  const optional = categories.filter(({ required }) => !required).map(({ id }) => id);
  const rules = toBannerRules(active.filter(({ category }) => optional.includes(category)));
  return { scripts: active.map(toPublicScript), rules };
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
