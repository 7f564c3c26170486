/**
 * Fast-forwards timers. This script runs in pages and workers before their own scripts. It knows the pending timers and
 * can run them immediately, in order and each after the effects of earlier ones. `Date`, `performance.now()` and the
 * timestamps of frames and events advance by the same time.
 *
 * Defines `advance(ms)`, which runs all timers that are due within `ms` and resolves with {@link PendingWork}.
 */
export const PAGE_CLOCK = `
  const TASKS_MAX = 200;
  const REPEATED = 5;
  const { reportError } = globalThis;
  const { apply } = Reflect;
  const time = performance.now.bind(performance);
  // Each as a task of its own: what it has promised runs before the next.
  const { port1, port2 } = new MessageChannel();
  const post = port1.postMessage.bind(port1);
  const task = (run) => new Promise((resolve) => {
    port2.onmessage = () => {
      try { run(); } catch (error) { reportError(error); }
      resolve();
    };
    post(0);
  });
  const pending = new Map();
  let skipped = 0;
  let level = 0;
  let isInFrame = false;
  let redrawn = 0;
  const now = () => time() + skipped;
  const counted = (repeats) => ({
    apply(start, self, args) {
      const [handler, delay, ...rest] = args;
      if (typeof handler !== 'function') return apply(start, self, args);
      const wait = Math.max(repeats ? 4 : 0, Number(delay) || 0);
      const timer = { level: level + 1, due: now() + wait };
      timer.run = () => {
        if (!pending.has(id)) return;
        if (repeats) {
          timer.due = now() + wait;
          timer.level++;
        } else pending.delete(id);
        const outer = level;
        level = timer.level;
        try { apply(handler, globalThis, rest); } finally { level = outer; }
      };
      const id = apply(start, self, [timer.run, delay]);
      pending.set(id, timer);
      return id;
    },
  });
  const cleared = {
    apply(clear, self, args) {
      pending.delete(Number(args[0]));
      return apply(clear, self, args);
    },
  };
  for (const [name, traps] of [
    ['setTimeout', counted(false)],
    ['setInterval', counted(true)],
    ['clearTimeout', cleared],
    ['clearInterval', cleared],
    ['requestAnimationFrame', {
      apply(start, self, [handler, ...rest]) {
        if (typeof handler !== 'function') return apply(start, self, [handler, ...rest]);
        if (isInFrame) redrawn++;
        return apply(start, self, [(at) => {
          isInFrame = true;
          try { apply(handler, globalThis, [at + skipped]); } finally { isInFrame = false; }
        }]);
      },
    }],
  ]) {
    // A proxy reads like the native function that it stands for.
    if (globalThis[name]) globalThis[name] = new Proxy(globalThis[name], traps);
  }
  // Clocks advance with the timers.
  const { now: realNow, parse } = Date;
  const RealDate = Date;
  const dateNow = () => realNow() + Math.round(skipped);
  try {
    const ahead = globalThis.parent === globalThis ? 0 : globalThis.parent.Date.now() - realNow();
    if (ahead > 0 && ahead < 60000) skipped = ahead;
  } catch {}
  Date.now = new Proxy(realNow, { apply: dateNow });
  globalThis.Date = new Proxy(RealDate, {
    apply: () => new RealDate(dateNow()).toString(),
    construct: (target, args, made) =>
      Reflect.construct(target, args.length > 0 ? args : [dateNow()], made),
  });
  RealDate.prototype.constructor = globalThis.Date;
  Performance.prototype.now = new Proxy(Performance.prototype.now, {
    apply: (clock, self, args) => apply(clock, self, args) + skipped,
  });
  const stamp = Object.getOwnPropertyDescriptor(Event.prototype, 'timeStamp');
  Object.defineProperty(Event.prototype, 'timeStamp', { ...stamp, get: new Proxy(stamp.get, {
    apply: (clock, self, args) => apply(clock, self, args) + skipped,
  }) });
  /** Converts the expiry of a cookie from the page's clock to the browser's. */
  const toRealExpiry = (line) => skipped === 0 ? line :
    line.replace(/(;\\s*expires=)([^;]+)/i, (whole, name, date) => {
      const end = parse(date);
      return end > realNow() ? name + new RealDate(end - skipped).toUTCString() : whole;
    });
  const first = (among) => {
    let found;
    for (const timer of pending.values()) {
      if (among(timer) && (!found || timer.due < found.due)) found = timer;
    }
    return found;
  };
  const left = (timer) => timer && Math.max(0, timer.due - now());
  const advance = async (ms) => {
    const goal = now() + ms;
    let ran = 0;
    for (; ran < TASKS_MAX && ms > 0; ran++) {
      const timer = first(() => true);
      if (!timer || timer.due > goal) break;
      skipped += left(timer);
      await task(timer.run);
    }
    if (ms > 0) skipped += Math.max(0, goal - now());
    const drawing = redrawn > 2;
    redrawn = 0;
    return {
      next: left(first(() => true)),
      nextNew: left(first((timer) => timer.level <= REPEATED)),
      drawing,
    };
  };`;

/** In milliseconds from now. */
export interface PendingWork {
  /** The next timer; undefined when there is none. */
  next?: number;
  /** The next timer that is not part of a repeating chain. */
  nextNew?: number;
  /** Renders animation frames continuously. */
  drawing: boolean;
}
