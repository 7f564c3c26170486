import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { CliError } from '../platform/errors.ts';
import type { Environment } from './values.ts';

/**
 * Reads the settings of a `.env` file; none without the file.
 * @throws CliError (exit 2) if it cannot be read or is not UTF-8 text, because its settings would be ignored
 */
export function readEnvFile(file: string): Environment {
  if (!existsSync(file)) return {};
  let content: string;
  try {
    content = readFileSync(file, 'utf8');
  } catch (error) {
    throw new CliError(
      `cannot read ${file}: ${(error as Error).message}. Make it a file that Pavis can read, or remove it`,
      2,
    );
  }
  // UTF-16, as some editors on Windows save it.
  if (content.includes('\0')) throw new CliError(`${file} is not UTF-8 text: save it as UTF-8`, 2);
  // A byte-order mark would be part of the first name.
  return parseEnv(content.replace(/^\uFEFF/, ''));
}
