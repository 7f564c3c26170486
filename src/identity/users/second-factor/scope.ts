import type { Platform } from '../../../platform/deps.ts';
import type { SecondFactorPolicy } from './policy.ts';

/** What sessions need. */
export type SessionScope = Pick<SignInScope, 'platform' | 'secondFactorFor'>;

/** What changes of a user's second factor need. */
export interface SignInScope {
  platform: Platform;
  /** The origin at which passkeys are valid, for example `https://pavis.example.com`. */
  passkeyOrigin: () => string;
  /** For example `https://pavis.example.com/admin`. */
  consoleUrl: () => string;
  /** In whose name and language users get emails. */
  sender: () => Promise<{ fromName: string; language: string }>;
  timeZone: string;
  secondFactorFor: SecondFactorPolicy;
}
