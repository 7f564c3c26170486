/** How long the current work may take when the server stops. A query that the database does not answer never ends. */
export const GRACE_MS = 2_000;

/** Resolves when the work has ended, or after `ms` milliseconds. */
export async function settleWithin(ms: number, work: Promise<unknown>): Promise<void> {
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, ms);
  await Promise.race([work, late.promise]);
  clearTimeout(timer);
}
