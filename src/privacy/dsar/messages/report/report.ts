import type { Kept } from '../../fulfilment/store.ts';
import type { Ground } from '../../rules.ts';

/** The result in one source, or of the task that an administrator does by hand. */
export interface SourceReport {
  kind: 'collect' | 'erase' | 'manual' | 'package';
  source: string;
  label: string;
  /** Nothing was done, by decision of an administrator, for this reason. */
  isSkipped: boolean;
  reason: string | null;
  ground: Ground | null;
  article?: string | undefined;
  /** Number of records collected. */
  records: number;
  erased: number;
  anonymised: number;
  kept: readonly (Kept & { article?: string | undefined })[];
  /** What was done by hand. */
  result: string | null;
}

/** The result of a request as the completion email reports it. */
export interface Completion {
  /** A link that downloads the package once. */
  downloadUrl?: string;
  /** Whether the personal data of the request itself is erased once the email is sent. */
  erasesRequest: boolean;
  report: readonly SourceReport[];
}

/** Why a request is refused. */
export interface Refusal {
  ground: Ground;
  /** The Article of the GDPR that allows it; undefined under other laws. */
  article?: string | undefined;
  reason: string;
}
