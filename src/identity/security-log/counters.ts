import type { SecurityEventName } from './events.ts';

const RATE_LIMITED = 'pavis_rate_limited_requests_total';
const REFUSED_ORIGINS = 'pavis_origins_refused_total';
/** The event that is counted, and the detail of it that is the label. */
type Metric = [name: string, help: string, event?: SecurityEventName | null, label?: string];
const METRICS: readonly Metric[] = [
  ['pavis_sign_ins_total', 'Sign-ins to the console.', 'sign_in'],
  ['pavis_sign_in_failures_total', 'Failed attempts to sign in.', 'sign_in_failed', 'reason'],
  ['pavis_account_lockouts_total', 'Lockouts after failed attempts.', 'account_locked'],
  ['pavis_credentials_refused_total', 'Refused credentials.', 'credential_refused', 'method'],
  ['pavis_role_changes_total', 'Changes of roles.', 'role_changed'],
  ['pavis_exports_total', 'Exports of data.', 'data_exported', 'what'],
  [RATE_LIMITED, 'Requests answered with 429.', null, 'route'],
  [REFUSED_ORIGINS, 'Requests of pages whose origin is not allowed.'],
];

/** Prometheus counters of the events that this process has processed, and of requests that are refused too often to log. */
export class SecurityCounters {
  readonly #counts = new Map<string, number>();

  /** Counts a request that was answered with 429. @param route its path with placeholders */
  countRateLimited(route: string): void {
    this.#increment(`${RATE_LIMITED}{route="${route}"}`);
  }

  /** Counts a request of a page whose origin is not allowed. */
  countRefusedOrigin(): void {
    this.#increment(REFUSED_ORIGINS);
  }

  add(
    { event, details }: { event: SecurityEventName; details: Readonly<Record<string, unknown>> },
    count: number,
  ): void {
    const metric = METRICS.find(([, , counted]) => counted === event);
    if (!metric) return;
    const [name, , , label] = metric;
    this.#increment(label ? `${name}{${label}="${details[label] ?? ''}"}` : name, count);
  }

  /** The counters in Prometheus' text format. */
  render(): string {
    return METRICS.map(([name, help, , label]) => {
      const series = label
        ? [...this.#counts].filter(([key]) => key.startsWith(`${name}{`))
        : [[name, this.#counts.get(name) ?? 0]];
      const lines = series.map(([key, count]) => `${key} ${count}\n`);
      return `# HELP ${name} ${help}\n# TYPE ${name} counter\n${lines.join('')}`;
    }).join('');
  }

  #increment(series: string, count = 1): void {
    this.#counts.set(series, (this.#counts.get(series) ?? 0) + count);
  }
}
