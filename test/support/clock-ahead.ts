/*
 * Loaded into a process before anything else, so that its clock is ahead by `CLOCK_AHEAD_MS`: the leases of one
 * that was killed have run out then, as they have for a server that is started again later.
 */
const Present = Date;
const aheadMs = Number(process.env.CLOCK_AHEAD_MS);
const now = (): number => Present.now() + aheadMs;

globalThis.Date = new Proxy(Present, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
  apply: () => new Present(now()).toString(),
  get: (target, name, receiver) => (name === 'now' ? now : Reflect.get(target, name, receiver)),
});
