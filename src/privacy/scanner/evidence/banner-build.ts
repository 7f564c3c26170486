import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PROJECT_ROOT } from '../../../platform/project-root.ts';

/** SHA-256 of the built banner; null if it is not built. */
export const readBannerBuild = (): Promise<string | null> =>
  readFile(join(PROJECT_ROOT, 'web/dist/banner/banner.js')).then(
    (file) => createHash('sha256').update(file).digest('hex'),
    () => null,
  );
