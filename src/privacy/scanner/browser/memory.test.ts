import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { type Page, servePages } from '../../../../test/support/pages.ts';
import {
  openScannerBrowser,
  type ScannerBrowser,
} from '../../../../test/support/scanner-browser.ts';
import { findExcess } from './memory.ts';

const MB = 2 ** 20;
const PAGE_MEMORY = 400 * MB;

/** Fills memory with no end, a piece at a time. */
const hoard = (piece: string) => `const kept = []; setInterval(() => { kept.push(${piece}); }, 1);`;
const BUFFER = 'new Uint8Array(32 << 20).fill(1)';
const WASM = 'new Uint8Array(new WebAssembly.Memory({ initial: 512 }).buffer).fill(1)';
const BLOB = `new Blob([${BUFFER}])`;
const WORKER = `new Worker(URL.createObjectURL(new Blob([${JSON.stringify(hoard(BUFFER))}])))`;

const take = (megabytes: number) =>
  `<script>self.kept = new Uint8Array(${megabytes} << 20).fill(1)</script>`;
const script = (text: string) => `<!doctype html><body><script>${text}</script>`;

const PAGES: Record<string, Page> = {
  'http://site.test/': '<!doctype html><p>Modest</p>',
  'http://site.test/buffers': script(hoard(BUFFER)),
  'http://site.test/wasm': script(hoard(WASM)),
  'http://site.test/blobs': script(hoard(BLOB)),
  'http://site.test/workers': script(`${WORKER}; ${WORKER};`),
  'http://site.test/frame': '<!doctype html><iframe src="http://a.test/hoard"></iframe>',
  'http://a.test/hoard': script(hoard(BUFFER)),
  // Each of its frames is well below the limit.
  'http://site.test/frames': `<!doctype html>${['a', 'b', 'c', 'd']
    .map((host) => `<iframe src="http://${host}.test/"></iframe>`)
    .join('')}<img src="/slow">`,
  'http://site.test/large': `<!doctype html>${take(220)}<img src="/slow">`,
  'http://site.test/slow': (_, response) => setTimeout(() => response.end(), 2_500),
  ...Object.fromEntries(['a', 'b', 'c', 'd'].map((host) => [`http://${host}.test/`, take(180)])),
};

describe('a browser over its memory limit', () => {
  const bytes = fc.integer({ min: 0, max: 10_000 });
  const processes = fc.array(bytes).map((all) => all.map((each, pid) => ({ pid, bytes: each })));

  test('loses its largest process', () => {
    fc.assert(
      fc.property(processes, bytes, fc.integer({ min: 1, max: 5 }), (all, pageBytes, pages) => {
        const sizes = all.map((each) => each.bytes);
        const largest = Math.max(0, ...sizes);
        const isTooMuch =
          largest > pageBytes || sizes.reduce((sum, each) => sum + each, 0) > pageBytes * pages;
        expect(findExcess(all, { pageBytes, pages })?.bytes).toBe(isTooMuch ? largest : undefined);
      }),
    );
  });
});

describe('a page', () => {
  let pages: Awaited<ReturnType<typeof servePages>>;
  let engine: ScannerBrowser;
  beforeAll(async () => {
    // In the temporary folder in memory, the files of the profile would count as shared memory of the browser.
    vi.stubEnv('TMPDIR', inject('temporary').disk);
    pages = await servePages(PAGES);
    engine = await openScannerBrowser({
      siteOrigin: 'http://site.test',
      connectTo: pages.connectTo,
      pageMemory: PAGE_MEMORY,
    });
  });
  afterAll(async () => {
    await engine.close();
    pages.close();
    vi.unstubAllEnvs();
  });

  const visit = (path: string) =>
    engine.visit(`http://site.test${path}`, new AbortController().signal);
  const TOO_MUCH = expect.stringMatching(
    /^The page exceeded the memory limit of 400 MB.*_PAGE_MEMORY/,
  );

  test.each(['buffers', 'wasm', 'blobs', 'workers', 'frame', 'frames'])(
    'over its memory limit is stopped (%s), and the next page is scanned',
    async (name) => {
      const memory = watchBrowsers(engine.dataDir);
      expect(await visit(`/${name}`)).toMatchObject({ partial: true, error: TOO_MUCH });
      const most = memory.most();
      expect(most).toBeGreaterThan(PAGE_MEMORY / 2);
      expect(most).toBeLessThan(2 * PAGE_MEMORY);
      expect(await visit('/')).toMatchObject({ status: 200, partial: false });
    },
  );

  test('is not stopped for the memory of another page', async () => {
    const [large, frames] = await Promise.all([visit('/large'), visit('/frames')]);
    expect(frames).toMatchObject({ error: TOO_MUCH });
    expect(large).toMatchObject({ status: 200, partial: false });
    expect(large).not.toHaveProperty('error');
  });
});

/** The most that the browsers of this process, or of a data folder, have taken together, in bytes. */
function watchBrowsers(dataDir: string): { most(): number } {
  let most = 0;
  const timer = setInterval(() => {
    let sum = 0;
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      try {
        const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
        const isBrowser = command.includes(`-${process.pid}-`) || command.includes(dataDir);
        const status = isBrowser ? readFileSync(`/proc/${pid}/status`, 'utf8') : '';
        sum += Number(/^RssAnon:\s+(\d+)/m.exec(status)?.[1] ?? 0) * 1024;
      } catch {
        // It has ended.
      }
    }
    most = Math.max(most, sum);
  }, 50);
  return {
    most() {
      clearInterval(timer);
      return most;
    },
  };
}
