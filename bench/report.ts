import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { table } from '../src/commands/cli.ts';

const RESULTS = join(import.meta.dirname, 'results.json');

/** The minimum or maximum of a figure, or of its ratio to the figure of the bare server. */
export type Bar = { of: 'figure' | 'ratio' } & ({ atLeast: number } | { atMost: number });

/** A line of the report. */
export interface Finding {
  bench: string;
  unit: string;
  /** A figure for each round. */
  figures: number[];
  /** The figures of the bare server in the same rounds. */
  bare?: number[];
  bar?: Bar;
  /** A remark for readers of the figures. */
  note?: string | undefined;
}

/** Formats findings as a table: medians, and the lowest and highest ratio. */
export function toTable(findings: Finding[]): string {
  const rows = table(
    ['bench', 'figure', 'bare', 'ratio (min-max)', 'bar', 'met'],
    findings.map((finding) => {
      const { bench, unit, bar } = finding;
      const { figure, bare, ratio, met } = summarise(finding);
      return [
        bench,
        `${readable(figure)} ${unit}`,
        bare === undefined ? '-' : `${readable(bare)} ${unit}`,
        ratio ? `${fixed(ratio.median)} (${fixed(ratio.min)}-${fixed(ratio.max)})` : '-',
        bar ? barText(bar, unit) : '-',
        met === undefined ? '-' : met ? 'yes' : 'no',
      ];
    }),
  );
  return [rows, ...findings.flatMap(({ note }) => note ?? [])].join('\n');
}

/** Writes the findings, with the figures of each round, to a file. */
export function writeResults(findings: Finding[]): void {
  const [cpu] = cpus();
  const results = {
    at: new Date().toISOString(),
    node: process.version,
    processor: `${cpus().length} x ${cpu?.model ?? 'unknown'}`,
    findings: findings.map((finding) => ({ ...finding, summary: summarise(finding) })),
  };
  writeFileSync(RESULTS, `${JSON.stringify(results, null, 2)}\n`);
}

function summarise({ figures, bare, bar }: Finding) {
  const figure = median(figures);
  const ratios = bare?.map((each, round) => (figures[round] ?? Number.NaN) / each);
  const ratio = ratios && {
    median: median(ratios),
    min: Math.min(...ratios),
    max: Math.max(...ratios),
  };
  const compared = bar?.of === 'ratio' ? ratio?.median : figure;
  return {
    figure,
    bare: bare && median(bare),
    ratio,
    met: bar && compared !== undefined ? meets(compared, bar) : undefined,
  };
}

const meets = (value: number, bar: Bar): boolean =>
  'atLeast' in bar ? value >= bar.atLeast : value <= bar.atMost;

function barText(bar: Bar, unit: string): string {
  const limit = 'atLeast' in bar ? `>= ${bar.atLeast}` : `<= ${bar.atMost}`;
  return bar.of === 'ratio' ? `ratio ${limit}` : `${limit} ${unit}`;
}

/** The middle value, or the mean of the two in the middle. */
export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low, high] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  return ((low ?? Number.NaN) + (high ?? Number.NaN)) / 2;
}

const readable = (value: number): string =>
  value.toLocaleString(
    'en',
    value >= 100 ? { maximumFractionDigits: 0 } : { maximumSignificantDigits: 3 },
  );

const fixed = (value: number): string => value.toFixed(2);
