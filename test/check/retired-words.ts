import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import ts from 'typescript';

/**
 * Finds words that docs/glossary.md retires in texts for people: string literals, JSX text and comments of the sources,
 * the built-in texts and the documentation. `npm run check` fails while there are any. OpenAPI documents, the help of
 * the command line, emails and error messages are made of string literals, so they are covered by them.
 */

interface Rule {
  /** In the first column of the glossary's table of retired words. */
  retired: string;
  /** One for each retired word; the test has a use of every one. */
  patterns: readonly RegExp[];
  write: string;
}

/** Blanks match any white space, so that a phrase is found across lines and in comments. */
const phrase = (source: string, flags = 'gi'): RegExp =>
  new RegExp(
    // Letters with an accent are letters of a word, too.
    source
      .replaceAll('\\b', '(?:(?<![\\p{L}\\d])(?=[\\p{L}\\d])|(?<=[\\p{L}\\d])(?![\\p{L}\\d]))')
      .replaceAll(' ', '(?:\\s|\\*|//)+'),
    `${flags}u`,
  );
const phrases = (...sources: string[]) => sources.map((source) => phrase(source));
/** The whole of a text, as a label or the name of a button. */
const labels = (...sources: string[]) =>
  sources.map((source) => new RegExp(`^\\s*(?:${source})[.:?]?\\s*$`, 'gi'));
/** Upper and lower case count. */
const exact = (...sources: string[]) => sources.map((source) => phrase(source, 'g'));

