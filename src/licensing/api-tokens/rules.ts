import { randomAlphanumeric } from '../../platform/crypto/random.ts';

/** What a token allows, and what people read of it. */
export const SCOPE_DESCRIPTIONS = {
  'licences:read': 'Search and read licences and their activations.',
  'licences:issue': 'Issue licences.',
  'licences:write': 'Change, suspend, reinstate and revoke licences, and deactivate sites.',
} as const;
export type TokenScope = keyof typeof SCOPE_DESCRIPTIONS;
export const TOKEN_SCOPES = Object.keys(SCOPE_DESCRIPTIONS) as TokenScope[];

export const TOKEN_STATUSES = ['active', 'expired', 'revoked'] as const;
export type TokenStatus = (typeof TOKEN_STATUSES)[number];

/** Moments are in epoch milliseconds. */
export interface ApiToken {
  id: number;
  name: string;
  /** The part of the token that may be shown. */
  maskedToken: string;
  scopes: readonly TokenScope[];
  /** Null: all products. */
  productId: number | null;
  createdAt: number;
  /** Null: does not expire. */
  expiresAt: number | null;
  /** To the hour. */
  lastUsedAt: number | null;
  revokedAt: number | null;
}

/** The prefix lets secret scanners find tokens in code and logs. */
const PREFIX = 'pv_api_';
/** 238 bits: a fast hash is enough. */
const BODY_LENGTH = 40;
const TOKEN = new RegExp(`^${PREFIX}[A-Za-z0-9]{${BODY_LENGTH}}$`);
const BEARER = /^Bearer +(\S+)$/i;

export const generateToken = (): string => PREFIX + randomAlphanumeric(BODY_LENGTH);

export const maskToken = (token: string): string =>
  `${token.slice(0, PREFIX.length + 4)}…${token.slice(-4)}`;

/** The token of an `Authorization` header (RFC 6750, section 2.1); undefined if it has none in our format. */
export function parseAuthorization(header: string | undefined): string | undefined {
  const token = BEARER.exec(header ?? '')?.[1];
  return token !== undefined && TOKEN.test(token) ? token : undefined;
}

/** Revoked outweighs expired. */
export function getTokenStatus(
  { expiresAt, revokedAt }: Pick<ApiToken, 'expiresAt' | 'revokedAt'>,
  now: number,
): TokenStatus {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && now >= expiresAt ? 'expired' : 'active';
}

/** A program with a token in the audit log of a licence. */
export const formatTokenActor = (name: string): string => `API token (${name})`;
