import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '../../src/platform/log.ts';
import {
  type BrowserEngineOptions,
  createBrowserEngine,
} from '../../src/privacy/scanner/browser/browser-engine.ts';
import type { Engine } from '../../src/privacy/scanner/engine.ts';
import { createGuard, type GuardOptions } from '../../src/privacy/scanner/net/guard.ts';
import { linkBrowser } from './browser.ts';

type ScannerBrowserOptions = GuardOptions &
  Pick<BrowserEngineOptions, 'insecure' | 'pageMs' | 'pageMemory'>;

export interface ScannerBrowser extends Engine {
  /** A temporary folder, removed on close. */
  dataDir: string;
}

/** The scanner's browser engine as a server starts it, except that a missing browser is an error. */
export async function openScannerBrowser({
  insecure,
  pageMs,
  pageMemory,
  ...guard
}: ScannerBrowserOptions): Promise<ScannerBrowser> {
  const dataDir = mkdtempSync(join(tmpdir(), 'pavis-scan-'));
  linkBrowser(dataDir);
  const engine = createBrowserEngine({
    guard: createGuard(guard),
    dataDir,
    log: await createLogger('silent'),
    userAgent: 'PavisScanner/test',
    ...(insecure !== undefined && { insecure }),
    ...(pageMs !== undefined && { pageMs }),
    ...(pageMemory !== undefined && { pageMemory }),
    fallback: {
      name: 'html',
      visit: () => Promise.reject(new Error('there is a browser')),
      close: async () => {},
    },
  });
  return {
    get name() {
      return engine.name;
    },
    dataDir,
    visit: (url, signal, states) => engine.visit(url, signal, states),
    async close() {
      await engine.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
