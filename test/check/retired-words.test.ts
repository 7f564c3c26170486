import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findRetiredWords, RULES } from './retired-words.ts';

const GLOSSARY = readFileSync(join(import.meta.dirname, '../../docs/glossary.md'), 'utf8');

/** A use of each pattern of each rule, in their order. */
const USES: Record<string, string[]> = {
  'let it wait': ['Let it wait'],
  'came before consent': ['3 resources came before consent.'],
  'waits for consent': [
    'A script that waits for consent.',
    'Content that waits.',
    'It does not wait for it yet.',
  ],
  'held back': ['It is held back by its type.'],
  gate: ['Gated scripts.'],
  'consent in figures': ['Consent in figures', 'All figures'],
  'custom selection': ['A custom selection'],
  'what visitors were asked': ['What visitors were asked'],
  'take it on': ['Take it on', 'Give it back'],
  'on which ground': ['On which ground'],
  'look at it again': ['Look at it again on'],
  'in their words': ['In their words'],
  'what happened': ['What happened to users', 'What happened'],
  'what next': ['What next'],
  'note as withdrawn': ['Note as withdrawn'],
  'put on hold': ['Put on hold'],
  'move its end': ['Move its end'],
  'give it a new key': ['Give it a new key'],
  'take out': ['Take out'],
  'take a site off': ['Take a site off'],
  well: ['Not well', 'State: Well'],
  'all is well': ['All is well.'],
  'needs a look': ['The licence needs a look.'],
  'look after': ['Look after'],
  'nothing is known yet': ['Nothing is known yet.', 'The first steps come first.'],
  'how it stands': ['How it stands'],
  'nobody knows': ['Hosts that nobody knows', 'It is known to nobody.'],
  'name them': ['Name them'],
  'make it a vendor': ['Make it a vendor'],
  'how far': ['How far from the home page'],
  'a choice holds': ['A choice holds, in days'],
  'always on': ['Always on, not asked'],
  programs: ['Programs'],
  'learn of your visit': ['They would learn of your visit.'],
  'show it this once': ['Show it this once'],
  'ask visitors': ['Ask visitors'],
  'save and ask this': ['Save and ask this'],
  'somebody, we think you': ['Somebody, we think you, has sent a request.'],
  'unwanted mail': ['Look among the unwanted mail.'],
  'run for real': ['Run for real'],
  'lift the hold': ['Lift the hold'],
  'days of grace': ['Days of grace'],
  'made-up': ['Fills the database with made-up decisions.'],
  'whose data it is': ['Whose data it is'],
  'what protects it there': ['What protects it there'],
  lane: ['The fast lane', 'One lane for each'],
  'sound request': ['An unsound request', 'It is unsound.'],
  farewell: ['Sends the farewells'],
  'shut the door': ['Shuts the door'],
  'the desk': ['At the desk'],
  misfit: ['A misfit', 'An HttpRefusal'],
  ApiScope: ['See ApiScope'],
  WireRequest: ['See WireRequest'],
  turnstile: ['The Turnstile lets few through.'],
  eyes: ['It has two eyes.', 'The class Eyes', 'See openEyes'],
  'rung, ladder': ['The next rung', 'The ladder of browsers'],
  settle: ['Until the page has settled'],
  judge: ['Judges what was found'],
  foresee: ['Foresees the run'],
  stretch: ['Reads a stretch of ids'],
  halves: ['Both halves'],
  sweep: ['Sweeps old rows', 'Old rows are swept.'],
  lookers: ['Too many lookers', 'See assertCalm'],
  peek: ['Peeks at the settings'],
  teller: ['The tellers of events'],
  bringer: ['The bringer of a script'],
  heed: ['Heeds the registry'],
  whoever: ['For whoever asks'],
  'that is to say': ['That is to say, none.', 'The file as it lies there'],
  'e-mail': ['Your e-mail address'],
  'decision 12': ['As decision 12 rules'],
};

const found = (file: string, text: string) => findRetiredWords(file, text).map(({ line }) => line);
/** Runs the check as `npm run check` does, on a project of these files. */
function runCheck(files: Record<string, string>) {
  const project = mkdtempSync(join(tmpdir(), 'pavis-words-'));
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(project, name), text);
    execFileSync('git', ['init', '--quiet'], { cwd: project });
    const { status, stderr } = spawnSync(
      process.execPath,
      [join(import.meta.dirname, 'retired-words.ts')],
      { cwd: project, encoding: 'utf8' },
    );
    return { status, lines: stderr.trim().split('\n') };
  } finally {
    rmSync(project, { recursive: true });
  }
}

