import { findPackageJSON } from 'node:module';
import { dirname } from 'node:path';

/** The folder of `package.json`, `web/` and `docs/`, whether this runs from `src/` or from `dist/`. */
export const PROJECT_ROOT: string = dirname(findPackageJSON(import.meta.url) ?? '.');
