import type { Kept } from '../../fulfilment/index.ts';
import type { Ground, RequestType } from '../../rules.ts';

/** What became of one source, or of the one task that a person has. */
export interface SourceReport {
  kind: 'collect' | 'erase' | 'manual' | 'package';
  source: string;
  label: string;
  /** Nothing was done, as an administrator decided, for this reason. */
  isLeftOut: boolean;
  reason: string | null;
  ground: Ground | null;
  article?: string | undefined;
  /** How many were collected. */
  records: number;
  erased: number;
  anonymised: number;
  kept: readonly (Kept & { article?: string | undefined })[];
  /** What a person did. */
  result: string | null;
}

/** The result of a request as its completion email tells it. */
export interface Completion {
  /** Where the package can be downloaded once. */
  downloadUrl?: string;
  /** Whether the request itself no longer says who sent it once the email is sent. */
  erasesRequest: boolean;
  report: readonly SourceReport[];
}

/** Why a request is refused. */
export interface CliError {
  ground: Ground;
  /** Where the GDPR allows it; undefined under other laws. */
  article?: string | undefined;
  reason: string;
}

/** What reports say in one language. */
export interface ReportWords {
  /** A source, as people call it. */
  labels: Readonly<Record<string, string>>;
  /** Sentences without their full stop; of `other` there is none. */
  grounds: Readonly<Record<Exclude<Ground, 'other'>, string>>;
  /** Why records are kept, by ground; other reasons are told as the source gives them. */
  keptReasons: Readonly<Record<string, string>>;
  /** @param day `YYYY-MM-DD` */
  until(day: string): string;
  /** An article of the GDPR, given as `Art. 17(3)(b)`. */
  law(article: string): string;
  erased(count: number): string;
  anonymised(count: number): string;
  kept(count: number, why: string): string;
  records(count: number): string;
  notErased: string;
  leftOut: string;
  byHand: string;
  done: string;
  /** Followed by the names of sources. */
  nothingIn: string;
  erasure: {
    nothing: string;
    all: string;
    part: string;
    none: string;
    /** What becomes of the request itself. */
    request: string;
  };
  noPackage: string;
  notDone: Readonly<Record<Extract<RequestType, 'rectification' | 'objection'>, string>>;
}
