import type { ImportStatus } from './read-entry.ts';

/** What an import compares. The email address and the sites are hashes, so that the comparison can be kept. */
export interface ImportedFields {
  email: string;
  product: string;
  mode: string;
  tier: string;
  sites_allowed: number;
  /** Epoch milliseconds. */
  expires_at: number;
  status: ImportStatus;
  sites: string;
}

/** Fields that a later import can change. */
const CHANGEABLE = ['tier', 'sites_allowed', 'expires_at', 'status'] as const;
type ChangeableField = (typeof CHANGEABLE)[number];

/** A licence as it is here. Sites are not compared: they come and go. */
export type CurrentFields = Omit<ImportedFields, 'sites'>;

export interface Merge {
  /** The values of the source that are to be applied. */
  changes: Partial<Pick<ImportedFields, ChangeableField>>;
  /** Fields that changed in the source and also here, or cannot be changed by an import. */
  conflicts: (keyof CurrentFields)[];
}

export const isSame = (base: ImportedFields, source: ImportedFields): boolean =>
  (Object.keys(source) as (keyof ImportedFields)[]).every((name) => base[name] === source[name]);

/**
 * A three-way merge: a field that changed in the source since the last import is applied if it was not changed here. A
 * field that was changed only here keeps its value.
 * @param base the source at the last import
 */
export function mergeImport(
  base: ImportedFields,
  source: ImportedFields,
  current: CurrentFields,
): Merge {
  const changes: Record<string, unknown> = {};
  const conflicts: Merge['conflicts'] = [];
  for (const name of Object.keys(current) as (keyof CurrentFields)[]) {
    const wanted = source[name];
    if (wanted === base[name] || wanted === current[name]) continue;
    // A revocation is permanent.
    const isPermanent = name === 'status' && current.status === 'revoked';
    if (canChange(name) && current[name] === base[name] && !isPermanent) changes[name] = wanted;
    else conflicts.push(name);
  }
  return { changes, conflicts };
}

const canChange = (name: keyof CurrentFields): name is ChangeableField =>
  CHANGEABLE.some((each) => each === name);
