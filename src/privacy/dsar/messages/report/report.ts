import type { Kept, Task } from '../../fulfilment/store.ts';
import type { Ground } from '../../rules.ts';

/** The result of a task. */
export interface SourceReport
  extends Pick<Task, 'kind' | 'source' | 'label' | 'reason' | 'ground' | 'records' | 'result'> {
  /** Whether an administrator decided to do nothing. */
  isSkipped: boolean;
  article?: string | undefined;
  erased: number;
  anonymised: number;
  kept: readonly (Kept & { article?: string | undefined })[];
}

/** The result of a request as the completion email reports it. */
export interface Completion {
  /** A link that downloads the package once. */
  downloadUrl?: string;
  /** Whether the personal data of the request itself is erased: once the email is sent, or after 30 days without one. */
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
