import type { Platform } from '../../../platform/deps.ts';
import { Job } from '../../../platform/jobs/job.ts';
import type { ConsentLog } from '../log/open.ts';
import type { WitnessAddress } from './client.ts';
import { askWitnesses } from './service.ts';

/** Less than the time between two checks of a job, so that each of them finds it due. */
const DUE_AFTER_MS = 45_000;

interface Scope {
  log: ConsentLog;
  readWitnesses: () => Promise<readonly WitnessAddress[]>;
  /** Whether witnesses may be in private networks and on this machine. */
  allowsPrivate: boolean;
}

/** Asks the witnesses of the settings for cosignatures, about once a minute on one node. */
export const witnessJob = (platform: Platform, { log, readWitnesses, allowsPrivate }: Scope): Job =>
  new Job(platform, {
    name: 'consent_log_witnesses',
    next: (now) => now + DUE_AFTER_MS,
    async work(signal) {
      await askWitnesses(platform, log, await readWitnesses(), { allowsPrivate, signal });
    },
  });
