import type { SingleBar } from 'cli-progress';

/**
 * A progress bar on standard error; none if that is no terminal.
 * @param unit in the plural
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
