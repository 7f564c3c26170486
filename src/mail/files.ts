import { readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Db } from '../platform/db/index.ts';
import { DAY_MS } from '../platform/durations.ts';
import { findMailStates } from './store.ts';

const NAME = /^\d{8,}-([0-9a-f-]{36})\.eml(?:\.\d+\.part)?$/;
/** A partial file, with the id of the process that writes it. */
const DRAFT = /^\d{8,}-[0-9a-f-]{36}\.eml\.(\d+)\.part$/;
const DRAFT_WRITTEN_WITHIN_MS = 10 * 60_000;
/** For files without a row: test mails, and those of a node that crashed. */
const UNKNOWN_KEPT_MS = DAY_MS;
/** How long the text of a mail is kept after its address is removed. */
const TEXT_KEPT_MS = 30 * DAY_MS;
const NAMES_AT_ONCE = 500;
/** Recipient headers, with folded lines. */
const RECIPIENT = /^(?:To|Cc|Bcc):.*\r?\n(?:[ \t].*\r?\n)*/gim;

interface Cleaning {
  /** The data folder. */
  dataDir: string;
  /** Kinds of mails without personal data in the text: at first, only the address is removed. */
  impersonalKinds: readonly string[];
}

export const mailFolder = (dataDir: string): string => join(dataDir, 'mail');

/**
 * Removes the `.eml` files of mails that retention or an erasure has anonymised or deleted. Other files stay. Ages
 * follow the clock of the machine, like modification times.
 */
export async function removeMailFiles(
  db: Db,
  { dataDir, impersonalKinds }: Cleaning,
): Promise<void> {
  const folder = mailFolder(dataDir);
  const files = (await readdir(folder).catch(() => [])).flatMap((name) => {
    const messageId = NAME.exec(name)?.[1];
    return messageId === undefined ? [] : [{ path: join(folder, name), messageId }];
  });
  for (let at = 0; at < files.length; at += NAMES_AT_ONCE) {
    const some = files.slice(at, at + NAMES_AT_ONCE);
    const states = await findMailStates(
      db,
      some.map(({ messageId }) => messageId),
    );
    for (const { path, messageId } of some) {
      const state = states.get(messageId);
      if (state && !state.isAnonymised) continue;
      const age = Date.now() - ((await stat(path).catch(() => undefined))?.mtimeMs ?? 0);
      if (!state && age < UNKNOWN_KEPT_MS) continue;
      const isImpersonal = state && impersonalKinds.includes(state.kind) && age < TEXT_KEPT_MS;
      if (isImpersonal) await removeRecipient(path);
      else await rm(path, { force: true });
    }
  }
}

/**
 * Removes partial files of crashed processes, at start. Another node may write to the same folder, so recent files of
 * running processes stay.
 */
export async function removeMailDrafts(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const pid = DRAFT.exec(name)?.[1];
    if (pid === undefined) continue;
    const path = join(folder, name);
    const age = Date.now() - ((await stat(path).catch(() => undefined))?.mtimeMs ?? 0);
    if (age > DRAFT_WRITTEN_WITHIN_MS || !isRunningElsewhere(Number(pid)))
      await rm(path, { force: true });
  }
}

function isRunningElsewhere(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Replaces the file atomically. */
async function removeRecipient(path: string): Promise<void> {
  const before = await readFile(path, 'latin1').catch(() => '');
  const end = before.search(/\r?\n\r?\n/);
  const headers = before.slice(0, end);
  const cleaned = `${headers}\r\n`.replace(RECIPIENT, '').trimEnd();
  if (end < 0 || cleaned === headers) return;
  const { atime, mtime } = await stat(path);
  const draft = `${path}.${process.pid}.part`;
  await writeFile(draft, cleaned + before.slice(end), { encoding: 'latin1', mode: 0o600 });
  await utimes(draft, atime, mtime);
  await rename(draft, path);
}
