import type { ConsentState } from '../observation.ts';

/** When a visit began, and when the choice on the consent banner was made. */
export class VisitClock {
  #begunAt = Date.now();
  #chosenAt = Number.POSITIVE_INFINITY;

  /** The visit begins now. */
  begin(): void {
    this.#begunAt = Date.now();
  }

  /** The choice is made now, or has not been made after all. */
  setChosen(isChosen: boolean): void {
    this.#chosenAt = isChosen ? Date.now() : Number.POSITIVE_INFINITY;
  }

  /** Milliseconds since the visit began. @param at epoch milliseconds */
  elapsed(at = Date.now()): number {
    return Math.max(0, at - this.#begunAt) || 0;
  }

  /** @param at epoch milliseconds */
  stateAt(at = Date.now()): ConsentState {
    return at < this.#chosenAt ? 'before' : 'after';
  }
}
