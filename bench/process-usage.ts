import { readdirSync, readFileSync } from 'node:fs';

/** Clock ticks a second in `/proc`: the same on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;

/** Memory of a process that lies in RAM now, in MB (10^6 bytes). Linux only. */
export function residentMb(pid: number): number {
  const kib = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  if (kib === undefined) throw new Error(`process ${pid} has no resident memory`);
  return (Number(kib) * 1024) / 1e6;
}

/** Memory of a process, what it shares with others by parts, in MB (10^6 bytes); 0 once it has ended. Linux only. */
export function shareMb(pid: number): number {
  try {
    const maps = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    return (Number(/^Pss:\s+(\d+) kB$/m.exec(maps)?.[1] ?? 0) * 1024) / 1e6;
  } catch {
    return 0;
  }
}

/** Processor time that all threads of a process have used so far, in microseconds. Linux only. */
export function cpuMicroseconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The second field, the name, is in brackets and may hold blanks.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [user, system] = [Number(fields[11]), Number(fields[12])];
  return ((user + system) / TICKS_PER_SECOND) * 1e6;
}

/** A process and all that it has started. Linux only. */
export function treeOf(root: number): number[] {
  const children = new Map<number, number[]>();
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const parent = parentOf(entry);
    children.set(parent, [...(children.get(parent) ?? []), Number(entry)]);
  }
  const tree = [root];
  for (const pid of tree) tree.push(...(children.get(pid) ?? []));
  return tree;
}

function parentOf(pid: string): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    // It has ended since it was listed.
    return -1;
  }
}