export const RULES: readonly Rule[] = [
  {
    retired: 'let it wait',
    patterns: phrases('\\blet (?:it|them|all|these|this|\\S+ things?) wait\\b'),
    write: 'block until consent',
  },
  {
    retired: 'came before consent',
    patterns: phrases('\\b(?:came|come|comes|coming) before consent\\b'),
    write: 'loaded before consent',
  },
  {
    retired: 'waits for consent',
    patterns: phrases(
      '\\bwait(?:s|ed|ing)? for (?:a |the |its |their )?(?:consent|categor(?:y|ies))\\b',
      '\\bcontent that waits\\b',
      '\\bnot wait (?:for it )?yet\\b',
    ),
    write: 'is blocked until consent',
  },
  {
    retired: 'held back',
    patterns: phrases('\\b(?:held|hold|holds|holding) (?:\\w+ )?back\\b'),
    write: 'blocked',
  },
  { retired: 'gate', patterns: phrases('\\bgat(?:e|es|ed|ing)\\b'), write: 'block, blocking' },
  {
    retired: 'consent in figures',
    patterns: phrases('\\bconsent in figures\\b', '\\ball figures\\b'),
    write: 'consent statistics',
  },
  {
    retired: 'custom selection',
    patterns: phrases('\\bcustom selections?\\b'),
    write: 'customised',
  },
  {
    retired: 'what visitors were asked',
    patterns: phrases('\\bwhat visitors (?:were|are) asked\\b'),
    write: 'banner version, or the texts of the banner',
  },
  {
    retired: 'take it on',
    patterns: phrases('\\btake it on\\b', '\\bgive it back\\b'),
    write: 'assign to me, unassign',
  },
  { retired: 'on which ground', patterns: phrases('\\bon which ground\\b'), write: 'legal basis' },
  {
    retired: 'look at it again',
    patterns: phrases('\\blook at (?:it|the entry) again\\b'),
    write: 'review date, next review',
  },
  {
    retired: 'in their words',
    patterns: phrases('\\bin their words\\b'),
    write: 'message from the requester',
  },
  {
    retired: 'what happened',
    patterns: [...phrases('\\bwhat happened to users\\b'), ...labels('what happened')],
    write: 'activity, user activity log',
  },
  { retired: 'what next', patterns: labels('what next'), write: 'actions' },
  {
    retired: 'note as withdrawn',
    patterns: phrases('\\bnote as withdrawn\\b'),
    write: 'mark as withdrawn',
  },
  { retired: 'put on hold', patterns: labels('put on hold'), write: 'pause the deadline' },
  { retired: 'move its end', patterns: phrases('\\bmove its end\\b'), write: 'change expiry' },
  {
    retired: 'give it a new key',
    patterns: phrases('\\bgive it a new key\\b'),
    write: 'rotate key',
  },
  {
    retired: 'take out',
    patterns: phrases('\\b(?:take|takes|taken|taking) (?:it |them )?out\\b'),
    write: 'remove',
  },
  {
    retired: 'take a site off',
    patterns: phrases('\\btake (?:a|the|this) site off\\b'),
    write: 'deactivate a site',
  },
  {
    retired: 'well',
    patterns: labels('(?:not )?well', 'state: (?:not )?well'),
    write: 'healthy, unhealthy',
  },
  { retired: 'all is well', patterns: phrases('\\ball is well\\b'), write: 'no open issues' },
  {
    retired: 'needs a look',
    patterns: phrases('\\bneeds? a look\\b'),
    write: 'licence problem; needs review',
  },
  { retired: 'look after', patterns: labels('look after'), write: 'monitor' },
  {
    retired: 'nothing is known yet',
    patterns: phrases('\\bnothing is known yet\\b', '\\bfirst steps come first\\b'),
    write: 'get started',
  },
  { retired: 'how it stands', patterns: phrases('\\bhow it stands\\b'), write: 'status' },
  {
    retired: 'nobody knows',
    patterns: phrases('\\bnobody (?:knows|knew)\\b', '\\bknown to nobody\\b'),
    write: 'unknown',
  },
  { retired: 'name them', patterns: labels('name (?:them|it)'), write: 'identify' },
  {
    retired: 'make it a vendor',
    patterns: phrases('\\bmake (?:it|this host) a vendor\\b'),
    write: 'add as vendor',
  },
  {
    retired: 'how far',
    patterns: phrases(
      '\\bhow far (?:from the (?:home|start)|a request|is it\\b|we are|it is\\b|your request)',
    ),
    write: 'crawl depth, or request status',
  },
  {
    retired: 'a choice holds',
    patterns: phrases('\\bchoices? (?:still )?holds?\\b'),
    write: 'consent lifetime; a consent is valid',
  },
  {
    retired: 'always on',
    patterns: phrases('\\balways on\\b'),
    write: 'always active, strictly necessary',
  },
  { retired: 'programs', patterns: labels('programs'), write: 'application passwords' },
  {
    retired: 'learn of your visit',
    patterns: phrases('\\blearns? of your visit\\b'),
    write: 'this content is provided by X and may collect data about you',
  },
  {
    retired: 'show it this once',
    patterns: phrases('\\bshows? it this once\\b'),
    write: 'load once',
  },
  { retired: 'ask visitors', patterns: labels('ask visitors'), write: 'show consent banner' },
  { retired: 'save and ask this', patterns: phrases('\\bsave and ask this\\b'), write: 'publish' },
  {
    retired: 'somebody, we think you',
    patterns: phrases('\\bwe think you\\b'),
    write: 'we received a privacy request from this email address',
  },
  { retired: 'unwanted mail', patterns: phrases('\\bunwanted mail\\b'), write: 'spam folder' },
  { retired: 'run for real', patterns: phrases('\\brun for real\\b'), write: 'run now' },
  {
    retired: 'lift the hold',
    patterns: phrases('\\blift (?:the|a|this) (?:legal )?hold\\b'),
    write: 'release the legal hold',
  },
  { retired: 'days of grace', patterns: phrases('\\bdays of grace\\b'), write: 'grace period' },
  {
    retired: 'made-up',
    patterns: phrases(
      '\\bmade-up (?:decisions?|consents?|records?|visitors?|licences?|requests?)\\b',
    ),
    write: 'sample, generated',
  },
  {
    retired: 'whose data it is',
    patterns: phrases('\\bwhose data it is\\b'),
    write: 'data subjects',
  },
  {
    retired: 'what protects it there',
    patterns: phrases('\\bwhat protects it\\b'),
    write: 'safeguards',
  },
  {
    retired: 'lane',
    patterns: exact('\\b[Ff]ast ?[Ll]anes?\\b', '\\blanes?\\b'),
    write: 'fast path',
  },
  {
    retired: 'sound request',
    patterns: phrases('\\b(?:un)?sound[- ]requests?\\b', '\\bunsound\\b'),
    write: 'valid request, protocol error',
  },
  {
    retired: 'farewell',
    patterns: phrases('\\bfarewells?\\b'),
    write: 'graceful shutdown, or pending deactivation',
  },
  {
    retired: 'shut the door',
    patterns: phrases('\\b(?:shuts?|shutting) the door\\b'),
    write: 'stop accepting connections',
  },
  {
    retired: 'the desk',
    patterns: phrases('\\b(?:the|licence|licensing) desk\\b'),
    write: 'licence administration',
  },
  {
    retired: 'misfit',
    patterns: phrases('\\bmisfits?\\b', '\\bHttpRefusal\\b'),
    write: 'validation error, HttpError',
  },
  { retired: 'ApiScope', patterns: exact('\\bApiScope\\b'), write: 'ErrorFormat' },
  { retired: 'WireRequest', patterns: exact('\\bWireRequest\\b'), write: 'RawRequest' },
  { retired: 'turnstile', patterns: exact('(?<!Cloudflare )\\bTurnstile\\b'), write: 'semaphore' },
  {
    retired: 'eyes',
    patterns: exact(
      '\\b(?:open|the|its|scanner’?s?|browser’?s?|two) eyes\\b',
      '\\bEyes\\b',
      '\\bopenEyes\\b',
    ),
    write: 'scan engine',
  },
  {
    retired: 'rung, ladder',
    patterns: phrases('\\brungs?\\b', '\\bladders?\\b'),
    write: 'candidate, browser candidates',
  },
  {
    retired: 'settle',
    patterns: phrases(
      '\\b(?:page|network|site|browser|it|everything)s? (?:has |have |to )?settle[sd]?\\b',
    ),
    write: 'is idle, wait for idle',
  },
  {
    retired: 'judge',
    patterns: phrases('\\bjudg(?:e|es|ed|ing|ements?)\\b'),
    write: 'classify, check',
  },
  { retired: 'foresee', patterns: phrases('\\bforesee(?:n|s|ing)?\\b'), write: 'dry run' },
  {
    retired: 'stretch',
    patterns: phrases('\\b(?:a|the|each|every|one|next|this|these|those|two) stretch(?:es)?\\b'),
    write: 'range',
  },
  { retired: 'halves', patterns: phrases('\\bhalves\\b'), write: 'partitions' },
  {
    retired: 'sweep',
    patterns: phrases('\\bsweep(?:s|ing)?\\b', '\\bswept\\b'),
    write: 'process in batches',
  },
  {
    retired: 'lookers',
    patterns: phrases('\\blookers?\\b', '\\bassertCalm\\b'),
    write: 'rate limiter of status requests',
  },
  { retired: 'peek', patterns: phrases('\\bpeek(?:s|ed|ing)?\\b'), write: 'current' },
  { retired: 'teller', patterns: phrases('\\btellers?\\b'), write: 'formatter, event message' },
  { retired: 'bringer', patterns: phrases('\\bbringers?\\b'), write: 'initiator' },
  {
    retired: 'heed',
    patterns: phrases('\\bheed(?:s|ed|ing)?\\b'),
    write: 'apply, follow, respect',
  },
  { retired: 'whoever', patterns: phrases('\\bwhoever\\b'), write: 'the person or client that …' },
  {
    retired: 'that is to say',
    patterns: phrases('\\bthat is to say\\b', '\\bas it lies\\b'),
    write: 'leave it out',
  },
  { retired: 'e-mail', patterns: exact('\\b[Ee]-mails?\\b'), write: 'email' },
  {
    retired: 'decision 12',
    patterns: phrases('\\bdecisions? \\d+\\b'),
    write: 'the source of the rule, or the ADR',
  },
];

