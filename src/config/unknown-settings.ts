import { describeConfig } from './describe.ts';
import type { Config } from './index.ts';
import { SECRETS } from './secret-files.ts';
import type { Environment } from './values.ts';

/** Variables that are named like settings but are none, for example because of a typing error. They have no effect. */
export function listUnknownSettings(config: Config, env: Environment): string[] {
  const known = new Set(Object.keys(describeConfig(config)));
  for (const name of SECRETS) known.add(`${name}_FILE`);
  return Object.keys(env)
    .filter((name) => name.startsWith('PAVIS_') && !known.has(name))
    .toSorted();
}
