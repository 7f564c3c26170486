import { describe, expect, it } from 'vitest';
import { readAudit } from './audit.ts';
import { listShipped } from './shipped.ts';

/** As npm 11 prints it. */
const report = (vulnerabilities: object) =>
  JSON.stringify({
    auditReportVersion: 2,
    vulnerabilities,
    metadata: {
      vulnerabilities: { info: 0, low: 0, moderate: 1, high: 0, critical: 0, total: 1 },
      dependencies: { prod: 60, dev: 500, optional: 90, peer: 3, peerOptional: 0, total: 650 },
    },
  });

const advisory = (name: string, severity: string) => ({
  source: 1_097_691,
  name,
  dependency: name,
  title: `Denial of service in ${name}`,
  url: 'https://github.com/advisories/GHSA-0000-0000-0000',
  severity,
  cwe: ['CWE-400'],
  cvss: { score: 5.3, vectorString: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:L' },
  range: '<99.0.0',
});

function vulnerable(name: string, severity: string, more: object = {}) {
  const via = [advisory(name, severity)];
  const nodes = [`node_modules/${name}`];
  const rest = { isDirect: true, effects: [], range: '<99.0.0', fixAvailable: true };
  return { [name]: { name, severity, via, nodes, ...rest, ...more } };
}

describe('readAudit', () => {
  const shipped = listShipped();
  const read = (vulnerabilities: object) => readAudit(report(vulnerabilities), shipped);

  it('finds nothing in a clean report', () => {
    expect(read({})).toEqual({ advisories: [] });
  });

  it.each(['moderate', 'high', 'critical'])('finds a %s advisory on a shipped package', (level) => {
    expect(read(vulnerable('fastify', level))).toEqual({
      advisories: [
        {
          package: 'fastify',
          severity: level,
          title: 'Denial of service in fastify',
          url: 'https://github.com/advisories/GHSA-0000-0000-0000',
        },
      ],
    });
  });

  it('finds one on a package that is built into the files, which npm takes for a tool', () => {
    expect(read(vulnerable('react', 'high'))).toMatchObject({ advisories: [{ package: 'react' }] });
  });

  it.each(['info', 'low'])('accepts an advisory of severity %s', (level) => {
    expect(read(vulnerable('fastify', level))).toEqual({ advisories: [] });
  });

  it('accepts one on a package that is not shipped, and on a copy that is not', () => {
    const nodes = ['node_modules/vitest/node_modules/fastify'];
    const tools = {
      ...vulnerable('vitest', 'critical'),
      ...vulnerable('fastify', 'high', { nodes }),
    };
    expect(read(tools)).toEqual({ advisories: [] });
  });

  it('names the package with the advisory, not those that depend on it', () => {
    const inherited = vulnerable('fastify', 'high', { via: ['ajv'] });
    expect(read({ ...vulnerable('ajv', 'high'), ...inherited })).toMatchObject({
      advisories: [{ package: 'ajv' }],
    });
    expect(read(inherited)).toEqual({ advisories: [] });
  });

  it.each([
    'request to http://127.0.0.1:9/-/npm/v1/security/advisories/bulk failed, reason: connect ECONNREFUSED 127.0.0.1:9',
    '405 Method Not Allowed - POST https://registry.example/-/npm/v1/security/advisories/bulk',
  ])('says that nothing was checked where the registry does not answer: %s', (message) => {
    const error = JSON.stringify({ message, error: { summary: '', detail: '' } });
    expect(readAudit(error, shipped)).toEqual({ notChecked: message });
  });

  it('throws where npm itself fails', () => {
    const error = { code: 'ENOLOCK', summary: 'This command requires an existing lockfile.' };
    expect(() => readAudit(JSON.stringify({ error }), shipped)).toThrow(/existing lockfile/);
    expect(() => readAudit('{}', shipped)).toThrow(/no report/);
    expect(() => readAudit('', shipped)).toThrow();
  });
});