describe('The check for retired words', () => {
  it('has a use of each pattern of each rule', () => {
    expect(Object.keys(USES)).toEqual(RULES.map(({ retired }) => retired));
    for (const { retired, patterns } of RULES) {
      const uses = USES[retired] ?? [];
      expect(uses.length, retired).toBe(patterns.length);
      for (const [at, { source, flags }] of patterns.entries())
        expect(uses[at], retired).toMatch(new RegExp(source, flags));
    }
  });

  const all = RULES.flatMap(({ retired, write }) =>
    (USES[retired] ?? []).map((use) => ({ use, write })),
  );

  it.each(all)('finds "$use" in texts, comments and documentation', ({ use, write }) => {
    const text = JSON.stringify(use);
    const hit = expect.objectContaining({ line: 2, write });
    const source = `const a = 1;\nconst text = ${text};\n`;
    expect(findRetiredWords('src/a.ts', source)).toContainEqual(hit);
    const screen = `const a = <p>{a}</p>;\nconst b = <p>${use}</p>;\n`;
    expect(findRetiredWords('web/a.tsx', screen)).toContainEqual(hit);
    const others = [
      ...findRetiredWords('src/a.json', `{\n"a": ${text}}`),
      ...findRetiredWords('docs/a.md', use),
    ];
    expect(others).toContainEqual(expect.objectContaining({ write }));
  });

  it('fails for each use, with what to write instead', () => {
    const files = Object.fromEntries(
      all.map(({ use }, at) => [`use-${at}.ts`, `export const text = ${JSON.stringify(use)};\n`]),
    );
    const { status, lines } = runCheck(files);
    expect(status).toBe(1);
    for (const [at, { write }] of all.entries()) {
      const own = lines.filter((line) => line.startsWith(`use-${at}.ts:1: `));
      expect(own.join('\n'), all[at]?.use).toContain(`is retired, write: ${write}`);
    }
    expect(runCheck({ 'a.ts': "export const text = 'Blocked until consent';\n" })).toEqual({
      status: 0,
      lines: [''],
    });
  });

  it('finds words in comments, across lines and between the parts of a template', () => {
    expect(
      found('src/a.ts', '/**\n * A script that waits\n * for consent.\n */\nconst a = 1;'),
    ).toEqual([2]);
    expect(found('src/a.ts', 'function a() {\n  return 1;\n  // For whoever asks.\n}')).toEqual([
      3,
    ]);
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the source of a template
    expect(found('src/a.ts', 'const a = `The ${b}\nis held back`;')).toEqual([2]);
  });

  it('says what to write instead', () => {
    expect(findRetiredWords('docs/a.md', 'Send an e-mail.')).toEqual([
      { file: 'docs/a.md', line: 1, found: 'e-mail', write: 'email' },
    ]);
  });

  it.each([
    'The payment settles within two days. Settle a payment.',
    'Promise.allSettled waits until all promises have settled.',
    'This works well. The gateway answers. Cloudflare Turnstile is a vendor.',
    'A customised choice is valid for 365 days. Delegate it. Investigate.',
    'Blocked until consent. Loaded before consent. Stretched to the width.',
    'Datenschutzerklärung und E-Mail-Adresse',
  ])('passes clean texts: %s', (text) => {
    expect(findRetiredWords('src/a.ts', `const a = ${JSON.stringify(text)}; // ${text}`)).toEqual(
      [],
    );
    expect(findRetiredWords('docs/a.md', text)).toEqual([]);
  });

  it('does not read identifiers, the names of modules and types', () => {
    const source = "import { gate } from './gate.ts';\nconst whoever: 'judge' = gate.peek();\n";
    expect(findRetiredWords('src/a.ts', source)).toEqual([]);
  });

  it('finds every rule in the table of the glossary, which is the one part that may name them', () => {
    const listed = GLOSSARY.slice(GLOSSARY.indexOf('## Retired words'));
    for (const { retired, write } of RULES) expect(listed).toContain(`| ${retired} | ${write} |`);
    expect(findRetiredWords('docs/glossary.md', GLOSSARY)).toEqual([]);
    expect(findRetiredWords('docs/other.md', GLOSSARY).length).toBeGreaterThan(RULES.length / 2);
  });
});
