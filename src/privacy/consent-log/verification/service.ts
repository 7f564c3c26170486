import type { PersonalDataDeclaration } from '../../../personal-data/index.ts';
import { systemClock } from '../../../platform/clock.ts';
import type { Platform } from '../../../platform/deps.ts';
import { toEntryColumns } from '../entries/columns.ts';
import type { KeptCheckpoint } from './checkpoints.ts';
import { toReport } from './report.ts';
import type { VerificationReport } from './schemas.ts';
import type { Installation } from './tasks.ts';
import { type Progress, type VerificationOrder, verifyLog } from './verify.ts';

interface VerificationScope {
  /** Compares the contents of each record, not only which records there are. */
  isDeep: boolean;
  /** Checkpoints that were kept outside of the log. */
  against?: readonly KeptCheckpoint[];
}

export interface VerificationOptions extends VerificationScope {
  /** Number of threads besides this one. */
  threads: number;
  onProgress?: (progress: Progress) => void;
}

export interface VerifiedInstallation extends Pick<Installation, 'databaseUrl' | 'dataDir'> {
  /** What is personal data in consent records. */
  declaration: PersonalDataDeclaration;
}

/** Verifies the consent log of an installation: signature, tree, kept checkpoints, records. */
export const verifyInstallation = (
  platform: Pick<Platform, 'secret' | 'clock'>,
  installation: VerifiedInstallation,
  { threads, onProgress, ...scope }: VerificationOptions,
): Promise<VerificationReport> =>
  runVerification(toOrder(platform, installation, scope), threads, onProgress);

/** What a verification needs, in a form that can be sent to a thread. */
export const toOrder = (
  { secret, clock }: Pick<Platform, 'secret' | 'clock'>,
  { databaseUrl, dataDir, declaration }: VerifiedInstallation,
  { isDeep, against = [] }: VerificationScope,
): VerificationOrder => ({
  databaseUrl,
  dataDir,
  columns: toEntryColumns(declaration),
  replacements: declaration.personal,
  isDeep,
  seed: secret.key('consent log'),
  kept: [...against],
  now: clock.now(),
});

export async function runVerification(
  order: VerificationOrder,
  threads: number,
  onProgress?: (progress: Progress) => void,
): Promise<VerificationReport> {
  const startedAt = systemClock.monotonic();
  const verification = await verifyLog(order, threads, onProgress);
  const seconds = Math.round((systemClock.monotonic() - startedAt) / 100) / 10;
  return toReport(verification, { isDeep: order.isDeep, startedAt: order.now, seconds });
}
