import type { Failure, Load } from './load.ts';
import type { Pauses } from './pauses.ts';
import type { Report } from './report.ts';
import { until } from './until.ts';

const RECOVERY_LIMIT_MS = 30_000;
/** How long everything has to succeed. */
const CALM_MS = 6_000;
const RECOVERY_TIMEOUT_MS = 90_000;
/** How long HAProxy needs at most to notice a node that has died or lost its database. */
const NOTICE_MS = 4_000;

interface Scenario {
  name: string;
  /** The fault, or the maintenance. */
  act: () => Promise<unknown>;
  /** What repairs the installation once it has recovered. */
  repair?: () => Promise<unknown>;
  /**
   * Which requests may fail until it has recovered: none, with 503, or until HAProxy notices also without a response of
   * Pavis, or from memory without the latest changes.
   */
  mayFail: 'none' | '503' | 'lost' | 'stale';
}

type Check = [holds: boolean, claim: string, found?: string];
const ATTEMPTS = 4;

/**
 * Runs a scenario under load and checks which requests failed, how, and for how long. It is repeated if the machine
 * stood still meanwhile.
 */
export async function runScenario(
  report: Report,
  load: Load,
  pauses: Pauses,
  scenario: Scenario,
): Promise<void> {
  report.say('');
  report.say(scenario.name);
  for (let attempt = 1; ; attempt++) {
    const before = pauses.count;
    const checks: Check[] = [];
    await attemptScenario(report, load, scenario, checks);
    if (pauses.count === before || attempt === ATTEMPTS) {
      for (const check of checks) report.check(...check);
      return;
    }
    report.say('      the machine stood still, so this is repeated');
    await untilCalm(load);
  }
}

async function attemptScenario(
  report: Report,
  load: Load,
  { act, repair, mayFail }: Scenario,
  checks: Check[],
): Promise<void> {
  const check = (...each: Check) => checks.push(each);
  const before = load.failures.length;
  const startedAt = performance.now();
  await act();
  const isCalm = await untilCalm(load);
  const failures = load.failures.slice(before);
  const lastAt = Math.max(startedAt, ...failures.map(({ endedAt }) => endedAt));
  const recoveryMs = lastAt - startedAt;
  report.say(`      ${describeFailures(failures)}`);
  if (mayFail === 'none') {
    check(isCalm && failures.length === 0, 'no request fails', describeFirst(failures));
  } else {
    check(
      isCalm && recoveryMs <= RECOVERY_LIMIT_MS,
      'everything succeeds again within 30 s',
      `the last failure ended after ${(recoveryMs / 1_000).toFixed(1)} s`,
    );
    const early: number[] = { none: [], '503': [], lost: [0, 502], stale: [200] }[mayFail];
    const odd = failures.filter(
      ({ status, hasRetryAfter, endedAt }) =>
        !(status === 503 && hasRetryAfter) &&
        !(early.includes(status) && endedAt - startedAt < NOTICE_MS),
    );
    check(odd.length === 0, 'requests fail with 503 and Retry-After', describeFirst(odd));
  }
  if (!repair) return;
  const repairedFrom = load.failures.length;
  await repair();
  await untilCalm(load);
  const afterwards = load.failures.slice(repairedFrom);
  check(afterwards.length === 0, 'no request fails during the repair', describeFirst(afterwards));
}

async function untilCalm(load: Load): Promise<boolean> {
  // From now on: a fault may show only when something times out.
  const from = performance.now();
  const isCalm = async () => {
    const since = performance.now() - CALM_MS;
    return (since >= from && load.isHealthySince(since)) || undefined;
  };
  return until('success', isCalm, RECOVERY_TIMEOUT_MS).catch(() => false);
}

function describeFailures(failures: readonly Failure[]): string {
  const counts = new Map<string, number>();
  for (const { kind, status } of failures) {
    const name = `${kind} ${status || 'without response'}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].map(([name, count]) => `${name}: ${count}`).join(', ') || 'no failures';
}

const describeFirst = ([first]: readonly Failure[]): string =>
  first ? `${first.kind} ${first.status}: ${first.text.slice(0, 160)}` : '';
