import { Resolver } from 'node:dns/promises';
import { LRUCache } from 'lru-cache';
import { settleWithin } from '../../../platform/settle-within.ts';

const QUERY_MS = 1_500;
/** For all hosts of a page together. */
const PAGE_MS = 3_000;
const HOSTS_MAX = 20;
const HOPS_MAX = 5;
const REMEMBER_MS = 10 * 60_000;
/** Lookups pause after a name server did not respond. */
const PAUSE_MS = 60_000;
const NONE = new Set(['ENODATA', 'ENOTFOUND']);
const UNAVAILABLE = new Set(['ECONNREFUSED', 'ETIMEOUT']);

/** CNAME chains by host. Hosts without one are left out. */
export type CnameLookup = (hosts: Iterable<string>) => Promise<Map<string, readonly string[]>>;

/** @param servers name servers as `address:port` instead of the system configuration */
export function createCnameLookup(servers?: readonly string[]): CnameLookup {
  const resolver = new Resolver({ timeout: QUERY_MS, tries: 1 });
  if (servers) resolver.setServers(servers);
  const known = new LRUCache<string, Promise<string | undefined>>({ max: 2_000, ttl: REMEMBER_MS });
  let pausedUntil = 0;

  const step = (name: string): Promise<string | undefined> => {
    const remembered = known.get(name);
    if (remembered) return remembered;
    if (performance.now() < pausedUntil) return Promise.resolve(undefined);
    const asked = resolver.resolveCname(name).then(
      ([target]) => target?.toLowerCase().replace(/\.$/, ''),
      (error: NodeJS.ErrnoException) => {
        const code = error.code ?? '';
        if (!NONE.has(code)) known.delete(name);
        if (UNAVAILABLE.has(code)) pausedUntil = performance.now() + PAUSE_MS;
        return undefined;
      },
    );
    known.set(name, asked);
    return asked;
  };

  return async (hosts) => {
    const chains = new Map<string, string[]>();
    const follow = async (host: string) => {
      const chain: string[] = [];
      for (let name = host; chain.length < HOPS_MAX; ) {
        const next = await step(name);
        if (next === undefined || next === host || chain.includes(next)) return;
        chain.push(next);
        chains.set(host, chain);
        name = next;
      }
    };
    const all = Promise.all([...new Set(hosts)].slice(0, HOSTS_MAX).map(follow));
    await settleWithin(PAGE_MS, all);
    return new Map(chains);
  };
}
