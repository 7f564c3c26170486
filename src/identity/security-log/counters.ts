import type { SecurityEventName } from './events.ts';

/** What is counted: the event, the metric, and the detail that tells its series apart. */
const METRICS = [
  ['sign_in', 'pavis_sign_ins_total', 'Sign-ins to the console.', undefined],
  ['sign_in_failed', 'pavis_sign_in_failures_total', 'Failed attempts to sign in.', 'reason'],
  ['account_locked', 'pavis_account_lockouts_total', 'Blocks after failed attempts.', undefined],
  ['credential_refused', 'pavis_credentials_refused_total', 'Refused credentials.', 'method'],
  ['role_changed', 'pavis_role_changes_total', 'Changes of roles.', undefined],
  ['data_exported', 'pavis_exports_total', 'Exports of data.', 'what'],
] as const satisfies readonly [SecurityEventName, string, string, string | undefined][];

/**
 * What concerns security as Prometheus counters: the events that this process has processed, and what
 * is refused too often to be an event each.
 */
export class SecurityCounters {
  readonly #counts = new Map<string, Map<string, number>>();
  readonly #rateLimited = new Map<string, number>();
  #refusedOrigins = 0;

  /** Counts a request that was answered with 429. @param route its path as the routes have it */
  countRateLimited(route: string): void {
    this.#rateLimited.set(route, (this.#rateLimited.get(route) ?? 0) + 1);
  }

  /** Counts a request of a page whose origin is not allowed. */
  countRefusedOrigin(): void {
    this.#refusedOrigins++;
  }

  add(
    { event, details }: { event: SecurityEventName; details: Readonly<Record<string, unknown>> },
    count: number,
  ): void {
    const metric = METRICS.find(([name]) => name === event);
    if (!metric) return;
    const [, name, , label] = metric;
    const series = label ? `{${label}="${details[label] ?? ''}"}` : '';
    const counts = this.#counts.get(name) ?? new Map<string, number>();
    counts.set(series, (counts.get(series) ?? 0) + count);
    this.#counts.set(name, counts);
  }

  /** The counters in Prometheus' text format. */
  render(): string {
    const limited = [...this.#rateLimited].map(
      ([route, count]) => [`{route="${route}"}`, count] as const,
    );
    return [
      ...METRICS.map(([, name, help, label]) =>
        renderCounter(name, help, [
          ...(this.#counts.get(name) ?? (label ? [] : [['', 0] as const])),
        ]),
      ),
      renderCounter('pavis_rate_limited_requests_total', 'Requests answered with 429.', limited),
      renderCounter(
        'pavis_origins_refused_total',
        'Requests of pages whose origin is not allowed.',
        [['', this.#refusedOrigins]],
      ),
    ].join('');
  }
}

const renderCounter = (
  name: string,
  help: string,
  counts: readonly (readonly [series: string, count: number])[],
): string =>
  [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} counter`,
    ...counts.map(([series, count]) => `${name}${series} ${count}`),
    '',
  ].join('\n');
