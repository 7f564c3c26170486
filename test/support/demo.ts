import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { linkBrowser } from './browser.ts';
import type { Answer } from './client.ts';
import { reservePort } from './ports.ts';
import { dataFolder, type ServerProcess, startServer } from './process.ts';

/** One expected finding on a page of the demo site; see web/demo/README.md. */
export interface Truth {
  page: string;
  resource_type: 'script' | 'iframe' | 'pixel' | 'cookie' | 'api_call' | 'gtm_tag' | 'form';
  url?: string;
  name?: string;
  domain?: string;
  storage?: 'local';
  vendor_slug: string | null;
  third_party: boolean;
  category: string | null;
  consent_state: 'before' | 'after';
  how: string;
  html_mode: boolean;
  browser_mode?: false;
  needs?: 'banner';
}

export const truths: Truth[] = JSON.parse(
  readFileSync(new URL('../../web/demo/truths.json', import.meta.url), 'utf8'),
);

export interface DemoServer {
  server: ServerProcess;
  /** Sends a request to the plugin REST API as the administrator of the first run. */
  ask(method: string, path: string, body?: object): Promise<Answer>;
  /** Restarts the server on the same data. */
  restart(signal?: NodeJS.Signals): Promise<void>;
  close(): Promise<void>;
}

/** Starts a server process after a first run, including the demo site. */
export async function startDemo(env: Record<string, string> = {}): Promise<DemoServer> {
  const folder = dataFolder();
  linkBrowser(folder.path);
  // The same after a restart.
  const port = String(await reservePort());
  const start = () =>
    startServer({ PAVIS_DATA_DIR: folder.path, PAVIS_DEMO: 'on', PAVIS_PORT: port, ...env });
  const demo = { server: await start() };
  const { admin } = JSON.parse(readFileSync(join(folder.path, 'first-run.json'), 'utf8'));
  const credentials = Buffer.from(`${admin.login}:${admin.application_password}`);
  const headers = { authorization: `Basic ${credentials.toString('base64')}` };
  return Object.assign(demo, {
    ask: (method: string, path: string, body?: object) =>
      demo.server.http.request(method, `/wp-json/svc/v1${path}`, {
        headers,
        ...(body && { body }),
      }),
    async restart(signal?: NodeJS.Signals) {
      await demo.server.stop(signal);
      demo.server = await start();
    },
    async close() {
      await demo.server.stop();
      folder.remove();
    },
  });
}
