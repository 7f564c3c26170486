import { hostname } from 'node:os';
import { escapeHtml } from '../platform/html.ts';
import {
  describeUnreached,
  type Failure,
  hasReached,
  isFailing,
  type Results,
} from './scan-checks.ts';

type Finding = Results['results'][number];

interface TestCase {
  group: string;
  name: string;
  /** Verdicts and pages of a resource, or what came of a state. */
  summary: string;
  /** Null: passed. */
  failure: string | null;
}

const MESSAGES: Record<Failure, string> = {
  'before-consent': 'It loads before consent and needs a decision.',
  'broken-promise': 'It is at work although the visitor rejected or withdrew consent.',
};

/**
 * The results as JUnit XML: a test case for each resource, and one for each state that needs a choice. The elements
 * and attributes are those that both the schema of Ant's JUnit task and that of Jenkins allow.
 */
export function toJunit(results: Results, failOn: readonly Failure[]): string {
  const cases = [...listStates(results, failOn), ...listResources(results, failOn)];
  const { started_at, completed_at } = results;
  const suite = {
    ...{ id: 0, package: 'pavis', name: `Scan of ${results.site_url}`, hostname: hostname() },
    // Ant's schema allows no time zone.
    timestamp: started_at.slice(0, 19),
    tests: cases.length,
    failures: cases.filter(({ failure }) => failure !== null).length,
    errors: 0,
    time: completed_at ? (Date.parse(completed_at) - Date.parse(started_at)) / 1_000 : 0,
  };
  const summaries = cases.map(({ group, name, summary }) => `${group} ${name}: ${summary}`);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites>',
    `<testsuite ${toAttributes(suite)}>`,
    '<properties></properties>',
    ...cases.map(toElement),
    `<system-out>${toXml(summaries.join('\n'))}</system-out>`,
    '<system-err></system-err>',
    '</testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

const listStates = (results: Results, failOn: readonly Failure[]): TestCase[] =>
  results.states
    .filter((state) => state !== 'before' && state !== 'gpc')
    .map((state) => {
      const unreached = describeUnreached(results, state);
      const isRequired = failOn.includes('broken-promise') && state === 'rejected';
      const hasFailed = isRequired && !hasReached(results, state);
      const summary = unreached ? `not reached: ${unreached}` : 'reached on all pages';
      return { group: 'state', name: state, summary, failure: hasFailed ? summary : null };
    });

const listResources = (results: Results, failOn: readonly Failure[]): TestCase[] =>
  [...Map.groupBy(results.results, toTitle)].map(([name, findings]) => {
    const verdicts = new Set(findings.flatMap((finding) => finding.verdicts));
    const pages = findings.map(({ page_url }) => page_url);
    const summary = `${[...verdicts].join(', ') || 'no verdict'} on ${pages.join(' ')}`;
    const reasons = failOn
      .filter((failure) => findings.some((finding) => isFailing(finding, failure)))
      .map((failure) => MESSAGES[failure]);
    const failure = reasons.length > 0 ? reasons.join(' ') : null;
    return { group: findings[0]?.resource_type ?? '', name, summary, failure };
  });

const toTitle = ({ name, url }: Finding): string => `${name} ${url}`.trim();

function toElement({ group, name, summary, failure }: TestCase): string {
  const open = `<testcase ${toAttributes({ classname: `pavis.${group}`, name, time: 0 })}>`;
  const reason = { message: failure ?? '', type: group };
  return failure === null
    ? `${open}</testcase>`
    : `${open}<failure ${toAttributes(reason)}>${toXml(summary)}</failure></testcase>`;
}

const toAttributes = (values: Record<string, string | number>): string =>
  Object.entries(values)
    .map(([name, value]) => `${name}="${toXml(String(value))}"`)
    .join(' ');

/** Characters that XML 1.0 does not allow, also not escaped, are replaced. */
const toXml = (text: string): string =>
  escapeHtml(
    text
      .toWellFormed()
      .replace(/[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD'),
  );
