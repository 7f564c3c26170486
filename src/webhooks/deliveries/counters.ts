const RESULTS = ['delivered', 'retried', 'failed'] as const;
type Result = (typeof RESULTS)[number];

/** Attempts of this process by result, and the deliveries of all nodes that wait for an attempt. */
export class DeliveryCounters {
  readonly #counts = new Map<Result, number>();
  /** Undefined before the first count. */
  waiting: number | undefined;

  add(result: Result): void {
    this.#counts.set(result, (this.#counts.get(result) ?? 0) + 1);
  }

  /** In Prometheus' format. */
  render(): string {
    return [
      '# HELP pavis_webhook_attempts_total Attempts to deliver webhooks: delivered, to be retried, failed for good.',
      '# TYPE pavis_webhook_attempts_total counter',
      ...RESULTS.map(
        (result) =>
          `pavis_webhook_attempts_total{result="${result}"} ${this.#counts.get(result) ?? 0}`,
      ),
      ...(this.waiting === undefined
        ? []
        : [
            '# HELP pavis_webhook_deliveries_waiting Deliveries that wait for an attempt.',
            '# TYPE pavis_webhook_deliveries_waiting gauge',
            `pavis_webhook_deliveries_waiting ${this.waiting}`,
          ]),
      '',
    ].join('\n');
  }
}
