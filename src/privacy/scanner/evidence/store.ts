import type { Db } from '../../../platform/db/index.ts';
import { type SavedFinding, selectFindings, toFinding } from '../findings/store.ts';

export interface EvidencePage {
  id: number;
  url: string;
  state: 'planned' | 'scanned' | 'failed';
  isPartial: boolean;
  error: string | null;
}

/** The pages of a scan in the order of its plan. */
export async function listEvidencePages(db: Db, scanId: number): Promise<EvidencePage[]> {
  const rows = await db
    .selectFrom('scan_pages')
    .select(['id', 'url', 'state', 'partial', 'error'])
    .where('scan_id', '=', scanId)
    .orderBy('id')
    .execute();
  return rows.map(({ partial, ...page }) => ({ ...page, isPartial: partial === 1 }));
}

export async function listPageFindings(db: Db, pageId: number): Promise<SavedFinding[]> {
  const rows = await selectFindings(db).where('finding.page_id', '=', pageId).execute();
  return rows.map(toFinding);
}
