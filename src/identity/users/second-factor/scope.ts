import type { Platform } from '../../../platform/deps.ts';

/** What changes of a user's second factor need. */
export interface SignInScope {
  platform: Platform;
  /** Where browsers open the console, for example `https://pavis.example.com`. */
  consoleOrigin: () => string;
  /** In whose name and language users get emails. */
  sender: () => Promise<{ fromName: string; language: string }>;
  timeZone: string;
}
