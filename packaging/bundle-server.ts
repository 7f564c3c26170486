import { copyFileSync, globSync } from 'node:fs';
import { basename, join, relative, sep } from 'node:path';
import { type Plugin, rolldown } from 'rolldown';

const PROJECT = join(import.meta.dirname, '..');
/** The browser is a set of files, which npm installs beside Pavis. The others are optional parts of packages. */
const EXTERNAL = ['@sparticuz/chromium', 'pg-native', 'pg-cloudflare', 'supports-color'];

/** What is started by its file name: the program and its threads. */
const listEntries = (): string[] => ['src/main.ts', ...listSources('*-worker.ts')];
/** Data that the server reads when it is needed, beside the module that reads it. */
const listData = (): string[] => listSources('*.json');

const listSources = (name: string): string[] => globSync(`src/**/${name}`, { cwd: PROJECT });

/**
 * Bundles the server with its packages into a folder: `main.js`, a file for each thread, what both share, and a file for
 * each part that is loaded when it is needed. Node.js opens 80 files at a start instead of 2,000.
 * @returns the packages of which it has code, as paths below the project
 */
export async function bundleServer(folder: string): Promise<{ packages: string[] }> {
  const entries = listEntries().map((file) => [basename(file, '.ts'), join(PROJECT, file)]);
  const data = listData();
  // All lie in one folder, since the code of a module can get into any file.
  assertUnique([...entries.map(([name = '']) => name), ...data.map((file) => basename(file))]);
  const bundle = await rolldown({
    input: Object.fromEntries(entries),
    platform: 'node',
    external: EXTERNAL,
    plugins: [withoutFetch, withoutYaml],
  });
  const { output } = await bundle.write({
    dir: folder,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    comments: false,
    // Names stay, for the traces of errors.
    minify: { mangle: false, compress: false, codegen: { removeWhitespace: true } },
  });
  for (const file of data) copyFileSync(join(PROJECT, file), join(folder, basename(file)));
  const modules = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
  return { packages: [...new Set(modules.map(findPackage).filter((path) => path !== undefined))] };
}

const findPackage = (module: string): string | undefined =>
  /^.*\bnode_modules\/(?:@[^/]+\/)?[^/]+/.exec(relative(PROJECT, module).split(sep).join('/'))?.[0];

const HTTP_IMPORT = /^import (?:(\w+)(?:, )?)?(?:\{(.+)\})? from "(?:node:)?http";$/gm;

/**
 * An `import` of `node:http` reads all that the module exports, `WebSocket` among it, for which Node.js loads its
 * implementation of `fetch`: 70 ms and 16 MB. `getBuiltinModule` reads what is asked for.
 */
const withoutFetch: Plugin = {
  name: 'without-fetch',
  renderChunk: (code) =>
    code.replace(HTTP_IMPORT, (_, whole?: string, names?: string) =>
      [whole, names && `{${names.replaceAll(' as ', ': ')}}`]
        .filter((name) => name !== undefined)
        .map((name) => `const ${name} = process.getBuiltinModule("node:http");`)
        .join(' '),
    ),
};

/** `@fastify/swagger` loads a library to print YAML, which Pavis does not ask for. */
const withoutYaml: Plugin = {
  name: 'without-yaml',
  resolveId: (id) => (id === 'yaml' ? '\0yaml.cjs' : undefined),
  load: (id) => (id === '\0yaml.cjs' ? 'module.exports = {};' : undefined),
};

function assertUnique(names: string[]): void {
  const repeated = names.find((name, at) => names.indexOf(name) !== at);
  if (repeated) throw new Error(`two files of src are called ${repeated}: rename one`);
}

/** A step of `npm run build`. */
if (import.meta.main) await bundleServer(join(PROJECT, 'dist/server'));
