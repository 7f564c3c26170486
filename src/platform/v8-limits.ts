import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** Both semi-spaces; V8 would take twice as much. */
const NEW_SPACE_MAX_BYTES = 24_000_000;
const CHECK_EVERY_MS = 200;

/** By default V8 sizes the heap by the machine's memory: garbage grows to several times of what is in use. */
export const limitOldGeneration = (): void => setFlagsFromString('--heap-growing-percent=35');

/**
 * Takes back what bin/pavis.js has set for the start of a server: no optimising compilers, and a young generation that
 * does not grow. Limits the old generation, and the young one to what a server's requests need.
 */
export function endStart(): void {
  for (const flag of ['--maglev', '--opt', '--semi-space-growth-factor=2']) {
    setFlagsFromString(flag);
  }
  limitOldGeneration();
  // A request leaves little that survives: further threads for that cost more than they save.
  setFlagsFromString('--no-parallel-scavenge');
  const look = setInterval(() => {
    const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
    if (!young || young.space_size < NEW_SPACE_MAX_BYTES) return;
    setFlagsFromString('--semi-space-growth-factor=1');
    clearInterval(look);
  }, CHECK_EVERY_MS).unref();
}
