import type { PersonalDataDeclaration } from '../../../personal-data/index.ts';
import { toIsoMoment } from '../../../platform/clock.ts';

/** Actors that are not staff, by their names in logs. */
const ROLES: Readonly<Record<string, string>> = {
  requestor: 'requester',
  system: 'system',
  customer: 'customer',
  'licence key': 'licence_key',
  'old key': 'licence_key',
  'single sign-on': 'system',
  stripe: 'payment_service',
  'test checkout': 'payment_service',
};

/** The part of a row that the data subject may see, as JSON. Other people are shown by their role only. */
export function toShownRecord(
  { json = [], flags = [], actors = [], members = {}, shownWhere = {} }: PersonalDataDeclaration,
  row: Readonly<Record<string, unknown>>,
  columns: readonly string[],
): Record<string, unknown> {
  const toValue = (name: string): unknown => {
    const value = row[name] ?? null;
    if (value === null || shownWhere[name]?.(row) === false) return null;
    if (json.includes(name)) return pick(JSON.parse(String(value)), members[name]?.(row));
    if (flags.includes(name)) return Boolean(value);
    if (actors.includes(name)) return toRole(String(value), row);
    const isMoment = name === 'at' || name.endsWith('_at');
    return isMoment ? toIsoMoment(Number(value)) : value;
  };
  return Object.fromEntries(columns.map((name) => [name, toValue(name)]));
}

function pick(value: unknown, names: readonly string[] | undefined): unknown {
  if (!names || typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => names.includes(name)));
}

/** `self` for actions on the person's own account. */
function toRole(actor: string, { login }: Readonly<Record<string, unknown>>): string {
  if (actor === login) return 'self';
  return Object.hasOwn(ROLES, actor) ? (ROLES[actor] ?? 'staff') : 'staff';
}
