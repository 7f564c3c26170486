import type { MailPart } from '../../../../mail/index.ts';
import type { RequestType } from '../../rules.ts';
import type { ReportTexts } from './en.ts';
import type { Completion, Refusal, SourceReport } from './report.ts';

export { de as reportDe } from './de.ts';
export { en as reportEn, type ReportTexts } from './en.ts';
export type { Completion, Refusal, SourceReport } from './report.ts';

/** The result of a request by source, and whether part of it was refused or kept. */
export function formatReport(
  texts: ReportTexts,
  { requestType, isEmailed }: { requestType: RequestType; isEmailed: boolean },
  { report, erasesRequest }: Completion,
): { parts: MailPart[]; isPartial: boolean } {
  const isPartial = report.some(({ isSkipped, kept }) => isSkipped || kept.length > 0);
  const result = formatByType(texts, requestType, report);
  const { request, requestWithoutEmail } = texts.erasure;
  const parts = erasesRequest ? [...result, isEmailed ? request : requestWithoutEmail] : result;
  return { parts, isPartial };
}

function formatByType(
  texts: ReportTexts,
  requestType: RequestType,
  report: readonly SourceReport[],
): MailPart[] {
  switch (requestType) {
    case 'deletion':
      return formatErasure(texts, report);
    case 'rectification':
    case 'objection':
      return report.flatMap(({ isSkipped, reason, result }) => {
        if (isSkipped) return [[texts.notDone[requestType], reason].filter(Boolean).join(' ')];
        return [texts.done, result ?? texts.byHand];
      });
    default:
      return formatCollection(texts, report);
  }
}

function formatErasure(texts: ReportTexts, report: readonly SourceReport[]): MailPart[] {
  if (report.length === 0) return [];
  const isFound = ({ isSkipped, kind, erased, anonymised, kept }: SourceReport) =>
    isSkipped || kind === 'manual' || erased + anonymised + kept.length > 0;
  const found = report.filter(isFound);
  if (found.length === 0) return [texts.erasure.nothing];
  const isKept = found.some(({ isSkipped, kept }) => isSkipped || kept.length > 0);
  const isByHand = found.some(({ isSkipped, kind }) => !isSkipped && kind === 'manual');
  const isErased = found.some(({ erased, anonymised }) => erased + anonymised > 0);
  const { all, part, none } = texts.erasure;
  // What was done by hand is reported as the administrator wrote it.
  const summary = isErased
    ? isKept
      ? part
      : isByHand
        ? texts.done
        : all
    : isByHand
      ? texts.done
      : none;
  const empty = report.filter((each) => !isFound(each)).map((each) => getLabel(texts, each));
  return [summary, listFacts(texts, found), ...formatEmpty(texts, empty)];
}

/** What was erased for a deletion request that is refused or withdrawn; empty if nothing was. */
export function formatPartialErasure(
  texts: ReportTexts,
  report: readonly SourceReport[],
): MailPart[] {
  // A source that was erased is open again if more of the person was found in it since.
  const done = report
    .filter(
      ({ isSkipped, kind, erased, anonymised }) =>
        (!isSkipped && kind === 'manual') || erased + anonymised > 0,
    )
    .map((each) => ({ ...each, isSkipped: false }));
  return done.length > 0 ? [texts.erasure.before, listFacts(texts, done)] : [];
}

/** An administrator's decision on what a source has kept follows it in the same line. */
function listFacts(texts: ReportTexts, report: readonly SourceReport[]): MailPart {
  const toFact = (tasks: SourceReport[]) => {
    const sentences = tasks.map((each) => formatErased(texts, each));
    return [getLabel(texts, tasks[0] as SourceReport), sentences.join('. ')] as const;
  };
  return { facts: [...Map.groupBy(report, ({ source }) => source).values()].map(toFact) };
}

function formatErased(texts: ReportTexts, source: SourceReport): string {
  const { isSkipped, kind, erased, anonymised, kept, result } = source;
  if (isSkipped) return formatSkipped(texts, texts.notErased, source);
  if (kind === 'manual') return result ?? texts.byHand;
  return [
    ...(erased > 0 ? [texts.erased(erased)] : []),
    ...(anonymised > 0 ? [texts.anonymised(anonymised)] : []),
    ...kept.map(({ count, reason, ground, article, until }) => {
      const why = [
        texts.keptReasons[ground ?? ''] ?? reason,
        article && texts.law(article),
        until && texts.until(until),
      ];
      return texts.kept(count, why.filter(Boolean).join(', '));
    }),
  ].join(', ');
}

function formatCollection(texts: ReportTexts, report: readonly SourceReport[]): MailPart[] {
  const package_ = report.find(({ kind }) => kind === 'package');
  const sources = report.filter(({ kind }) => kind !== 'package');
  const isFound = ({ isSkipped, kind, records }: SourceReport) =>
    isSkipped || kind === 'manual' || records > 0;
  const facts = sources.filter(isFound).map((each) => {
    const { isSkipped, kind, records, result } = each;
    const text = kind === 'manual' ? (result ?? texts.byHand) : texts.records(records);
    return [
      getLabel(texts, each),
      isSkipped ? formatSkipped(texts, texts.skipped, each) : text,
    ] as const;
  });
  const empty = sources.filter((each) => !isFound(each)).map((each) => getLabel(texts, each));
  return [
    ...(package_?.isSkipped ? [[texts.noPackage, package_.reason].filter(Boolean).join(' ')] : []),
    ...(facts.length > 0 ? [texts.done, { facts }] : []),
    ...formatEmpty(texts, empty),
  ];
}

const formatEmpty = ({ nothingIn }: ReportTexts, labels: readonly string[]): string[] =>
  labels.length > 0 ? [`${nothingIn} ${labels.join(', ')}.`] : [];

const getLabel = ({ labels }: ReportTexts, { source, label }: SourceReport): string =>
  labels[source] ?? label;

const formatSkipped = (
  texts: ReportTexts,
  what: string,
  { ground, article, reason }: SourceReport,
) =>
  [what, ...formatGround(texts, { ground: ground ?? 'other', article, reason: reason ?? '' })].join(
    ' ',
  );

/** A ground as a sentence with its Article, then the reason. */
export function formatGround(
  { grounds, law }: ReportTexts,
  { ground, article, reason }: Refusal,
): string[] {
  const sentence = ground === 'other' ? undefined : grounds[ground];
  return [
    ...(sentence ? [article ? `${sentence} (${law(article)}).` : `${sentence}.`] : []),
    ...(reason ? [reason] : []),
  ];
}
