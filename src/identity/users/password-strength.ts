import { once } from 'node:events';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';

/** This very kind of file: sources run as they are, and the package has them compiled. */
const WORKER = new URL(`./password-strength-worker${extname(import.meta.url)}`, import.meta.url);
/** What follows makes no password worse, and only takes time to look at. */
const CHECKED_LENGTH = 64;

export interface StrengthCheck {
  password: string;
  /** What somebody who knows the user would try: login, email address. */
  personal: readonly string[];
}

let previous: Promise<unknown> = Promise.resolve();

/**
 * Whether a password is common, or made of common words and patterns. Looked at in a thread of its own that
 * ends with the answer, since the word lists take 100 MB of memory; one after the other.
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
