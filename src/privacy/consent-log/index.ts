export { auditHeadsJob } from './audit-heads/service.ts';
export { toEntryColumns } from './entries/columns.ts';
export { ENTRY_KINDS } from './entries/kinds.ts';
export { describeLogHealth } from './health.ts';
export { openLog, toLogFile } from './log/open.ts';
export { logRoutes } from './log/routes.ts';
export { proveRecord, readNewestCheckpoint } from './proofs/service.ts';
export { receiptRoutes } from './receipts/routes.ts';
export type { ShownNotice } from './receipts/statement.ts';
export { type VerifiedReceipt, verifyReceipt } from './receipts/verify.ts';
export { RowDigest } from './records/row-digest.ts';
export { recordInLog } from './records/store.ts';
export { logRemoval } from './removals/service.ts';
export { recordRestore } from './sequencer/restore.ts';
export { createConsentLog } from './service.ts';

export type { VerificationReport } from './verification/schemas.ts';
export { verifyInstallation } from './verification/service.ts';

import './tables.ts';
import './witnesses/tables.ts';
