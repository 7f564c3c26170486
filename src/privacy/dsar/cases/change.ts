import { DomainError, InvalidFieldError } from '../../../platform/errors.ts';
import { publishAction } from '../../../platform/hooks/committed.ts';
import type { CaseChange } from '../context.ts';
import type { CaseStatus, Ground } from '../rules.ts';
import type { Case } from '../store.ts';
import { type Announcing, queueUpdated } from './case-webhooks.ts';

export interface CaseUpdate {
  status?: CaseStatus | undefined;
  /** Included in the email about a refusal or a hold. */
  reason?: string | undefined;
  ground?: Ground | undefined;
  /** A login; null unassigns the case. */
  assignee?: string | null | undefined;
  extend?: { reason: string } | undefined;
}

/** A change with the login of the user, `requestor` or `system`. */
export interface Change extends CaseChange {
  actor: string;
}

/** Publishes a new status to extensions once it is committed, and to webhooks. */
export async function announceStatus(
  change: Announcing,
  before: Pick<Case, 'status' | 'deadline'>,
  dsarCase: Case,
): Promise<void> {
  const { status: from } = before;
  const { reference, requestType: request_type, status: to } = dsarCase;
  if (from === to) return;
  publishAction(change.announce, 'svc_dsar_status_changed', { reference, request_type, from, to });
  await queueUpdated(change, before, dsarCase);
}

/** @throws DomainError 409 `invalid_transition` for a request without personal data: it must not get any again */
export function assertNotAnonymised({
  anonymisedAt,
  erasedAt,
}: Pick<Case, 'anonymisedAt' | 'erasedAt'>): void {
  if ((anonymisedAt ?? erasedAt) === null) return;
  const message = 'The request is anonymised and cannot be changed.';
  throw new DomainError('conflict', 'invalid_transition', message);
}

/**
 * A given text, trimmed; undefined if there is none.
 * @throws InvalidFieldError for a text of only blanks
 */
export function readText(name: string, given: string | undefined): string | undefined {
  const text = given?.trim();
  if (text === '') throw new InvalidFieldError(name, `${name} must not be blank.`);
  return text;
}
