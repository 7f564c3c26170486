import type { TObject } from 'typebox';
import { ApiError } from '../platform/errors.ts';
import { readArgs } from '../platform/rest/read-args.ts';
import { toCliError } from './usage-error.ts';

/**
 * The fields of what a command is given.
 * @throws CliError (exit 2) for a value that the schema does not allow
 */
export function readFields(given: Record<string, unknown>, schema: TObject): never {
  try {
    return readArgs(given, schema);
  } catch (error) {
    throw error instanceof ApiError ? toCliError(error) : error;
  }
}
