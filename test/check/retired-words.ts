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
  pattern: RegExp;
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
/** The whole of a text, as a label or the name of a button. */
const label = (source: string): RegExp => new RegExp(`^\\s*(?:${source})[.:?]?\\s*$`, 'gi');
/** Upper and lower case count. */
const exact = (source: string): RegExp => phrase(source, 'g');

export const RULES: readonly Rule[] = [
  {
    retired: 'let it wait',
    pattern: phrase('\\blet (?:it|them|all|these|this|\\S+ things?) wait\\b'),
    write: 'block until consent',
  },
  {
    retired: 'came before consent',
    pattern: phrase('\\b(?:came|come|comes|coming) before consent\\b'),
    write: 'loaded before consent',
  },
  {
    retired: 'waits for consent',
    pattern: phrase(
      '\\bwait(?:s|ed|ing)? for (?:a |the |its |their )?(?:consent|categor(?:y|ies))\\b|\\bcontent that waits\\b|\\bnot wait (?:for it )?yet\\b',
    ),
    write: 'is blocked until consent',
  },
  {
    retired: 'held back',
    pattern: phrase('\\b(?:held|hold|holds|holding) (?:\\w+ )?back\\b'),
    write: 'blocked',
  },
  { retired: 'gate', pattern: phrase('\\bgat(?:e|es|ed|ing)\\b'), write: 'block, blocking' },
  {
    retired: 'consent in figures',
    pattern: phrase('\\bconsent in figures\\b|\\ball figures\\b'),
    write: 'consent statistics',
  },
  {
    retired: 'what visitors were asked',
    pattern: phrase('\\bwhat visitors (?:were|are) asked\\b'),
    write: 'banner version, or the texts of the banner',
  },
  {
    retired: 'take it on',
    pattern: phrase('\\btake it on\\b|\\bgive it back\\b'),
    write: 'assign to me, unassign',
  },
  { retired: 'on which ground', pattern: phrase('\\bon which ground\\b'), write: 'legal basis' },
  {
    retired: 'look at it again',
    pattern: phrase('\\blook at (?:it|the entry) again\\b'),
    write: 'review date, next review',
  },
  {
    retired: 'in their words',
    pattern: phrase('\\bin their words\\b'),
    write: 'message from the requester',
  },
  {
    retired: 'what happened',
    pattern: phrase('\\bwhat happened to users\\b|^\\s*what happened\\s*$'),
    write: 'activity, user activity log',
  },
  { retired: 'what next', pattern: label('what next'), write: 'actions' },
  {
    retired: 'note as withdrawn',
    pattern: phrase('\\bnote as withdrawn\\b'),
    write: 'mark as withdrawn',
  },
  { retired: 'put on hold', pattern: label('put on hold'), write: 'pause the deadline' },
  { retired: 'move its end', pattern: phrase('\\bmove its end\\b'), write: 'change expiry' },
  { retired: 'give it a new key', pattern: phrase('\\bgive it a new key\\b'), write: 'rotate key' },
  {
    retired: 'take out',
    pattern: phrase('\\b(?:take|takes|taken|taking) (?:it |them )?out\\b'),
    write: 'remove',
  },
  {
    retired: 'take a site off',
    pattern: phrase('\\btake (?:a|the|this) site off\\b'),
    write: 'deactivate a site',
  },
  {
    retired: 'well',
    pattern: label('(?:not )?well|state: (?:not )?well'),
    write: 'healthy, unhealthy',
  },
  { retired: 'all is well', pattern: phrase('\\ball is well\\b'), write: 'no open issues' },
  {
    retired: 'needs a look',
    pattern: phrase('\\bneeds? a look\\b'),
    write: 'licence problem; needs review',
  },
  { retired: 'look after', pattern: label('look after'), write: 'monitor' },
  {
    retired: 'nothing is known yet',
    pattern: phrase('\\bnothing is known yet\\b|\\bfirst steps come first\\b'),
    write: 'get started',
  },
  { retired: 'how it stands', pattern: phrase('\\bhow it stands\\b'), write: 'status' },
  {
    retired: 'nobody knows',
    pattern: phrase('\\bnobody (?:knows|knew)\\b|\\bknown to nobody\\b'),
    write: 'unknown',
  },
  { retired: 'name them', pattern: label('name (?:them|it)'), write: 'identify' },
  {
    retired: 'make it a vendor',
    pattern: phrase('\\bmake (?:it|this host) a vendor\\b'),
    write: 'add as vendor',
  },
  {
    retired: 'how far',
    pattern: phrase(
      '\\bhow far (?:from the (?:home|start)|a request|is it\\b|we are|it is\\b|your request)',
    ),
    write: 'crawl depth, or request status',
  },
  {
    retired: 'a choice holds',
    pattern: phrase('\\bchoices? (?:still )?holds?\\b'),
    write: 'consent lifetime; a consent is valid',
  },
  {
    retired: 'always on',
    pattern: phrase('\\balways on\\b'),
    write: 'always active, strictly necessary',
  },
  { retired: 'programs', pattern: label('programs'), write: 'application passwords' },
  {
    retired: 'learn of your visit',
    pattern: phrase('\\blearns? of your visit\\b'),
    write: 'this content is provided by X and may collect data about you',
  },
  {
    retired: 'show it this once',
    pattern: phrase('\\bshows? it this once\\b'),
    write: 'load once',
  },
  { retired: 'ask visitors', pattern: label('ask visitors'), write: 'show consent banner' },
  { retired: 'save and ask this', pattern: phrase('\\bsave and ask this\\b'), write: 'publish' },
  {
    retired: 'somebody, we think you',
    pattern: phrase('\\bwe think you\\b'),
    write: 'we received a privacy request from this email address',
  },
  { retired: 'unwanted mail', pattern: phrase('\\bunwanted mail\\b'), write: 'spam folder' },
  { retired: 'run for real', pattern: phrase('\\brun for real\\b'), write: 'run now' },
  {
    retired: 'lift the hold',
    pattern: phrase('\\blift (?:the|a|this) (?:legal )?hold\\b'),
    write: 'release the legal hold',
  },
  { retired: 'days of grace', pattern: phrase('\\bdays of grace\\b'), write: 'grace period' },
  {
    retired: 'made-up',
    pattern: phrase(
      '\\bmade-up (?:decisions?|consents?|records?|visitors?|licences?|requests?)\\b',
    ),
    write: 'sample, generated',
  },
  {
    retired: 'whose data it is',
    pattern: phrase('\\bwhose data it is\\b'),
    write: 'data subjects',
  },
  {
    retired: 'what protects it there',
    pattern: phrase('\\bwhat protects it\\b'),
    write: 'safeguards',
  },
  { retired: 'lane', pattern: exact('\\b[Ff]ast ?[Ll]anes?\\b|\\blanes?\\b'), write: 'fast path' },
  {
    retired: 'sound request',
    pattern: phrase('\\b(?:un)?sound[- ]requests?\\b|\\bunsound\\b'),
    write: 'valid request, protocol error',
  },
  {
    retired: 'farewell',
    pattern: phrase('\\bfarewells?\\b'),
    write: 'graceful shutdown, or pending deactivation',
  },
  {
    retired: 'shut the door',
    pattern: phrase('\\b(?:shuts?|shutting) the door\\b'),
    write: 'stop accepting connections',
  },
  {
    retired: 'the desk',
    pattern: phrase('\\b(?:the|licence|licensing) desk\\b'),
    write: 'licence administration',
  },
  {
    retired: 'misfit',
    pattern: phrase('\\bmisfits?\\b|\\bHttpRefusal\\b'),
    write: 'validation error, HttpError',
  },
  { retired: 'ApiScope', pattern: exact('\\bApiScope\\b'), write: 'ErrorFormat' },
  { retired: 'WireRequest', pattern: exact('\\bWireRequest\\b'), write: 'RawRequest' },
  { retired: 'turnstile', pattern: exact('(?<!Cloudflare )\\bTurnstile\\b'), write: 'semaphore' },
  {
    retired: 'eyes',
    pattern: phrase(
      '\\b(?:open|the|its|scanner’?s?|browser’?s?|two) eyes\\b|\\bEyes\\b|\\bopenEyes\\b',
      'g',
    ),
    write: 'scan engine',
  },
  {
    retired: 'rung, ladder',
    pattern: phrase('\\brungs?\\b|\\bladders?\\b'),
    write: 'candidate, browser candidates',
  },
  {
    retired: 'settle',
    pattern: phrase(
      '\\b(?:page|network|site|browser|it|everything)s? (?:has |have |to )?settle[sd]?\\b',
    ),
    write: 'is idle, wait for idle',
  },
  {
    retired: 'judge',
    pattern: phrase('\\bjudg(?:e|es|ed|ing|ements?)\\b'),
    write: 'classify, check',
  },
  { retired: 'foresee', pattern: phrase('\\bforesee(?:n|s|ing)?\\b'), write: 'dry run' },
  {
    retired: 'stretch',
    pattern: phrase('\\b(?:a|the|each|every|one|next|this|these|those|two) stretch(?:es)?\\b'),
    write: 'range',
  },
  { retired: 'halves', pattern: phrase('\\bhalves\\b'), write: 'partitions' },
  {
    retired: 'sweep',
    pattern: phrase('\\bsweep(?:s|ing)?\\b|\\bswept\\b'),
    write: 'process in batches',
  },
  {
    retired: 'lookers',
    pattern: phrase('\\blookers?\\b|\\bassertCalm\\b'),
    write: 'rate limiter of status requests',
  },
  { retired: 'peek', pattern: phrase('\\bpeek(?:s|ed|ing)?\\b'), write: 'current' },
  { retired: 'teller', pattern: phrase('\\btellers?\\b'), write: 'formatter, event message' },
  { retired: 'bringer', pattern: phrase('\\bbringers?\\b'), write: 'initiator' },
  { retired: 'heed', pattern: phrase('\\bheed(?:s|ed|ing)?\\b'), write: 'apply, follow, respect' },
  { retired: 'whoever', pattern: phrase('\\bwhoever\\b'), write: 'the person or client that …' },
  {
    retired: 'that is to say',
    pattern: phrase('\\bthat is to say\\b|\\bas it lies\\b'),
    write: 'leave it out',
  },
  { retired: 'e-mail', pattern: exact('\\b[Ee]-mails?\\b'), write: 'email' },
  {
    retired: 'decision 12',
    pattern: phrase('\\bdecisions? \\d+\\b'),
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
  for (const { pattern, write } of RULES) {
    for (const match of text.matchAll(pattern)) {
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
