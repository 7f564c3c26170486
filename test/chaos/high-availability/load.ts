import { client, type HttpClient } from '../../support/client.ts';

/** Requests per second of each kind. */
const RATES = { consent: 10, activate: 2, validate: 5, intake: 1 };
/** The longest time that a client waits for a response. */
export const LIMIT_MS = 20_000;
type Kind = keyof typeof RATES;

export interface Failure {
  kind: Kind;
  /** Milliseconds of `performance.now()`. */
  startedAt: number;
  endedAt: number;
  /** 0: no response. 200: a response that is not up to date. */
  status: number;
  hasRetryAfter: boolean;
  text: string;
}

/** What was acknowledged, and has to be there at the end. */
export interface Acknowledged {
  /** The record ids of consent choices by visitor id. */
  consents: Map<string, number>;
  /** Sites of activated licences. */
  sites: Set<string>;
  /** Email addresses by reference of privacy requests. */
  requests: Map<string, string>;
}

/** Sends requests at a steady rate, whether or not earlier ones were answered, and remembers what was acknowledged. */
export class Load {
  readonly acknowledged: Acknowledged = {
    consents: new Map(),
    sites: new Set(),
    requests: new Map(),
  };
  readonly failures: Failure[] = [];
  succeeded = 0;
  slowestMs = 0;
  readonly #http: HttpClient;
  readonly #key: string;
  readonly #open = new Set<{ startedAt: number }>();
  readonly #pending = new Set<Promise<void>>();
  #timers: NodeJS.Timeout[] = [];
  #made = 0;
  #lastSuccesses: number[] = [];
  #knownSites: { site: string; at: number }[] = [];

  /** @param key of a licence with room for a site per activation */
  constructor(url: string, key: string) {
    this.#http = client(url);
    this.#key = key;
  }

  start(): void {
    const send: Record<Kind, (n: number) => Promise<void>> = {
      consent: (n) => this.#choose(`visitor-${n}`),
      activate: (n) => this.#activate(`https://site-${n}.example.org`),
      validate: () => this.#validate(),
      intake: (n) => this.#request(`subject-${n}@example.com`),
    };
    this.#timers = (Object.keys(RATES) as Kind[]).map((kind) =>
      setInterval(() => {
        const sent = this.#send(kind, () => send[kind](++this.#made));
        this.#pending.add(sent);
        void sent.finally(() => this.#pending.delete(sent));
      }, 1_000 / RATES[kind]),
    );
  }

  /** Resolves when all requests have been answered. */
  async stop(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    await Promise.all(this.#pending);
  }

  /** Whether all requests of a period until now succeeded, and some did. */
  isHealthySince(moment: number): boolean {
    const isStuck = [...this.#open].some(({ startedAt }) => startedAt < performance.now() - 2_000);
    const hasFailed = this.failures.some(({ endedAt }) => endedAt >= moment);
    const successes = this.#lastSuccesses.filter((at) => at >= moment).length;
    return !isStuck && !hasFailed && successes >= 30;
  }

  async #send(kind: Kind, work: () => Promise<void>): Promise<void> {
    const request = { startedAt: performance.now() };
    this.#open.add(request);
    try {
      await work();
      this.succeeded++;
      this.#lastSuccesses = [...this.#lastSuccesses.slice(-2_000), performance.now()];
    } catch (error) {
      const response = error instanceof Refusal ? error : undefined;
      this.failures.push({
        kind,
        ...request,
        endedAt: performance.now(),
        status: response?.status ?? 0,
        hasRetryAfter: response?.hasRetryAfter ?? false,
        text: (error as Error).message,
      });
    } finally {
      this.#open.delete(request);
      this.slowestMs = Math.max(this.slowestMs, performance.now() - request.startedAt);
    }
  }

  async #choose(visitorId: string): Promise<void> {
    const body = { visitor_id: visitorId, consent_action: 'accept_all' };
    const { id } = await expectStatus(200, this.#http.post('/wp-json/svc/v1/consent', { body }));
    this.acknowledged.consents.set(visitorId, id);
  }

  async #activate(site: string): Promise<void> {
    await expectStatus(200, this.#http.site('activate', this.#key, site));
    this.acknowledged.sites.add(site);
    this.#knownSites = [...this.#knownSites.slice(-100), { site, at: performance.now() }];
  }

  /** Changes on one node show on the others within a second. */
  async #validate(): Promise<void> {
    const site = this.#knownSites.findLast(({ at }) => at < performance.now() - 2_000)?.site;
    if (site === undefined) return;
    const answer = this.#http.site('validate', this.#key, site);
    const { valid, site_active } = await expectStatus(200, answer);
    if (valid !== true || site_active !== true)
      throw new Refusal(200, false, `${site} is not valid`);
  }

  async #request(email: string): Promise<void> {
    const body = { request_type: 'access', email };
    const answer = this.#http.post('/wp-json/svc/v1/dsar/intake', { body });
    const { reference } = await expectStatus(201, answer);
    this.acknowledged.requests.set(reference, email);
  }
}

class Refusal extends Error {
  readonly status: number;
  readonly hasRetryAfter: boolean;

  constructor(status: number, hasRetryAfter: boolean, text: string) {
    super(text);
    this.status = status;
    this.hasRetryAfter = hasRetryAfter;
  }
}

async function expectStatus(status: number, answer: ReturnType<HttpClient['get']>) {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error('no response in time')), LIMIT_MS);
  try {
    const found = await Promise.race([answer, late.promise]);
    if (found.status === status) return found.json;
    throw new Refusal(found.status, Number(found.headers.get('retry-after')) > 0, found.text);
  } finally {
    clearTimeout(timer);
    answer.catch(() => {});
  }
}
