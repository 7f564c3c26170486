import type { TObject } from 'typebox';
import { readArgs } from '../platform/rest/read-args.ts';
import { throwUsageError } from './cli.ts';

/**
 * The fields of what a command is given.
 * @param options see `throwUsageError`
 * @throws CliError (exit 2) for a value that the schema does not allow
 */
export function readFields(
  given: Record<string, unknown>,
  schema: TObject,
  options?: Record<string, string>,
): never {
  try {
    return readArgs(given, schema);
  } catch (error) {
    throwUsageError(error, options);
  }
}
