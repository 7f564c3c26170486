// JavaScript, because bin/pavis.js loads it at each start: a file with types would have to be stripped of them first.
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const BUNDLES = '.bundle';
export const CURRENT = 'current.json';
/** Followed by the id of the process. */
const USED_BY = 'used-by-';

/**
 * @param {string} project
 * @returns {import('./fresh-bundle.d.ts').Bundle | undefined}
 */
export function readCurrent(project) {
  try {
    return JSON.parse(readFileSync(join(project, BUNDLES, CURRENT), 'utf8'));
  } catch {
    return undefined;
  }
}

/**
 * The folder of the bundle, if nothing that it depends on has changed. An added file counts once a changed one imports it.
 * @param {string} project
 * @returns {string | undefined}
 */
export function findFreshBundle(project) {
  const bundle = readCurrent(project);
  const isSame = ([file, mtimeMs, size]) => {
    const found = statSync(`${project}/${file}`, { throwIfNoEntry: false });
    return found?.mtimeMs === mtimeMs && found.size === size;
  };
  return bundle?.sources.every(isSame) ? join(project, BUNDLES, bundle.folder) : undefined;
}

/**
 * Keeps a bundle while this process runs, which loads parts of it later.
 * @param {string} folder
 * @returns {boolean} whether it is still there
 */
export function markInUse(folder) {
  const mark = join(folder, `${USED_BY}${process.pid}`);
  try {
    writeFileSync(mark, '');
  } catch (error) {
    // A checkout that this user may only read, is not bundled by this user either.
    return error.code !== 'ENOENT';
  }
  process.once('exit', () => rmSync(mark, { force: true }));
  return true;
}

/**
 * Whether a process that has marked a bundle still runs.
 * @param {string} folder
 */
export function isInUse(folder) {
  const marks = readdirSync(folder).filter((name) => name.startsWith(USED_BY));
  return marks.some((name) => isRunning(Number(name.slice(USED_BY.length))));
}

function isRunning(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}
