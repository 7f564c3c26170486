import type { Finding, Script } from '../../api/types.ts';

/** How the banner can hold back what is of a type of finding; the rest goes with what brought it. */
export const GATES: Partial<Record<string, Script['blocking_method']>> = {
  script: 'type_attribute',
  gtm_tag: 'type_attribute',
  iframe: 'iframe_placeholder',
  pixel: 'data_src',
};

/** Where a thing is, without its query: of that only the names are known, and no address is that. */
export const addressOf = ({ url }: Finding): string => url.replace(/\?.*/, '');

/**
 * The entry of the registry that a thing falls under, by the address: the page's own tag need not be
 * held back yet. Of a query a scan keeps names and ids; one that is registered has to be among them.
 */
export const entryOf = ({ url }: Finding, scripts: readonly Script[]): Script | undefined =>
  scripts.find(({ script_url }) => isAbout(script_url, new URL(url)));

function isAbout(address: string, found: URL): boolean {
  if (!URL.canParse(address)) return false;
  const { origin, pathname, searchParams } = new URL(address);
  return (
    origin + pathname === found.origin + found.pathname &&
    [...searchParams].every(([name, value]) =>
      found.searchParams.getAll(name).some((each) => each === value || each === ''),
    )
  );
}

/**
 * What brought a thing that stands in no tag of the page: the first that does, or that nobody was seen
 * bringing. Only that one can be held back, and what it brings with it.
 */
export function bringerOf(
  finding: Finding,
  all: readonly Finding[],
  seen: readonly Finding[] = [finding],
): Finding | undefined {
  if (!finding.needs_consent || finding.sources.includes('html')) return undefined;
  const details: Partial<Record<string, unknown>> = finding.details;
  const from = details.redirected_from ?? details.set_by ?? details.initiator;
  const bringer = all.find(
    (each) =>
      each.page_url === finding.page_url &&
      each.needs_consent &&
      GATES[each.resource_type] &&
      !seen.includes(each) &&
      (each.url === from || (from === undefined && each.name === details.container)),
  );
  return bringer && (bringerOf(bringer, all, [...seen, bringer]) ?? bringer);
}
