import type { Platform } from '../../../platform/deps.ts';
import type { SecondFactorPolicy } from './policy.ts';

/** What sessions need. */
export type SessionScope = Pick<SignInScope, 'platform' | 'secondFactorFor'>;

/** What changes of a user's second factor need. */
export interface SignInScope {
  platform: Platform;
  /** Where browsers open the console, for example `https://pavis.example.com`. */
  consoleOrigin: () => string;
  /** In whose name and language users get emails. */
  sender: () => Promise<{ fromName: string; language: string }>;
  timeZone: string;
  secondFactorFor: SecondFactorPolicy;
}
