import { describe, expect, it } from 'vitest';
import { RouteDurations } from './route-durations.ts';

describe('The histogram of durations', () => {
  it('counts each request in every bound that it kept, and sums them by route', () => {
    const durations = new RouteDurations();
    for (const seconds of [0.0005, 0.001, 0.004, 99]) durations.observe('GET', '/x', 200, seconds);
    durations.observe('GET', '/y', 503, 0.3);
    const text = durations.render();
    const bucket = (route: string, bound: string) =>
      new RegExp(`route="${route}",.*le="${bound.replace('+', '\\+')}"} (\\d+)`).exec(text)?.[1];
    expect(['0.001', '0.0025', '0.005', '10', '+Inf'].map((bound) => bucket('/x', bound))).toEqual([
      '2',
      '2',
      '3',
      '3',
      '4',
    ]);
    expect(['0.25', '0.5', '+Inf'].map((bound) => bucket('/y', bound))).toEqual(['0', '1', '1']);
    expect(text).toContain('_count{method="GET",route="/x",status="200"} 4');
    expect(text).toMatch(/_sum\{method="GET",route="\/x",status="200"\} 99\.0055/);
    expect(text.startsWith('# HELP pavis_http_request_duration_seconds ')).toBe(true);
  });
});
