const NAME = 'pavis_http_request_duration_seconds';
const BOUNDS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

interface Series {
  method: string;
  status: number;
  /** Per bucket; the last one has no upper bound. */
  counts: Float64Array;
  sum: number;
}

/** Durations of requests as a Prometheus histogram, cheaper than prom-client's own (docs/adr/0011). */
export class RouteDurations {
  /** By route: a key of all labels would be a new text for each observation. */
  readonly #series = new Map<string, Series[]>();

  observe(method: string, route: string, status: number, seconds: number): void {
    const series = this.#findSeries(method, route, status);
    let bucket = 0;
    while (seconds > (BOUNDS_SECONDS[bucket] ?? Number.POSITIVE_INFINITY)) bucket++;
    series.counts[bucket] = (series.counts[bucket] ?? 0) + 1;
    series.sum += seconds;
  }

  #findSeries(method: string, route: string, status: number): Series {
    const ofRoute = this.#series.get(route) ?? [];
    for (const series of ofRoute) {
      if (series.status === status && series.method === method) return series;
    }
    const counts = new Float64Array(BOUNDS_SECONDS.length + 1);
    const series = { method, status, counts, sum: 0 };
    this.#series.set(route, [...ofRoute, series]);
    return series;
  }

  render(): string {
    const lines = [
      `# HELP ${NAME} Time from the request to the end of its answer.`,
      `# TYPE ${NAME} histogram`,
    ];
    const all = [...this.#series].flatMap(([route, each]) =>
      each.map((one) => ({ route, ...one })),
    );
    for (const { method, route, status, counts, sum } of all) {
      const labels = `method="${method}",route="${route}",status="${status}"`;
      let total = 0;
      counts.forEach((count, bucket) => {
        total += count;
        lines.push(`${NAME}_bucket{${labels},le="${BOUNDS_SECONDS[bucket] ?? '+Inf'}"} ${total}`);
      });
      lines.push(`${NAME}_sum{${labels}} ${sum}`, `${NAME}_count{${labels}} ${total}`);
    }
    return `${lines.join('\n')}\n`;
  }
}
