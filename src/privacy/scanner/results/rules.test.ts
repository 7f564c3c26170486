import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareResources, mergeCookieHosts } from './rules.ts';

const things = fc
  .uniqueArray(fc.constantFrom(...'abcdefghij'))
  .map((names) => names.map((resourceKey) => ({ resourceKey })));

it('New, gone and same resources add up to both scans', () => {
  fc.assert(
    fc.property(things, things, (earlier, later) => {
      const { added, gone, same } = compareResources(earlier, later);
      expect(same + added.length).toBe(later.length);
      expect(same + gone.length).toBe(earlier.length);
      const back = compareResources(later, earlier);
      expect([back.added, back.gone]).toEqual([gone, added]);
    }),
  );
});

it('A scan compared with itself has no new or gone resources', () => {
  fc.assert(
    fc.property(things, (scan) => {
      expect(compareResources(scan, scan)).toEqual({ added: [], gone: [], same: scan.length });
    }),
  );
});

describe('Unrecognised hosts', () => {
  const tally = (host: string, count: number) => ({
    ...{ host, count, beforeConsent: 1 },
    resources: { total: 1, beforeConsent: 1 },
  });

  it('include their cookies, which have no port', () => {
    expect(
      mergeCookieHosts([tally('a.test', 3), tally('b.test:8080', 2), tally('b.test', 2)]),
    ).toEqual([
      {
        ...{ host: 'b.test:8080', count: 4, beforeConsent: 2 },
        resources: { total: 2, beforeConsent: 2 },
      },
      tally('a.test', 3),
    ]);
  });

  it('are separate for different names', () => {
    const hosts = [
      tally('a.test:1', 2),
      tally('a.test:2', 2),
      tally('[::1]', 1),
      tally('a.tes', 1),
    ];
    expect(mergeCookieHosts(hosts)).toEqual(hosts);
  });
});
