import type { SingleBar } from 'cli-progress';

/**
 * A bar for people who watch; never on standard output, which is for what was found, and none where
 * nobody watches.
 * @param unit what is counted, in the plural
 */
export async function progressBar(total: number, unit: string): Promise<SingleBar | undefined> {
  if (!process.stderr.isTTY) return undefined;
  const { default: progress } = await import('cli-progress');
  const bar = new progress.SingleBar({
    format: `{bar} {value} of {total} ${unit}, {eta_formatted} to go`,
    stream: process.stderr,
    clearOnComplete: true,
    hideCursor: true,
  });
  bar.start(total, 0);
  return bar;
}
