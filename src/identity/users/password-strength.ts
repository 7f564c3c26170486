import { once } from 'node:events';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';

/** `.ts` in the sources, `.js` in the published package. */
const WORKER = new URL(`./password-strength-worker${extname(import.meta.url)}`, import.meta.url);
/** A longer password cannot be weaker, and takes longer to check. */
const CHECKED_LENGTH = 64;

export interface StrengthCheck {
  password: string;
  /** Login and email address: what someone who knows the user would try. */
  personal: readonly string[];
}

let previous: Promise<unknown> = Promise.resolve();

/**
 * Whether a password is common, or made of common words and patterns. Runs in a thread that ends with the result, since
 * the word lists take 100 MB of memory; one check at a time.
 */
export function isEasyToGuess(check: StrengthCheck): Promise<boolean> {
  const answer = previous.then(() => askWorker(check));
  previous = answer.catch(() => {});
  return answer;
}

async function askWorker({ password, personal }: StrengthCheck): Promise<boolean> {
  const workerData = { password: password.slice(0, CHECKED_LENGTH), personal };
  const worker = new Worker(WORKER, { workerData });
  try {
    const [isEasy] = await once(worker, 'message');
    return isEasy;
  } finally {
    await worker.terminate();
  }
}
