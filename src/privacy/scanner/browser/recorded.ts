import type { LoadObservation } from '../observation.ts';

/** A request as it was sent. */
export interface RecordedLoad extends LoadObservation {
  /** Milliseconds after the visit began. */
  at: number;
}

/** The text of a container script. */
export interface ScriptBody {
  load: RecordedLoad;
  text: string;
}

export interface MainDocument {
  url: string;
  status?: number;
  mimeType?: string;
  headers?: Record<string, string>;
  body?: string;
  /** The response ended early. */
  incomplete?: true;
}
