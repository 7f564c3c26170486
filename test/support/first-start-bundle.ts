import { copyFileSync, globSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { rolldown } from 'rolldown';

const PROJECT = join(import.meta.dirname, '../..');
/** `first-start.ts` counts the calls of `pg`. The others are optional parts of packages. */
const EXTERNAL = ['pg', 'pg-native', 'pg-cloudflare', '@sparticuz/chromium', 'supports-color'];

/**
 * Bundles `complete-first-start.ts`, since loading the sources takes longer than a first start.
 * @param folder an empty folder
 * @returns the path of the program
 */
export async function bundleFirstStart(folder: string): Promise<string> {
  const program = join(import.meta.dirname, 'complete-first-start.ts');
  const threads = globSync(join(PROJECT, 'src/**/*-worker.ts'));
  const bundle = await rolldown({
    input: Object.fromEntries([program, ...threads].map((file) => [basename(file, '.ts'), file])),
    platform: 'node',
    external: EXTERNAL,
    logLevel: 'silent',
  });
  await bundle.write({ dir: folder, format: 'esm', entryFileNames: '[name].js' });
  for (const file of globSync('src/**/*.json', { cwd: PROJECT })) {
    copyFileSync(join(PROJECT, file), join(folder, basename(file)));
  }
  for (const name of ['package.json', 'node_modules', 'web']) {
    symlinkSync(join(PROJECT, name), join(folder, name));
  }
  return join(folder, 'complete-first-start.js');
}
