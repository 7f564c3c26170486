import { readdirSync, readFileSync } from 'node:fs';

/** Clock ticks per second in `/proc`, on all Linux platforms of Node.js. */
const TICKS_PER_SECOND = 100;

/** The resident memory of a process in MB (10^6 bytes). Linux only. */
export function residentMb(pid: number): number {
  const kib = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  if (kib === undefined) throw new Error(`process ${pid} has no resident memory`);
  return (Number(kib) * 1024) / 1e6;
}

/** The proportional memory (PSS) of a process in MB (10^6 bytes); 0 if it has ended. Linux only. */
export function shareMb(pid: number): number {
  try {
    const maps = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    return (Number(/^Pss:\s+(\d+) kB$/m.exec(maps)?.[1] ?? 0) * 1024) / 1e6;
  } catch {
    return 0;
  }
}

/** The processor time of all threads of a process, in microseconds. Linux only. */
export function cpuMicroseconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The second field, the name in brackets, can contain spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [user, system] = [Number(fields[11]), Number(fields[12])];
  return ((user + system) / TICKS_PER_SECOND) * 1e6;
}

/** A process and all its descendants. Linux only. */
export function listProcessTree(root: number): number[] {
  const children = new Map<number, number[]>();
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const parent = readParent(entry);
    children.set(parent, [...(children.get(parent) ?? []), Number(entry)]);
  }
  const tree = [root];
  for (const pid of tree) tree.push(...(children.get(pid) ?? []));
  return tree;
}

function readParent(pid: string): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    // The process has ended since it was listed.
    return -1;
  }
}
