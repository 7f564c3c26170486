import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PROJECT_ROOT } from '../../../platform/project-root.ts';

/** The built page that verifies receipts and bundles, one file; null if it is not built. */
export const readVerifierPage = (): Promise<Buffer | null> =>
  readFile(join(PROJECT_ROOT, 'web/dist/receipt-verifier/receipt-verifier.html')).catch(() => null);
