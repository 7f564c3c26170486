/**
 * A metric in Prometheus' text format (version 0.0.4).
 * @param samples labels in braces, or an empty text, with their values
 */
export const renderMetric = (
  type: 'counter' | 'gauge',
  name: string,
  help: string,
  samples: readonly (readonly [labels: string, value: number])[],
): string =>
  [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} ${type}`,
    ...samples.map(([labels, value]) => `${name}${labels} ${value}`),
    '',
  ].join('\n');
