import { hash, randomBytes } from 'node:crypto';
import { dirname } from 'node:path';
import { createFolder } from '../../platform/durable-file.ts';
import { CliError } from '../../platform/errors.ts';
import {
  type Cosigner,
  createCosigner,
  EMPTY_ROOT,
  NoteError,
  parseVerifierKey,
} from '../../platform/transparency-log/index.ts';
import { parseSubmission, type Refusal, readCheckpoint, verifySubmission } from './rules.ts';
import {
  findKey,
  findLog,
  insertKey,
  insertLog,
  listLogs,
  openWitnessFile,
  removeKey,
  saveCheckpoint,
  type WitnessedLog,
} from './store.ts';
import type { WitnessDb } from './tables.ts';

/** The length of an Ed25519 seed. */
const SEED_BYTES = 32;
/** Signature type of a log's key, see `VerifierKey`. */
const ED25519 = 1;

/** The response to `add-checkpoint`: a cosignature, or why there is none. */
export type Answer = { status: 200; line: string } | Refusal | { status: 404; message: string };

/** A witness: cosigns checkpoints of logs that only grow (C2SP tlog-witness). */
export class Witness {
  readonly #db: WitnessDb;
  readonly #cosigner: Cosigner;
  #last: Promise<unknown> = Promise.resolve();

  constructor(db: WitnessDb, cosigner: Cosigner) {
    this.#db = db;
    this.#cosigner = cosigner;
  }

  get name(): string {
    return this.#cosigner.name;
  }

  /** The key with which others verify its cosignatures. */
  get verifierKey(): string {
    return this.#cosigner.verifierKey;
  }

  listLogs(): Promise<WitnessedLog[]> {
    return listLogs(this.#db);
  }

  /**
   * Adds a log by its verifier key.
   * @returns the name of the log
   * @throws CliError if it is no key of a log, or the log has another key
   */
  async addLog(verifierKey: string): Promise<string> {
    const { name, type } = readKey(verifierKey);
    if (type !== ED25519) {
      throw new CliError(
        'This is the key of a witness. Give the key of the log, which its operator finds in GET /consent/log.',
        2,
      );
    }
    const log = { origin: name, verifier_key: verifierKey, root: EMPTY_ROOT };
    if (await insertLog(this.#db, log)) return name;
    const known = await findLog(this.#db, name);
    if (known?.verifier_key === verifierKey) return name;
    throw new CliError(
      `The witness knows ${name} with another key. Find out from its operator why the key has changed; then remove the log and add it with the new key.`,
    );
  }

  /** @throws CliError if there is no such log */
  async removeLog(origin: string): Promise<void> {
    if (await removeKey(this.#db, origin)) return;
    throw new CliError(`The witness has no log ${origin}. "pavis witness list" shows its logs.`);
  }

  /**
   * Cosigns a checkpoint if it continues the last one that was cosigned. The new state is on disk before the
   * cosignature is returned.
   * @param now epoch milliseconds
   */
  addCheckpoint(body: string, now: number): Promise<Answer> {
    // One at a time: the checked state must be the one that is replaced.
    const answer = this.#last.then(() => this.#addCheckpoint(body, now));
    this.#last = answer.catch(() => {});
    return answer;
  }

  async #addCheckpoint(body: string, now: number): Promise<Answer> {
    const db = this.#db;
    try {
      const submission = parseSubmission(body);
      const { origin, size, root } = readCheckpoint(submission.note);
      const log = await findLog(db, origin);
      if (!log?.verifier_key) {
        return { status: 404, message: `The witness does not know the log ${origin}.` };
      }
      const known = { ...log, key: parseVerifierKey(log.verifier_key) };
      const result = verifySubmission(submission, known);
      if ('status' in result) return result;
      const line = this.#cosigner.cosign(result.text, Math.floor(now / 1_000));
      const checkpoint = `${result.text}\n${result.signature}${line}`;
      const next = { origin, size, root, checkpoint, cosigned_at: now };
      // Another process with the same file may have been faster.
      if (!(await saveCheckpoint(db, submission.old, next))) return this.#addCheckpoint(body, now);
      return { status: 200, line };
    } catch (error) {
      if (error instanceof NoteError) return { status: 400, message: error.message };
      throw error;
    }
  }

  /**
   * The newest cosigned checkpoint of a log.
   * @param originHash SHA-256 of the name of the log, in hexadecimal
   */
  async findCheckpoint(originHash: string): Promise<string | undefined> {
    const logs = await this.listLogs();
    return (
      logs.find(({ origin }) => hash('sha256', origin) === originHash)?.checkpoint ?? undefined
    );
  }

  close(): Promise<void> {
    return this.#db.destroy();
  }
}

/**
 * Opens a witness. Its key is created the first time.
 * @param name needed the first time, for example `witness.example.com/w1`
 * @throws CliError if there is no name, or another one than it has
 */
export async function openWitness(file: string, name?: string): Promise<Witness> {
  createFolder(dirname(file));
  const db = await openWitnessFile(file);
  try {
    if (name !== undefined && !(await findKey(db))) {
      createCosigner(name, Buffer.alloc(SEED_BYTES));
      await insertKey(db, name, randomBytes(SEED_BYTES));
    }
    const key = await findKey(db);
    if (!key) {
      throw new CliError(
        'This witness has no name yet. Choose one with --name, for example --name witness.example.com/w1',
        2,
      );
    }
    if (name !== undefined && name !== key.name) {
      throw new CliError(`This witness is called ${key.name}. Its name cannot be changed.`, 2);
    }
    return new Witness(db, createCosigner(key.name, key.seed));
  } catch (error) {
    await db.destroy();
    throw error instanceof NoteError ? new CliError(error.message, 2) : error;
  }
}

function readKey(text: string) {
  try {
    return parseVerifierKey(text);
  } catch (error) {
    throw error instanceof NoteError ? new CliError(error.message, 2) : error;
  }
}
