import type { MailPart } from '../../../../mail/index.ts';
import type { RequestType } from '../../rules.ts';
import type { CliError, Completion, ReportWords, SourceReport } from './words.ts';

export { de as reportDe } from './de.ts';
export { en as reportEn } from './en.ts';
export type { CliError, Completion, SourceReport } from './words.ts';

/** What was done for a request, source by source, and whether something was not done. */
export function tellReport(
  words: ReportWords,
  requestType: RequestType,
  { report, erasesRequest }: Completion,
): { parts: MailPart[]; isPartial: boolean } {
  const isPartial = report.some(({ isLeftOut, kept }) => isLeftOut || kept.length > 0);
  const told = tellByType(words, requestType, report);
  const parts = erasesRequest ? [...told, words.erasure.request] : told;
  return { parts, isPartial };
}

function tellByType(
  words: ReportWords,
  requestType: RequestType,
  report: readonly SourceReport[],
): MailPart[] {
  switch (requestType) {
    case 'deletion':
      return tellErasure(words, report);
    case 'rectification':
    case 'objection':
      return report.flatMap(({ isLeftOut, reason, result }) => {
        if (isLeftOut) return [[words.notDone[requestType], reason].filter(Boolean).join(' ')];
        return [words.done, result ?? words.byHand];
      });
    default:
      return tellCollection(words, report);
  }
}

function tellErasure(words: ReportWords, report: readonly SourceReport[]): MailPart[] {
  if (report.length === 0) return [];
  const isFound = ({ isLeftOut, kind, erased, anonymised, kept }: SourceReport) =>
    isLeftOut || kind === 'manual' || erased + anonymised + kept.length > 0;
  const found = report.filter(isFound);
  if (found.length === 0) return [words.erasure.nothing];
  const isKept = found.some(({ isLeftOut, kept }) => isLeftOut || kept.length > 0);
  const isByHand = found.some(({ isLeftOut, kind }) => !isLeftOut && kind === 'manual');
  const isErased = found.some(({ erased, anonymised }) => erased + anonymised > 0);
  const { all, part, none } = words.erasure;
  // What a person did by hand is told in their words; nothing is claimed about it.
  const summary = isErased
    ? isKept
      ? part
      : isByHand
        ? words.done
        : all
    : isByHand
      ? words.done
      : none;
  const empty = report.filter((each) => !isFound(each)).map((each) => labelOf(words, each));
  return [
    summary,
    { facts: found.map((each) => [labelOf(words, each), tellErased(words, each)] as const) },
    ...(empty.length > 0 ? [`${words.nothingIn} ${empty.join(', ')}.`] : []),
  ];
}

function tellErased(words: ReportWords, source: SourceReport): string {
  const { isLeftOut, kind, erased, anonymised, kept, result } = source;
  if (isLeftOut) return tellLeftOut(words, words.notErased, source);
  if (kind === 'manual') return result ?? words.byHand;
  return [
    ...(erased > 0 ? [words.erased(erased)] : []),
    ...(anonymised > 0 ? [words.anonymised(anonymised)] : []),
    ...kept.map(({ count, reason, ground, article, until }) => {
      const why = [
        words.keptReasons[ground ?? ''] ?? reason,
        article && words.law(article),
        until && words.until(until),
      ];
      return words.kept(count, why.filter(Boolean).join(', '));
    }),
  ].join(', ');
}

function tellCollection(words: ReportWords, report: readonly SourceReport[]): MailPart[] {
  const package_ = report.find(({ kind }) => kind === 'package');
  const sources = report.filter(({ kind }) => kind !== 'package');
  const facts = sources.map((each) => {
    const { isLeftOut, kind, records, result } = each;
    const told = kind === 'manual' ? (result ?? words.byHand) : words.records(records);
    return [
      labelOf(words, each),
      isLeftOut ? tellLeftOut(words, words.leftOut, each) : told,
    ] as const;
  });
  return [
    ...(package_?.isLeftOut ? [[words.noPackage, package_.reason].filter(Boolean).join(' ')] : []),
    ...(facts.length > 0 ? [words.done, { facts }] : []),
  ];
}

const labelOf = ({ labels }: ReportWords, { source, label }: SourceReport): string =>
  labels[source] ?? label;

const tellLeftOut = (words: ReportWords, what: string, { ground, article, reason }: SourceReport) =>
  [what, ...tellGround(words, { ground: ground ?? 'other', article, reason: reason ?? '' })].join(
    ' ',
  );

/** A ground as a sentence with its article, and what was added to it. */
export function tellGround(
  { grounds, law }: ReportWords,
  { ground, article, reason }: CliError,
): string[] {
  const sentence = ground === 'other' ? undefined : grounds[ground];
  return [
    ...(sentence ? [article ? `${sentence} (${law(article)}).` : `${sentence}.`] : []),
    ...(reason ? [reason] : []),
  ];
}
