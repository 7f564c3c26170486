import { existsSync, statSync } from 'node:fs';
import { createRequire, findPackageJSON, isBuiltin } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Remove } from '../platform/hooks/callbacks.ts';
import type { Hooks } from '../platform/hooks/hooks.ts';
import { formatErrorMessage, withTimeout } from '../platform/hooks/timeout.ts';
import type { Logger } from '../platform/log.ts';
import type { ExtensionApi } from './extension-api.ts';
import type { ExtensionProblem, ExtensionRegistry } from './registry.ts';

interface Parts {
  hooks: Hooks;
  registry: ExtensionRegistry;
  log: Logger;
}

/**
 * Loads extensions one after the other, then fires `svc_register_extensions`; to be called once. An extension that
 * fails loses all its callbacks and items; the others are not affected.
 * @param paths of modules, absolute or from the working directory, or names of packages
 * @returns the problems; never rejects
 */
export async function loadExtensions(
  paths: readonly string[],
  { hooks, registry, log }: Parts,
): Promise<{ problems: readonly ExtensionProblem[] }> {
  const loaded = new Map<string, LoadedExtension>();
  const seen = new Set<string>();
  let fired = false;

  const drop = (extension: string, thrown: unknown) => {
    loaded.get(extension)?.withdraw();
    loaded.delete(extension);
    registry.discard(extension);
    registry.report(extension, formatErrorMessage(thrown));
  };

  for (const path of paths) {
    const specifier = resolveSpecifier(path);
    if (seen.has(specifier)) {
      registry.report(path, 'is listed twice: it is loaded once');
      continue;
    }
    seen.add(specifier);
    const extension = new LoadedExtension(path, { hooks, registry, log }, () => fired);
    loaded.set(path, extension);
    try {
      await withTimeout(hooks.timeoutMs, () => start(specifier, extension.api));
    } catch (thrown) {
      drop(path, thrown);
    }
  }

  fired = true;
  for (const extension of hooks.listExtensions('svc_register_extensions')) {
    await hooks.eachListener(
      'svc_register_extensions',
      () => [registry.createRegistrar(extension)],
      drop,
      extension,
    );
    registry.end(extension);
  }
  registry.close();
  hooks.onHang = (extension, problem) => registry.reportOnce(extension, problem);
  if (loaded.size > 0) log.info({ extensions: [...loaded.keys()] }, 'extensions loaded');
  return { problems: registry.problems };
}

/** Of the listed extensions, files and packages that do not exist. Nothing is loaded. */
export const listMissingExtensions = (paths: readonly string[]): string[] =>
  paths.filter((path) => {
    const specifier = resolveSpecifier(path);
    if (specifier.startsWith('file:'))
      return !statSync(new URL(specifier), { throwIfNoEntry: false })?.isFile();
    try {
      return !isBuiltin(specifier) && findPackageJSON(specifier, workingDirectory()) === undefined;
    } catch {
      return true;
    }
  });

const workingDirectory = (): string => join(process.cwd(), 'extensions.js');

async function start(specifier: string, api: ExtensionApi): Promise<void> {
  const module: { default?: unknown } = await import(specifier);
  if (typeof module.default !== 'function')
    throw new TypeError('has no function as default export');
  await module.default(api);
}

/** The callbacks of one extension. */
class LoadedExtension {
  readonly api: ExtensionApi;
  readonly #removals: Remove[] = [];
  #withdrawn = false;

  constructor(extension: string, { hooks, log }: Parts, fired: () => boolean) {
    const add = (name: string, adding: () => Remove): Remove => {
      // Not thrown: late calls often come from a timer, where an error would end the process.
      if (this.#withdrawn || (fired() && name === 'svc_register_extensions')) {
        log.warn({ extension, hook: name }, 'a callback came too late and is not added');
        return () => {};
      }
      const remove = adding();
      this.#removals.push(remove);
      return remove;
    };
    this.api = Object.freeze<ExtensionApi>({
      addAction: (name, callback, priority) =>
        add(name, () => hooks.addAction(name, callback, priority, extension)),
      addFilter: (name, callback, priority) =>
        add(name, () => hooks.addFilter(name, callback, priority, extension)),
    });
  }

  withdraw(): void {
    this.#withdrawn = true;
    for (const remove of this.#removals) remove();
  }
}

/** Resolved like `require` in the working directory, so that packages can be installed there. */
function resolveSpecifier(path: string): string {
  const fromHere = createRequire(workingDirectory());
  try {
    return pathToFileURL(fromHere.resolve(existsSync(path) ? resolve(path) : path)).href;
  } catch {
    // A package that only `import` resolves. If it does not exist, the import fails with the reason.
    return /^\.{0,2}[\\/]/.test(path) ? pathToFileURL(resolve(path)).href : path;
  }
}
