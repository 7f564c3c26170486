import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findRetiredWords, RULES } from './retired-words.ts';

const GLOSSARY = readFileSync(join(import.meta.dirname, '../../docs/glossary.md'), 'utf8');

/** One use of each retired word, in the order of the rules. */
const USES: Record<string, string> = {
  'let it wait': 'Let it wait',
  'came before consent': '3 resources came before consent.',
  'waits for consent': 'A script that waits for consent.',
  'held back': 'It is held back by its type.',
  gate: 'Gated scripts.',
  'consent in figures': 'Consent in figures',
  'what visitors were asked': 'What visitors were asked',
  'take it on': 'Take it on',
  'on which ground': 'On which ground',
  'look at it again': 'Look at it again on',
  'in their words': 'In their words',
  'what happened': 'What happened to users',
  'what next': 'What next',
  'note as withdrawn': 'Note as withdrawn',
  'put on hold': 'Put on hold',
  'move its end': 'Move its end',
  'give it a new key': 'Give it a new key',
  'take out': 'Take out',
  'take a site off': 'Take a site off',
  well: 'State: Well',
  'all is well': 'All is well.',
  'needs a look': 'The licence needs a look.',
  'look after': 'Look after',
  'nothing is known yet': 'Nothing is known yet.',
  'how it stands': 'How it stands',
  'nobody knows': 'Hosts that nobody knows',
  'name them': 'Name them',
  'make it a vendor': 'Make it a vendor',
  'how far': 'How far from the home page',
  'a choice holds': 'A choice holds, in days',
  'always on': 'Always on, not asked',
  programs: 'Programs',
  'learn of your visit': 'They would learn of your visit.',
  'show it this once': 'Show it this once',
  'ask visitors': 'Ask visitors',
  'save and ask this': 'Save and ask this',
  'somebody, we think you': 'Somebody, we think you, has sent a request.',
  'unwanted mail': 'Look among the unwanted mail.',
  'run for real': 'Run for real',
  'lift the hold': 'Lift the hold',
  'days of grace': 'Days of grace',
  'made-up': 'Fills the database with made-up decisions.',
  'whose data it is': 'Whose data it is',
  'what protects it there': 'What protects it there',
  lane: 'The fast lane',
  'sound request': 'An unsound request',
  farewell: 'Sends the farewells',
  'shut the door': 'Shuts the door',
  'the desk': 'At the desk',
  misfit: 'A misfit',
  ApiScope: 'See ApiScope',
  WireRequest: 'See WireRequest',
  turnstile: 'The Turnstile lets few through.',
  eyes: 'The eyes of the scanner: its eyes',
  'rung, ladder': 'The next rung',
  settle: 'Until the page has settled',
  judge: 'Judges what was found',
  foresee: 'Foresees the run',
  stretch: 'Reads a stretch of ids',
  halves: 'Both halves',
  sweep: 'Sweeps old rows',
  lookers: 'Too many lookers',
  peek: 'Peeks at the settings',
  teller: 'The tellers of events',
  bringer: 'The bringer of a script',
  heed: 'Heeds the registry',
  whoever: 'For whoever asks',
  'that is to say': 'That is to say, none.',
  'e-mail': 'Your e-mail address',
  'decision 12': 'As decision 12 rules',
};

const found = (file: string, text: string) => findRetiredWords(file, text).map(({ line }) => line);

describe('The check for retired words', () => {
  it('has a use of every rule', () => {
    expect(Object.keys(USES)).toEqual(RULES.map(({ retired }) => retired));
  });

  it.each(Object.entries(USES))('finds "%s" in texts, comments and documentation', (_, use) => {
    const text = JSON.stringify(use);
    expect(found('src/a.ts', `const a = 1;\nconst text = ${text};\n`)).toContain(2);
    expect(found('web/a.tsx', `const a = <p>{a}</p>;\nconst b = <p>${use}</p>;\n`)).toContain(2);
    expect(
      found('src/a.json', `{\n"a": ${text}}`).length + found('docs/a.md', use).length,
    ).not.toBe(0);
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
