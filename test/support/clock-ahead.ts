/*
 * Preloaded into a process to set its clock ahead by `CLOCK_AHEAD_MS`, so that leases of a killed process have
 * expired, as they have when a server is restarted later.
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
