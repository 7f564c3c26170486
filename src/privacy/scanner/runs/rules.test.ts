import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planRuns, type ScanLease, TAKEOVERS_MAX } from './rules.ts';

const NOW = 1_000;
const lease = (of: Partial<ScanLease>): ScanLease => ({
  id: 1,
  siteUrl: 'https://a.test',
  runner: 'server',
  status: 'queued',
  holder: null,
  leasedUntil: 0,
  takeovers: 0,
  startedBy: 'request',
  startedAt: 0,
  ...of,
});
const held = { status: 'started', holder: 'x', leasedUntil: NOW + 1 } as const;
const lost = { status: 'started', holder: 'x', leasedUntil: NOW } as const;

describe('The next scan to run', () => {
  it('is the oldest that is queued or whose lease has expired', () => {
    expect(planRuns([lease({ id: 1 }), lease({ id: 2 })], NOW).next?.id).toBe(1);
    expect(planRuns([lease({ id: 1, ...lost }), lease({ id: 2 })], NOW).next?.id).toBe(1);
    expect(planRuns([], NOW).next).toBeUndefined();
  });

  it('is a proof scan, for which a person waits, before older ones', () => {
    const scans = [lease({ id: 1 }), lease({ id: 2, startedBy: 'proof' })];
    expect(planRuns(scans, NOW).next?.id).toBe(2);
    expect(planRuns([lease({ id: 1, ...held }), ...scans.slice(1)], NOW).next).toBeUndefined();
  });

  it('is not of a site that is being scanned', () => {
    const other = lease({ id: 3, siteUrl: 'https://b.test' });
    expect(planRuns([lease({ id: 1, ...held }), lease({ id: 2 }), other], NOW).next?.id).toBe(3);
    const byCommand = lease({ id: 1, ...held, runner: 'command' });
    expect(planRuns([byCommand, lease({ id: 2 })], NOW).next).toBeUndefined();
  });

  it('is not run by a client or a command', () => {
    const scans = [
      lease({ id: 1, runner: 'client', status: 'started' }),
      lease({ id: 2, ...lost, runner: 'command' }),
    ];
    expect(planRuns(scans, NOW)).toMatchObject({ next: undefined, interrupted: [{ id: 2 }] });
  });

  it('is not one during which servers crashed repeatedly', () => {
    const scans = [lease({ id: 1, ...lost, takeovers: TAKEOVERS_MAX }), lease({ id: 2 })];
    expect(planRuns(scans, NOW)).toMatchObject({ next: { id: 2 }, interrupted: [{ id: 1 }] });
  });

  it('is never leased, nor the second of a site', () => {
    const scans = fc.array(
      fc.record({
        id: fc.nat(),
        siteUrl: fc.constantFrom('https://a.test', 'https://b.test'),
        runner: fc.constantFrom('server', 'client', 'command'),
        status: fc.constantFrom('queued', 'started'),
        holder: fc.constantFrom('x', null),
        leasedUntil: fc.constantFrom(0, NOW, NOW + 1),
        takeovers: fc.integer({ min: 0, max: 4 }),
      }),
    ) as fc.Arbitrary<ScanLease[]>;
    fc.assert(
      fc.property(scans, (all) => {
        const { next, interrupted } = planRuns(all, NOW);
        const isHeld = (scan: ScanLease) => scan.status === 'started' && scan.leasedUntil > NOW;
        expect(interrupted.some(isHeld)).toBe(false);
        if (!next) return;
        expect(next.runner).toBe('server');
        expect(interrupted).not.toContain(next);
        expect(all.filter(isHeld).map(({ siteUrl }) => siteUrl)).not.toContain(next.siteUrl);
      }),
    );
  });
});
