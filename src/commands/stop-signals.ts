const SIGNALS = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const;
/** A signal to the process group arrives several times: directly, and from each parent (npm, the launcher). */
const SAME_SIGNAL_MS = 300;
/** For how long repeated signals cannot interrupt a shutdown. */
const UNINTERRUPTED_MS = 5_000;

/**
 * Waits for a stop signal. A second signal has no effect. From the third on, and after five seconds, the process
 * exits at once.
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
