import type { Db, Trx } from '../../../platform/db/index.ts';
import type { Script } from '../../scripts/index.ts';
import { explainOpen } from '../decisions/open-reasons.ts';
import { evaluateFindings } from '../decisions/rules.ts';
import type { Scan } from '../store.ts';
import { type FindProof, toProof } from './rules.ts';
import { listFindingsAtWork, listProofPages } from './store.ts';

type Circumstances = Parameters<typeof evaluateFindings<Script>>[1];

/** Reads what proof scans since a scan show of its findings. */
export async function readProofs(
  db: Db | Trx,
  scan: Pick<Scan, 'id' | 'siteUrl'>,
  site: Omit<Circumstances, 'scanStartedAt' | 'findProof'>,
): Promise<FindProof> {
  const pages = await listProofPages(db, scan);
  const visited = [...pages.values()].flatMap((page) => page.visited ?? []);
  const found = await listFindingsAtWork(db, visited);
  const evaluations = evaluateFindings(found, {
    ...{ ...site, scanStartedAt: 0, findProof: () => null },
  });
  return (finding, decision) => {
    const known = pages.get(finding.pageUrl);
    // A scan that was queued with the decision starts later, or in the same millisecond. One before it is stale.
    const [page] = [known?.visited, known?.latest].filter(
      (each) => each && each.scan.startedAt >= (decision?.decidedAt ?? 0),
    );
    if (!known || !page) return null;
    const isBlocked = decision?.decision === 'blocked';
    if (!isBlocked && (!finding.needsConsent || (decision && decision.decision !== 'open')))
      return null;
    const same = found.find(
      ({ pageUrl, resourceKey }) =>
        pageUrl === finding.pageUrl && resourceKey === finding.resourceKey,
    );
    const proof = toProof({ page, latest: known.latest }, same, (each) => {
      const { entry, canBlock = false } = evaluations.get(each.id) ?? {};
      return explainOpen(each, { decision, entry, canBlock });
    });
    // Blocking one resource can stop others of the page.
    return isBlocked || proof.status === 'proven' ? proof : null;
  };
}
