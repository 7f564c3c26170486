import { join } from 'node:path';
import { rolldown } from 'rolldown';

/**
 * Modules of `dist` whose libraries are built into them. These libraries are large, most of each is never used, and
 * one module imports them: an installation is 40 MB smaller without the rest.
 */
const MODULES = [
  'src/identity/users/passkeys/webauthn.js',
  'src/identity/users/password-strength-worker.js',
  'src/licensing/checkout/stripe.js',
  'src/privacy/scanner/classify/suggested-vendor.js',
];

const DIST = join(import.meta.dirname, '../dist');

/** The third step of `npm run build`, after the sources are in `dist`. */
for (const module of MODULES) {
  const file = join(DIST, module);
  const bundle = await rolldown({
    input: file,
    platform: 'node',
    // What Pavis itself imports by a relative path stays a module of its own.
    external: (id, importer) => importer === file && id.startsWith('.'),
  });
  await bundle.write({ file, format: 'esm', codeSplitting: false });
}
