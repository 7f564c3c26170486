import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ImportedFields, isSame, mergeImport } from './rules.ts';

const fields: fc.Arbitrary<ImportedFields> = fc.record({
  email: fc.constantFrom('a', 'b'),
  product: fc.constantFrom('pavis', 'forms'),
  mode: fc.constantFrom('live', 'test'),
  tier: fc.constantFrom('solo', 'team', 'agency'),
  sites_allowed: fc.integer({ min: 1, max: 4 }),
  expires_at: fc.integer({ min: 1, max: 4 }),
  status: fc.constantFrom('active', 'suspended', 'revoked'),
  sites: fc.constantFrom('', 'x'),
});
const withoutSites = ({ sites: _, ...rest }: ImportedFields) => rest;

describe('Merging an import with what is here', () => {
  it('changes nothing if the source did not change, whatever was changed here', () => {
    fc.assert(
      fc.property(fields, fields, (base, current) => {
        expect(isSame(base, { ...base })).toBe(true);
        const merged = mergeImport(base, base, withoutSites(current));
        expect(merged).toEqual({ changes: {}, conflicts: [] });
      }),
    );
  });

  it('never overwrites a field that was changed here', () => {
    fc.assert(
      fc.property(fields, fields, fields, (base, source, current) => {
        const { changes } = mergeImport(base, source, withoutSites(current));
        for (const name of Object.keys(changes) as (keyof typeof changes)[]) {
          expect(current[name]).toBe(base[name]);
          expect(changes[name]).toBe(source[name]);
          expect(source[name]).not.toBe(base[name]);
        }
      }),
    );
  });

  it('accounts for each field that differs from a changed source', () => {
    fc.assert(
      fc.property(fields, fields, fields, (base, source, current) => {
        const { changes, conflicts } = mergeImport(base, source, withoutSites(current));
        for (const name of Object.keys(withoutSites(base)) as (keyof typeof current)[]) {
          const isOpen = source[name] !== base[name] && source[name] !== current[name];
          const isAccounted = name in changes || conflicts.some((each) => each === name);
          expect(isAccounted).toBe(isOpen);
        }
      }),
    );
  });

  it('has nothing left to do after its changes were applied', () => {
    fc.assert(
      fc.property(fields, fields, fields, (base, source, current) => {
        const { changes, conflicts } = mergeImport(base, source, withoutSites(current));
        if (conflicts.length > 0) return;
        const applied = { ...withoutSites(current), ...changes };
        expect(mergeImport(source, source, applied)).toEqual({ changes: {}, conflicts: [] });
        expect(mergeImport(base, source, applied)).toEqual({ changes: {}, conflicts: [] });
      }),
    );
  });

  it('applies a change of the source where nothing was changed here', () => {
    fc.assert(
      fc.property(fields, fields, (base, source) => {
        const { changes, conflicts } = mergeImport(base, source, withoutSites(base));
        for (const name of ['tier', 'sites_allowed', 'expires_at'] as const)
          if (source[name] !== base[name]) expect(changes[name]).toBe(source[name]);
        const isStuck = base.status === 'revoked' && source.status !== 'revoked';
        expect(conflicts.includes('status')).toBe(isStuck);
      }),
    );
  });
});
