const STEP_MS = 250;
/** Longer gaps than a busy machine makes. */
const PAUSE_MS = 4_000;

/**
 * Notices when this machine stood still, as virtual machines do that are suspended. Leases and timeouts end meanwhile,
 * so what is seen around it says nothing.
 */
export class Pauses {
  longestMs = 0;
  count = 0;
  #lastAt = performance.now();

  constructor() {
    setInterval(() => {
      const now = performance.now();
      const gap = now - this.#lastAt;
      this.#lastAt = now;
      if (gap < PAUSE_MS) return;
      this.count++;
      this.longestMs = Math.max(this.longestMs, gap);
    }, STEP_MS).unref();
  }
}
