import type { ConsentState } from '../observation.ts';

/** When a visit began, and when the choice on the consent banner was made. */
export class VisitClock {
  /** Epoch milliseconds when the time origin of `performance.now()` was. */
  #origin = Date.now() - performance.now();
  #begunAt = this.#now();
  #chosenAt = Number.POSITIVE_INFINITY;

  /** The visit begins now. */
  begin(): void {
    this.#origin = Date.now() - performance.now();
    this.#begunAt = this.#now();
  }

  /** The choice is made now, or has not been made after all. */
  setChosen(isChosen: boolean): void {
    this.#chosenAt = isChosen ? this.#now() : Number.POSITIVE_INFINITY;
  }

  /** Milliseconds since the visit began. @param at epoch milliseconds */
  elapsed(at = this.#now()): number {
    return Math.max(0, at - this.#begunAt) || 0;
  }

  /** @param at epoch milliseconds */
  stateAt(at = this.#now()): ConsentState {
    return at < this.#chosenAt ? 'before' : 'after';
  }

  /** Epoch milliseconds, which go on if the system's clock is set. Not later than what the page reports from now on. */
  #now(): number {
    return Math.floor(this.#origin + performance.now());
  }
}