export interface Hit {
  file: string;
  line: number;
  found: string;
  write: string;
}

const lineAt = (text: string, at: number): number => text.slice(0, at).split('\n').length;

/** Looks for retired words in one text of a file, which begins at `start`. */
function* hitsIn(file: string, whole: string, text: string, start: number): Generator<Hit> {
  for (const { patterns, write } of RULES) {
    for (const match of patterns.flatMap((pattern) => [...text.matchAll(pattern)])) {
      const found = match[0].replace(/[\s*]+/g, ' ').trim();
      yield { file, line: lineAt(whole, start + match.index), found, write };
    }
  }
}

const isText = (node: ts.Node): node is ts.LiteralLikeNode =>
  ts.isStringLiteral(node) ||
  ts.isNoSubstitutionTemplateLiteral(node) ||
  ts.isTemplateHead(node) ||
  ts.isTemplateMiddle(node) ||
  ts.isTemplateTail(node) ||
  ts.isJsxText(node);

/** Whether a string names a module, a type or a property and so is read by no person. */
const isName = ({ parent }: ts.Node): boolean =>
  ts.isImportDeclaration(parent) ||
  ts.isExportDeclaration(parent) ||
  ts.isLiteralTypeNode(parent) ||
  ts.isModuleDeclaration(parent) ||
  ts.isElementAccessExpression(parent) ||
  (ts.isJsxAttribute(parent) &&
    /^(?:className|align|justify|key|id|type|variant)$/.test(parent.name.getText()));

