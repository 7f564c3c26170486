import type { FastifyRequest } from 'fastify';
import { toIsoMoment } from '../../platform/clock.ts';
import { DAY_MS } from '../../platform/durations.ts';
import { InvalidFieldError } from '../../platform/errors.ts';
import { readField } from '../../platform/http/views.ts';
import type { User } from '../../platform/rest/caller.ts';
import { listUsableScopes, type Scope } from '../../platform/rest/scopes.ts';

/** What the form of the console offers, in its words and order. */
export const LIVES = [
  { days: '', label: 'No expiry' },
  { days: '30', label: '30 days' },
  { days: '365', label: '1 year' },
] as const;

/** What the user chooses for the application password, as the form has it. */
export interface Choices {
  name: string;
  days: string;
  rights: 'all' | 'chosen';
  scopes: readonly string[];
}

/** What the page lets its user choose from. */
export interface Offer {
  /** Scopes that the role of the user can use. */
  offered: readonly Scope[];
  /** Whether the application asks for them, and for no others. */
  isAsked: boolean;
  /** Asked for, and not within the role of the user. */
  beyondRole: readonly Scope[];
}

/** @param asked the scopes that the application asks for; undefined: none in particular */
export function toOffer(asked: readonly Scope[] | undefined, user: User): Offer {
  const usable = listUsableScopes(user);
  return {
    isAsked: asked !== undefined,
    offered: asked ? usable.filter((scope) => asked.includes(scope)) : usable,
    beyondRole: asked?.filter((scope) => !usable.includes(scope)) ?? [],
  };
}

/** @param asked the scopes that the application asks for, which are all ticked; undefined: it asks for none in particular */
export const toDefaultChoices = (name: string, asked: readonly Scope[] | undefined): Choices => ({
  name,
  days: '',
  rights: asked ? 'chosen' : 'all',
  scopes: asked ?? [],
});

export const readChoices = (request: FastifyRequest): Choices => ({
  name: readField(request, 'name'),
  days: readField(request, 'days'),
  rights: readField(request, 'rights') === 'chosen' ? 'chosen' : 'all',
  scopes: request.body instanceof URLSearchParams ? request.body.getAll('scopes') : [],
});

/**
 * The limits of the application password: what the application asks for can be reduced, and not exceeded.
 * @throws InvalidFieldError
 */
export function toLimits(
  { days, rights, scopes }: Choices,
  { offered, isAsked }: Offer,
  now: number,
): { expiresAt: string | null; scopes: readonly Scope[] | null } {
  if (!LIVES.some((life) => life.days === days))
    throw new InvalidFieldError('days', 'Choose how long it works.');
  const chosen = offered.filter((scope) => scopes.includes(scope));
  const isLimited = isAsked || rights === 'chosen';
  if (isLimited && chosen.length === 0)
    throw new InvalidFieldError('scopes', 'Choose at least one thing that it can do.');
  return {
    expiresAt: days === '' ? null : toIsoMoment(now + Number(days) * DAY_MS),
    scopes: isLimited ? chosen : null,
  };
}
