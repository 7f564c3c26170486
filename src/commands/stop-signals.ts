const SIGNALS = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const;
/**
 * A process group's signal reaches us several times: directly, and passed on by each parent (npm, the launcher).
 * Signals so close together are one.
 */
const SAME_SIGNAL_MS = 300;
/** How long a shutdown is left alone, however often it is asked for. */
const UNINTERRUPTED_MS = 5_000;

/**
 * Waits for a signal to stop. A second one changes nothing; from the third on, and not before five seconds have
 * passed, the process ends at once.
 */
export function waitForStop(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let count = 0;
    let firstAt = 0;
    let lastAt = Number.NEGATIVE_INFINITY;
    function receive(signal: NodeJS.Signals): void {
      const now = performance.now();
      if (now - lastAt >= SAME_SIGNAL_MS) count++;
      lastAt = now;
      if (count === 1) {
        firstAt = now;
        resolve(signal);
      } else if (count > 2 && now - firstAt >= UNINTERRUPTED_MS) {
        process.exit(128 + SIGNALS[signal as keyof typeof SIGNALS]);
      }
    }
    for (const signal of Object.keys(SIGNALS)) process.on(signal, receive);
  });
}
