import type { PersonalDataDeclaration } from '../../../personal-data/index.ts';
import type { Platform } from '../../../platform/deps.ts';
import { toEntryColumns } from '../entries/columns.ts';
import type { KeptCheckpoint } from './checkpoints.ts';
import { toReport } from './report.ts';
import type { VerificationReport } from './schemas.ts';
import type { Installation } from './tasks.ts';
import { type Progress, verifyLog } from './verify.ts';

export interface VerificationOptions {
  /** Compares the contents of each record, not only which records there are. */
  isDeep: boolean;
  /** Checkpoints that were kept outside of the log. */
  against?: readonly KeptCheckpoint[];
  /** Number of worker threads; 0 for none besides this one. */
  threads: number;
  onProgress?: (progress: Progress) => void;
}

export interface VerifiedInstallation extends Pick<Installation, 'databaseUrl' | 'dataDir'> {
  /** What is personal data in consent records. */
  declaration: PersonalDataDeclaration;
}

/** Verifies the consent log of an installation: signature, tree, kept checkpoints, records. */
export async function verifyInstallation(
  platform: Pick<Platform, 'secret' | 'clock'>,
  { databaseUrl, dataDir, declaration }: VerifiedInstallation,
  { isDeep, against = [], threads, onProgress }: VerificationOptions,
): Promise<VerificationReport> {
  const { clock } = platform;
  const startedAt = clock.now();
  const startedMonotonic = clock.monotonic();
  const verification = await verifyLog(
    {
      databaseUrl,
      dataDir,
      columns: toEntryColumns(declaration),
      emptied: Object.keys(declaration.personal).filter(
        (column) => declaration.personal[column] === 'null',
      ),
      isDeep,
      seed: platform.secret.key('consent log'),
      kept: [...against],
      now: startedAt,
    },
    threads,
    onProgress,
  );
  const seconds = Math.round((clock.monotonic() - startedMonotonic) / 100) / 10;
  return toReport(verification, { isDeep, startedAt, seconds });
}
