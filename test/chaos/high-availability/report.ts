/** Prints what happens with its time, and counts what held and what did not. */
export class Report {
  readonly #startedAt = performance.now();
  #passed = 0;
  #failed = 0;

  say(text: string): void {
    const seconds = (performance.now() - this.#startedAt) / 1_000;
    process.stdout.write(`${seconds.toFixed(1).padStart(7)} s  ${text}\n`);
  }

  check(holds: boolean, claim: string, found = ''): void {
    if (holds) this.#passed++;
    else this.#failed++;
    this.say(`${holds ? 'ok  ' : 'FAIL'}  ${claim}${found && `: ${found}`}`);
  }

  /** @returns whether everything held */
  close(): boolean {
    process.stdout.write(`\n${this.#passed} passed, ${this.#failed} failed\n`);
    return this.#failed === 0;
  }
}
