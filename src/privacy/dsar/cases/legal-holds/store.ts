import { sql } from 'kysely';
import type { Condition } from '../../../../platform/db/index.ts';

/** The records that belong to a request: a legal hold of one of them keeps the request, whose end would be theirs. */
export const HELD_PARTS: Readonly<Record<string, Condition>> = {
  dsar_events: sql`select id from dsar_events where case_id = dsar_cases.id`,
  dsar_packages: sql`select id from dsar_packages where case_id = dsar_cases.id`,
};

/** A legal hold of a request keeps its log and its package. */
export const HELD_REQUEST_OF_EVENT: Readonly<Record<string, Condition>> = {
  dsar_cases: sql`dsar_events.case_id`,
};
export const HELD_REQUEST_OF_PACKAGE: Readonly<Record<string, Condition>> = {
  dsar_cases: sql`dsar_packages.case_id`,
};
