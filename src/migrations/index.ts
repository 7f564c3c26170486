import type { Migration } from '../platform/db/index.ts';
import { installation } from './001-installation.ts';
import { licensing } from './002-licensing.ts';

/** Every migration in order. What has landed is frozen: a change is a new one at the end. */
export const migrations: Record<string, Migration> = {
  '001-installation': installation,
  '002-licensing': licensing,
};
