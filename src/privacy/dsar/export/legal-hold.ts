import { isUnderLegalHold } from '../../../personal-data/index.ts';
import type { Trx } from '../../../platform/db/index.ts';
import { DomainError } from '../../../platform/errors.ts';
import { caseRecords } from '../cases/retention.ts';
import { findPackage } from './store.ts';

/** @throws DomainError 409 `invalid_transition` if a case has a package under a legal hold, which a new one would replace */
export async function assertPackageReplaceable(trx: Trx, caseId: number): Promise<void> {
  if (!(await findPackage(trx, caseId))) return;
  if (!(await isUnderLegalHold(trx, caseRecords, caseId))) return;
  const message = 'The package is under a legal hold. Release the hold first.';
  throw new DomainError('conflict', 'invalid_transition', message);
}
