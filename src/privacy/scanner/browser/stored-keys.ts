import { observed, type StorageObservation } from '../observation.ts';
import { readReport } from './set-cookies.ts';
import type { VisitClock } from './visit-clock.ts';

const KEYS_MAX = 1_000;
const URL_MAX = 2_048;

/** A key that a script stored. */
interface TimedKey extends StorageObservation {
  /** Milliseconds after the visit began. */
  at: number;
  setBy?: string;
}

/** Keys that scripts write to `localStorage` and `sessionStorage` with `setItem`. */
export class StoredKeys {
  readonly all: TimedKey[] = [];

  /** Untrusted: the page can send reports, too. */
  reported(payload: string, clock: VisitClock): void {
    const report = readReport(payload);
    if (!report || this.all.length >= KEYS_MAX) return;
    const at = Number(report.at);
    const url = String(report.url).slice(0, URL_MAX);
    this.all.push({
      kind: 'storage',
      area: report.area === 'session' ? 'session' : 'local',
      name: String(report.name),
      origin: String(report.origin),
      at: clock.elapsed(at),
      ...(report.by !== undefined && { setBy: String(report.by) }),
      ...observed('dom', clock.stateAt(at), url),
    });
  }
}
