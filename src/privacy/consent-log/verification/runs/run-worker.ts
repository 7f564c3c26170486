import { parentPort, workerData } from 'node:worker_threads';
import type { VerificationReport } from '../schemas.ts';
import { runVerification } from '../service.ts';
import type { Progress, VerificationOrder } from '../verify.ts';

export type RunMessage =
  | { progress: Progress }
  | { report: VerificationReport }
  | { error: string };

const send = (message: RunMessage) => parentPort?.postMessage(message);

/** The worker thread of a verification. It starts no others, so that requests have the remaining cores. */
runVerification(workerData as VerificationOrder, 0, (progress) => send({ progress })).then(
  (report) => send({ report }),
  (error: Error) => send({ error: error.message }),
);
