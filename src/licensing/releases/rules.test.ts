import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  findOffer,
  isInRollout,
  isNewer,
  isNewerInWordPress,
  isOrderedPrerelease,
  isReleaseVersion,
  type Release,
  sortReleases,
} from './rules.ts';

const version = fc
  .tuple(fc.nat(9), fc.nat(9), fc.nat(9), fc.option(fc.nat(9), { nil: undefined }))
  .map(([a, b, c, beta]) => `${a}.${b}.${c}${beta === undefined ? '' : `-beta.${beta}`}`);
const release = fc
  .record({
    id: fc.integer({ min: 1, max: 1e6 }),
    version,
    channel: fc.constantFrom('stable' as const, 'beta' as const),
    requiresPhp: fc.constantFrom(null, '7.4', '8.2'),
    requiresWp: fc.constantFrom(null, '6.2', '6.8'),
    isSecurity: fc.boolean(),
    rolloutPercent: fc.integer({ min: 0, max: 100 }),
    publishedAt: fc.nat(1_000),
    yankedAt: fc.option(fc.nat(2_000)),
  })
  .map((fields) => fields as Release);
const releases = fc.uniqueArray(release, { selector: (each) => each.version, maxLength: 12 });
const asking = fc.record({
  site: fc.webUrl(),
  channel: fc.constantFrom('stable' as const, 'beta' as const),
  php: fc.constantFrom(undefined, '7.4.33', '8.2.36-1+deb12u1', '8.4'),
  wp: fc.constantFrom(undefined, '6.2', '6.7.1', '6.9-alpha-1'),
  licenceEnd: fc.nat(1_500),
});

describe('The release that a site is offered', () => {
  it('breaks no rule, whatever the releases', () => {
    fc.assert(
      fc.property(releases, asking, (all, site) => {
        const { offered, withheld } = findOffer(all, site);
        for (const each of [offered, withheld].filter((one) => one !== undefined)) {
          expect(each.yankedAt).toBeNull();
          expect(site.channel === 'beta' || each.channel === 'stable').toBe(true);
          if (site.php === '7.4.33') expect(each.requiresPhp).not.toBe('8.2');
          if (site.wp === '6.7.1') expect(each.requiresWp).not.toBe('6.8');
        }
        if (offered) expect(offered.isSecurity || offered.publishedAt < site.licenceEnd).toBe(true);
        if (withheld) {
          expect(withheld.isSecurity).toBe(false);
          expect(withheld.publishedAt).toBeGreaterThanOrEqual(site.licenceEnd);
          if (offered) expect(isNewer(withheld.version, offered.version)).toBe(true);
        }
      }),
    );
  });

  it('does not depend on the order of the releases', () => {
    fc.assert(
      fc.property(releases, asking, (all, site) => {
        expect(findOffer(all.toReversed(), site)).toEqual(findOffer(all, site));
      }),
    );
  });

  it('never gets lower with a longer licence, or with the beta channel', () => {
    fc.assert(
      fc.property(releases, asking, fc.nat(1_000), (all, site, more) => {
        const { offered } = findOffer(all, site);
        const longer = findOffer(all, { ...site, licenceEnd: site.licenceEnd + more }).offered;
        const beta = findOffer(all, { ...site, channel: 'beta' }).offered;
        if (!offered) return;
        for (const other of [longer, beta])
          expect(isNewer(offered.version, other?.version)).toBe(false);
      }),
    );
  });
});

describe('A roll-out', () => {
  it('only gains sites with a larger percentage, has none at 0 and all at 100', () => {
    const percent = fc.integer({ min: 0, max: 100 });
    fc.assert(
      fc.property(fc.webUrl(), fc.string(), percent, percent, (site, id, one, other) => {
        const [less, more] = [Math.min(one, other), Math.max(one, other)];
        if (isInRollout(site, id, less)) expect(isInRollout(site, id, more)).toBe(true);
        expect(isInRollout(site, id, 0)).toBe(false);
        expect(isInRollout(site, id, 100)).toBe(true);
      }),
    );
  });

  it('reaches about its share of sites, and others for another release', () => {
    const sites = Array.from({ length: 5_000 }, (_, at) => `shop-${at}.example`);
    const first = sites.filter((site) => isInRollout(site, '1', 20));
    expect(first.length).toBeGreaterThan(850);
    expect(first.length).toBeLessThan(1_150);
    const both = first.filter((site) => isInRollout(site, '2', 20));
    expect(both.length).toBeLessThan(first.length / 2);
  });
});

describe('A version', () => {
  it('is newer than an installed one that need not be semantic', () => {
    for (const installed of [undefined, '', 'trunk', '2.4', '2.4.9.1', '2.5.0-beta.1'])
      expect([installed, isNewer('2.5.0', installed)]).toEqual([installed, true]);
    for (const installed of ['2.5', '2.5.0', '2.5.1', '3'])
      expect([installed, isNewer('2.5.0', installed)]).toEqual([installed, false]);
  });

  it('of a release is a semantic one without build metadata', () => {
    for (const good of ['0.1.0', '2.5.0', '10.0.0-rc.1']) expect(isReleaseVersion(good)).toBe(true);
    for (const bad of ['2.5', 'v2.5.0', '2.5.0+build', '2.5.0.1', ' 2.5.0', '02.5.0', ''])
      expect([bad, isReleaseVersion(bad)]).toEqual([bad, false]);
  });

  // As version_compare of PHP 8.2 answers.
  it('orders pre-releases by their words and numbers only as a word in lower case and numbers', () => {
    const ordered = ['2.5.0-beta.9', '2.5.0-beta.10', '2.5.0-rc', '2.5.0-rc.1', '2.5.0-rc.1.2'];
    expect(sortReleases(ordered.map((version) => ({ version })))).toEqual(
      ordered.toReversed().map((version) => ({ version })),
    );
    for (const good of [...ordered, '2.5.0']) expect(isOrderedPrerelease(good), good).toBe(true);
    for (const bad of ['RC1', 'RC.1', 'beta10', 'beta-1', 'rc.1.a', 'beta.p1', '1', '-beta.1'])
      expect(isOrderedPrerelease(`2.5.0-${bad}`), bad).toBe(false);
  });

  it('takes what PHP ranks above the final version for newer than it in WordPress', () => {
    const newer = [
      'pre.1',
      'preview.1',
      'patch.1',
      'pl.1',
      'p1',
      '1',
      '20261130',
      '0.1',
      '1a',
      '-1',
    ];
    const older = [
      'dev',
      'a1',
      'alpha.1',
      'beta.1',
      'beta.p1',
      'rc.1',
      'RC1',
      'next.1',
      'Pre.1',
      'P1',
      '-beta.1',
    ];
    for (const name of newer) expect(isNewerInWordPress(`2.5.0-${name}`), name).toBe(true);
    for (const name of older) expect(isNewerInWordPress(`2.5.0-${name}`), name).toBe(false);
    expect(isNewerInWordPress('2.5.0')).toBe(false);
  });
});
