import { existsSync, globSync } from 'node:fs';
import { join, sep } from 'node:path';
import { cruise } from 'dependency-cruiser';
import extractDepcruiseOptions from 'dependency-cruiser/config-utl/extract-depcruise-options';

export interface Cruised {
  /** The TypeScript files of `src`, `web` and `packages` that were read. */
  modules: string[];
  /** Each import, as `from → to`. */
  arrows: string[];
  violations: { rule: string; arrow: string }[];
}

export const PROJECT = join(import.meta.dirname, '../..');
const ROOTS = ['src', 'web', 'packages'];
const SOURCE = /^(src|web|packages)\/.*\.tsx?$/;

const options = await extractDepcruiseOptions(join(PROJECT, '.dependency-cruiser.js'));

/** The names of the rules in `.dependency-cruiser.js`. */
export const RULES = options.ruleSet?.forbidden?.map(({ name }) => name) ?? [];

/** Follows the imports of `src`, `web` and `packages` in a folder and judges them by the project's rules. */
export async function cruiseFolder(folder: string): Promise<Cruised> {
  const roots = ROOTS.filter((root) => existsSync(join(folder, root)));
  const { output } = await cruise(roots, { ...options, baseDir: folder });
  if (typeof output === 'string') throw new Error(`the cruise gave a text: ${output}`);
  return {
    modules: output.modules.map(({ source }) => source).filter((source) => SOURCE.test(source)),
    arrows: output.modules.flatMap(({ source, dependencies }) =>
      dependencies.map(({ resolved }) => `${source} → ${resolved}`),
    ),
    violations: output.summary.violations.map(({ rule, from, to }) => ({
      rule: rule.name,
      arrow: `${from} → ${to}`,
    })),
  };
}

/** The TypeScript files that a cruise of the folder must have read. */
export function sourcesOnDisk(folder: string): string[] {
  // The build copies examples of the documentation.
  const exclude = ['web/dist/**'];
  const files = globSync('{src,web,packages}/**/*.{ts,tsx}', { cwd: folder, exclude });
  return files.map((file) => file.split(sep).join('/'));
}

/** What is wrong with the arrows of a folder. A cruise that reads nothing finds nothing, so a file that was not read counts. */
export function complaints(folder: string, { modules, violations }: Cruised): string[] {
  const files = sourcesOnDisk(folder);
  const unread = files.filter((file) => !modules.includes(file));
  return [
    ...violations.map(({ rule, arrow }) => `${rule}: ${arrow}`),
    ...unread.map((file) => `not read: ${file}`),
    ...(files.length === 0 ? ['there are no files to read'] : []),
  ];
}

if (import.meta.main) {
  const cruised = await cruiseFolder(PROJECT);
  const wrong = complaints(PROJECT, cruised);
  const seen = `${cruised.modules.length} modules and ${cruised.arrows.length} arrows`;
  process.stdout.write(`${[...wrong, `${seen} cruised, ${wrong.length} wrong`].join('\n')}\n`);
  if (wrong.length > 0) process.exitCode = 1;
}
