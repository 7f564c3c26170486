import { join } from 'node:path';
import { build, type InlineConfig } from 'vite';
import { packClient } from './client-package.ts';
import { renderGuides } from './guides.ts';
import { packReceiptVerifier } from './receipt-verifier-page.ts';

/**
 * How each front-end of this folder is made: `node web/build.ts NAME FOLDER` writes one into a folder.
 * `build-changed.ts` runs this for those whose sources have changed.
 */
const FRONT_ENDS: Record<string, InlineConfig[]> = {
  banner: [
    library('banner/index.ts', 'banner.js', 'iife'),
    library('banner/esm.ts', 'banner.esm.js', 'es'),
    library('banner/headless.ts', 'banner.headless.js', 'es'),
    library('banner/details.ts', 'banner.details.js', 'es'),
    library('banner/preferences.ts', 'banner.preferences.js', 'es'),
    library('banner/body-font.ts', 'body-font.js', 'iife'),
    // The server inserts them where a site or visitor needs them.
    ...['auto-blocking', 'capture', 'google', 'regime', 'sharing', 'wordpress'].map((name) =>
      library(`banner/${name}.ts`, `part.${name}.js`, 'iife'),
    ),
    library('banner/sharing.ts', 'banner.sharing.js', 'es'),
    library('banner/vendor-ids.ts', 'part.vendors.js', 'iife'),
    ...['uet', 'clarity', 'meta', 'shopify'].map((name) =>
      library(`banner/signals/${name}.ts`, `signals/${name}.js`, 'iife'),
    ),
  ],
  declaration: [library('declaration/index.ts', 'declaration.js', 'iife')],
  'receipt-verifier': [library('receipt-verifier/index.ts', 'verifier.js', 'iife')],
  docs: [library('docs/index.ts', 'docs.js', 'iife')],
  console: [application('console', '/admin/')],
};

/** One file that brings all it needs. */
function library(entry: string, file: string, format: 'iife' | 'es'): InlineConfig {
  return {
    build: {
      target: 'es2022',
      cssTarget: ['chrome123', 'firefox128', 'safari17.5'],
      modulePreload: false,
      rolldownOptions: {
        input: join(import.meta.dirname, entry),
        preserveEntrySignatures: 'strict',
        output: {
          format,
          name: 'part',
          entryFileNames: file,
          codeSplitting: false,
          generatedCode: { symbols: false },
        },
      },
    },
  };
}

/** A page of its own with all it loads, below a path of the server. */
function application(name: string, base: string): InlineConfig {
  return {
    root: join(import.meta.dirname, name),
    base,
    build: {
      target: 'es2022',
      reportCompressedSize: false,
      chunkSizeWarningLimit: 600,
      rolldownOptions: {
        // Directives that mean something to servers only.
        onwarn: (warning, warn) => warning.code === 'MODULE_LEVEL_DIRECTIVE' || warn(warning),
      },
    },
  };
}

const [name = '', folder = ''] = process.argv.slice(2);
const configs = name === 'client' ? [] : FRONT_ENDS[name];
if (!configs) throw new Error(`there is no front-end ${name}`);
// A test run, too, builds what visitors get.
process.env.NODE_ENV = 'production';
if (name === 'client') await packClient(folder);
for (const config of configs) {
  await build({
    root: import.meta.dirname,
    ...config,
    configFile: false,
    logLevel: 'warn',
    build: { ...config.build, outDir: folder, emptyOutDir: false, copyPublicDir: false },
  });
}
if (name === 'docs') renderGuides(folder);
if (name === 'receipt-verifier') packReceiptVerifier(folder);
