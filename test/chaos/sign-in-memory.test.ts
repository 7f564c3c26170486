import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { dataFolder } from '../support/process.ts';

const ROOT = join(import.meta.dirname, '../..');
const SIGN_INS = 16;
/** A hash takes 19 MB. The threads of the pool would keep up to two of them each. */
const KEPT_MAX_BYTES = 30_000_000;

/** Starts the server as the README says. */
async function start(): Promise<{ url: string; pid: number }> {
  const data = dataFolder();
  const { PATH, HOME } = process.env;
  const child = spawn('npm', ['start'], {
    env: { PATH, HOME, PAVIS_PORT: '0', PAVIS_DEMO: 'off', PAVIS_DATA_DIR: data.path },
    cwd: ROOT,
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  onTestFinished(() => {
    process.kill(-(child.pid as number), 'SIGKILL');
    data.remove();
  });
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    log += text;
  });
  const ready = /"url":"([^"]+)","pid":(\d+),"msg":"ready"/;
  await vi.waitFor(() => expect(log).toMatch(ready), { timeout: 60_000 });
  const [, url = '', pid] = ready.exec(log) ?? [];
  return { url, pid: Number(pid) };
}

const readAnonymousBytes = (pid: number): number =>
  1024 * Number(/RssAnon:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);

describe.runIf(process.platform === 'linux')('the memory of the server', () => {
  it('does not keep what hashes of passwords needed', async () => {
    const { url, pid } = await start();
    const signIn = async (n: number) => {
      const answer = await fetch(`${url}/console/session`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ login: `nobody-${n}`, password: 'wrong' }),
      });
      expect(answer.status).toBe(401);
    };
    await signIn(0);
    const before = readAnonymousBytes(pid);
    await Promise.all(Array.from({ length: SIGN_INS }, (_, n) => signIn(n)));
    expect(readAnonymousBytes(pid) - before).toBeLessThan(KEPT_MAX_BYTES);
  });
});
