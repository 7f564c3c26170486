import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { reservePort } from './ports.ts';

const BROWSER = '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser';
const SIZE = { width: 1_200, height: 900 };

/** Whether WebKit, its driver and a virtual screen are here: `webkit2gtk-driver` and `xvfb` of Debian. */
export const hasWebKit =
  existsSync(BROWSER) &&
  ['WebKitWebDriver', 'Xvfb'].every((each) => spawnSync('which', [each]).status === 0);

/** A window of WebKit, the engine of Safari. It ends when it is disposed. */
export interface WebKit extends AsyncDisposable {
  open(url: string): Promise<void>;
  /** Runs the body of a function in the page, and gives its result. */
  run<T>(body: string): Promise<T>;
  /** Of the whole window, in pixels. */
  resize(width: number, height: number): Promise<void>;
}

/** Starts WebKit on a screen of its own, driven through the WebDriver protocol. */
export async function startWebKit(): Promise<WebKit> {
  const screen = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1600x1200x24'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const [display] = await once(screen.stdio[3] as NodeJS.ReadableStream, 'data');
  const port = await reservePort();
  const driver = spawn('WebKitWebDriver', [`--port=${port}`], {
    stdio: 'ignore',
    env: { ...process.env, DISPLAY: `:${String(display).trim()}` },
  });

  async function call<T>(method: string, path: string, body?: object): Promise<T> {
    const answer = await fetch(`http://127.0.0.1:${port}/session${path}`, {
      method,
      ...(body && { body: JSON.stringify(body) }),
    });
    const { value } = (await answer.json()) as { value: T & { error?: string; message?: string } };
    if (!answer.ok) throw new Error(`${path}: ${value.error}: ${value.message}`);
    return value;
  }

  const options = { binary: BROWSER, args: ['--automation'] };
  const capabilities = { alwaysMatch: { 'webkitgtk:browserOptions': options } };
  await untilListening(port);
  const { sessionId } = await call<{ sessionId: string }>('POST', '', { capabilities });
  const webkit: WebKit = {
    open: (url) => call('POST', `/${sessionId}/url`, { url }),
    run: (script) => call('POST', `/${sessionId}/execute/sync`, { script, args: [] }),
    resize: (width, height) => call('POST', `/${sessionId}/window/rect`, { width, height }),
    async [Symbol.asyncDispose]() {
      await call('DELETE', `/${sessionId}`);
      for (const each of [driver, screen]) await end(each);
    },
  };
  await webkit.resize(SIZE.width, SIZE.height);
  return webkit;
}

async function untilListening(port: number): Promise<void> {
  for (;;) {
    const status = await fetch(`http://127.0.0.1:${port}/status`).catch(() => undefined);
    if (status?.ok) return;
    await new Promise((done) => setTimeout(done, 50));
  }
}

async function end(child: ChildProcess): Promise<void> {
  child.kill();
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}
