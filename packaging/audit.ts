import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { listShipped, type ShippedPackage } from './shipped.ts';

const PROJECT = join(import.meta.dirname, '..');
const TIMEOUT_MS = 60_000;
/** Advisories of severity `info` and `low` do not stop a release. */
const STOPPING = ['moderate', 'high', 'critical'];

/** A known vulnerability in a shipped package. */
interface Advisory {
  package: string;
  severity: string;
  title: string;
  url: string;
}

interface Vulnerability {
  /** Advisories on the package itself, and names of packages whose vulnerabilities it inherits. */
  via: (string | { name: string; severity: string; title: string; url: string })[];
  /** The folders of the affected versions, as in the lock file. */
  nodes: string[];
}

/** What `npm audit --json` prints: a report, the error of the registry (`message`), or an error of npm itself (`error`). */
interface Answer {
  vulnerabilities?: Record<string, Vulnerability>;
  message?: string;
  error?: { summary?: string };
}

type Audit = { advisories: Advisory[] } | { notChecked: string };

/**
 * The advisories on packages that are shipped.
 * @param json what `npm audit --json` has printed
 * @returns `notChecked` with the reason if the registry did not answer
 * @throws Error if npm could not audit for another reason
 */
export function readAudit(json: string, shipped: Pick<ShippedPackage, 'path'>[]): Audit {
  const { vulnerabilities, message, error }: Answer = JSON.parse(json);
  if (message !== undefined) return { notChecked: message };
  if (!vulnerabilities) throw new Error(`npm audit failed: ${error?.summary ?? 'no report'}`);
  const paths = new Set(shipped.map(({ path }) => path));
  const affected = Object.values(vulnerabilities).filter(({ nodes }) =>
    nodes.some((path) => paths.has(path)),
  );
  const advisories = affected
    .flatMap(({ via }) => via)
    .filter((each) => typeof each !== 'string')
    .filter(({ severity }) => STOPPING.includes(severity))
    .map(({ name, severity, title, url }) => ({ package: name, severity, title, url }));
  return { advisories };
}

/** Asks the registry about all packages: for npm, those that are built into the files of Pavis are tools of development. */
function audit(): Audit {
  const { stdout, error } = spawnSync('npm', ['audit', '--json'], {
    cwd: PROJECT,
    encoding: 'utf8',
    timeout: TIMEOUT_MS,
    killSignal: 'SIGKILL',
    maxBuffer: 2 ** 26,
  });
  if (error && 'code' in error && error.code === 'ETIMEDOUT')
    return { notChecked: `no answer in ${TIMEOUT_MS / 1_000} s` };
  if (error) throw error;
  return readAudit(stdout, listShipped());
}

/** What to print, and whether the audit passes. */
function describeAudit(found: Audit): { text: string; passes: boolean } {
  if ('notChecked' in found) {
    const reason = `the registry could not be reached, or has no audits (${found.notChecked})`;
    return { text: `Vulnerabilities not checked: ${reason}`, passes: true };
  }
  const lines = found.advisories.map(
    ({ package: name, severity, title, url }) => `${name}: ${severity}: ${title} (${url})`,
  );
  if (lines.length > 0) return { text: lines.join('\n'), passes: false };
  return { text: 'No known vulnerabilities in the shipped packages.', passes: true };
}

/** `npm run audit`: fails if a shipped package has a known vulnerability, but not while the registry cannot be asked. */
if (import.meta.main) {
  const { text, passes } = describeAudit(audit());
  process.stdout.write(`${text}\n`);
  if (!passes) process.exitCode = 1;
}
