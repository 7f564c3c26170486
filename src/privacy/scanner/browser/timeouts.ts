export const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)));

/** Undefined when it fails or takes longer. */
export async function withTimeout<T>(step: Promise<T>, ms: number): Promise<T | undefined> {
  const late = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => late.resolve(undefined), ms);
  return Promise.race([step.catch(() => undefined), late.promise]).finally(() =>
    clearTimeout(timer),
  );
}
