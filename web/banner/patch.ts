// biome-ignore lint/suspicious/noExplicitAny: the functions of the page have parameters of all types
type Any = any;

/**
 * Called before a native function.
 * @param parameters may be changed
 * @param run calls the native function
 * @returns a list with the result that replaces that of the native function, or nothing
 */
export type Handler = (
  self: Any,
  parameters: Any[],
  run: (_?: unknown) => Any,
) => unknown[] | false | undefined;

/** Replaces a function or a setter by one that looks the same to the page and throws only what the native one throws. */
export function patch(target: object, name: string, handle: Handler): void {
  try {
    const descriptor = Object.getOwnPropertyDescriptor(target, name) as PropertyDescriptor;
    const key = descriptor.set ? 'set' : 'value';
    descriptor[key] = new Proxy(descriptor[key], {
      apply(native, self, parameters) {
        const run = () => Reflect.apply(native, self, parameters);
        try {
          const result = handle(self, parameters, run);
          if (result) return result[0];
        } catch {}
        return run();
      },
    });
    Object.defineProperty(target, name, descriptor);
  } catch {
    // The browser lacks it, or the page has made it unchangeable.
  }
}
