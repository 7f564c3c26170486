import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** Both semi-spaces together; V8 would take twice as much. */
const YOUNG_ENOUGH_BYTES = 24_000_000;
const LOOK_EVERY_MS = 200;

/**
 * Limits the heap of a server under load. By default V8 lets garbage grow to several times of what is in use,
 * since it sizes the heap by the memory of the machine, and returns little.
 */
export function limitHeap(): void {
  setFlagsFromString('--heap-growing-percent=35');
  // Kept small while loading, see bin/pavis.js; requests need room.
  setFlagsFromString('--semi-space-growth-factor=2');
  const look = setInterval(() => {
    const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
    if (!young || young.space_size < YOUNG_ENOUGH_BYTES) return;
    setFlagsFromString('--semi-space-growth-factor=1');
    clearInterval(look);
  }, LOOK_EVERY_MS).unref();
}
