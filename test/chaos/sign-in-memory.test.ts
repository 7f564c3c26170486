import { readFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { dataFolder } from '../support/process.ts';
import { startGroup } from '../support/process-group.ts';

const SIGN_INS = 16;
/** A hash takes 19 MB. The threads of the pool would keep up to two of them each. */
const KEPT_MAX_BYTES = 30_000_000;

const readAnonymousBytes = (pid: number): number =>
  1024 * Number(/RssAnon:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);

describe.runIf(process.platform === 'linux')('the memory of the server', () => {
  it('does not keep what hashes of passwords needed', async () => {
    const data = dataFolder();
    onTestFinished(data.remove);
    const { url, pid } = await startGroup(['npm', 'start'], { PAVIS_DATA_DIR: data.path });
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