/** Their strings are names of tables and columns, which migrations have fixed. */
const STORE = /(?:^|\/)(?:store|tables)\.ts$/;

/** The string literals, JSX texts and comments of a TypeScript source, each with its position. */
function textsOfSource(file: string, whole: string): Map<number, string> {
  const source = ts.createSourceFile(file, whole, ts.ScriptTarget.Latest, true);
  const texts = new Map<number, string>();
  const visit = (node: ts.Node): void => {
    if (isText(node) && !isName(node) && !STORE.test(file))
      texts.set(node.getStart(source), node.text);
    const comments = [
      ...(ts.getLeadingCommentRanges(whole, node.getFullStart()) ?? []),
      ...(ts.getTrailingCommentRanges(whole, node.getEnd()) ?? []),
    ];
    if (node.kind !== ts.SyntaxKind.JsxText)
      for (const { pos, end } of comments) texts.set(pos, whole.slice(pos, end));
    for (const child of node.getChildren(source)) visit(child);
  };
  visit(source);
  return texts;
}

/** The part of the glossary that lists the retired words themselves. */
const RETIRED_TABLE = /^## Retired words$[\s\S]*?(?=^## |(?![\s\S]))/m;

/** Every retired word in a file, whose name says how it is read. */
export function findRetiredWords(file: string, whole: string): Hit[] {
  if (/\.[cm]?[jt]sx?$/.test(file)) {
    return [...textsOfSource(file, whole)]
      .flatMap(([start, text]) => [...hitsIn(file, whole, text, start)])
      .sort((a, b) => a.line - b.line);
  }
  const blank = (table: string) => table.replace(/[^\n]/g, ' ');
  const text = file === 'docs/glossary.md' ? whole.replace(RETIRED_TABLE, blank) : whole;
  return [...hitsIn(file, whole, text, 0)].sort((a, b) => a.line - b.line);
}

const READ = /\.(?:[cm]?[jt]sx?|md|json|html|css)$/;
/** Tests and their fixtures, what others have written, and what must not change. */
const NOT_READ =
  /\.test\.tsx?$|^(?:test|bench|node_modules|src\/migrations|web\/dist|web\/demo\/vendor)\/|(?:^|\/)(?:package(?:-lock)?|tsconfig[^/]*|biome|knip)\.json$|^src\/privacy\/scanner\/browser\/consent-words\.ts$/;

/** Every retired word in the files that people read. */
function findRetiredWordsInProject(): Hit[] {
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    encoding: 'utf8',
  });
  return [...new Set(files.split('\n'))]
    .filter((file) => READ.test(file) && !NOT_READ.test(file))
    .flatMap((file) => findRetiredWords(file, readFileSync(file, 'utf8')));
}

if (import.meta.main) {
  const hits = findRetiredWordsInProject();
  for (const { file, line, found, write } of hits) {
    process.stderr.write(`${file}:${line}: "${found}" is retired, write: ${write}\n`);
  }
  if (hits.length > 0) {
    process.stderr.write(`${hits.length} retired words, see docs/glossary.md\n`);
    process.exitCode = 1;
  }
}
