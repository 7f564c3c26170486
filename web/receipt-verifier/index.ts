import { isZip, type VerifiedBundle, verifyBundle } from './bundle.ts';
import { LANGUAGES, type Texts } from './texts.ts';
import { type Verified, VerifyError, verifyReceipt } from './verify.ts';

const EARLIER_DECISION = 7;
const PROBLEMS_SHOWN = 50;

const find = <T extends Element>(selector: string) => document.querySelector<T>(selector) as T;
const input = find<HTMLInputElement>('#file');
const keys = find<HTMLTextAreaElement>('#keys');
const drop = find<HTMLElement>('#drop');
const result = find<HTMLElement>('#result');

let language = navigator.language.startsWith('de') ? 'de' : 'en';
/** A receipt or a bundle. */
let chosen: File | undefined;
/** The check that is shown; an earlier one that ends later is not. */
let latest = 0;

const texts = (): Texts => LANGUAGES[language] as Texts;

function make(name: string, ...children: (Node | string)[]): HTMLElement {
  const element = document.createElement(name);
  element.append(...children);
  return element;
}

function translate(): void {
  document.documentElement.lang = language;
  document.title = texts().title;
  for (const element of document.querySelectorAll<HTMLElement>('[data-text]'))
    element.textContent = texts()[element.dataset.text as 'title'];
  for (const button of document.querySelectorAll<HTMLElement>('[data-language]'))
    button.ariaPressed = String(button.dataset.language === language);
}

function show(isValid: boolean, heading: string, ...children: Node[]): void {
  const title = make('h2', `${isValid ? '✓' : '✗'} ${heading}`);
  title.tabIndex = -1;
  result.dataset.valid = isValid ? 'yes' : 'no';
  result.replaceChildren(title, ...children);
}

async function check(): Promise<void> {
  const number = ++latest;
  const { broken, bundleBroken, choose, faults, unsupported, unreadable } = texts();
  const file = chosen;
  if (file === undefined) {
    show(false, choose);
    input.focus();
    return;
  }
  const given = keys.value.split(/\s+/).filter(Boolean);
  let isBundle = false;
  try {
    isBundle = await isZip(file);
    if (isBundle) {
      const bundle = await verifyBundle(file, given, (records) => {
        if (number === latest) showProgress(records);
      });
      if (number === latest) showBundle(bundle);
      return;
    }
    const verified = await verifyReceipt(await file.text(), given);
    if (number === latest) showVerified(verified);
  } catch (error) {
    if (number !== latest) return;
    if (error instanceof VerifyError)
      show(false, isBundle ? bundleBroken : broken, make('p', faults[error.fault]));
    // WebCrypto without Ed25519, or a page that is served without HTTPS and has no WebCrypto.
    else if (!globalThis.crypto?.subtle || (error as Error).name === 'NotSupportedError')
      show(false, unsupported);
    else show(false, unreadable);
  }
}

function showProgress(records: number): void {
  delete result.dataset.valid;
  result.replaceChildren(
    make('p', texts().checking(new Intl.NumberFormat(getLocale()).format(records))),
  );
}

/** British English, as the rest of Pavis, whatever the browser prefers. */
const getLocale = (): string => (language === 'en' ? 'en-GB' : language);

/** In UTC, so that the same receipt reads the same everywhere, for example `28 November 2026, 11:25 UTC`. */
function formatMoment(moment: Date): string {
  const inUtc = { timeZone: 'UTC' } as const;
  const day = new Intl.DateTimeFormat(getLocale(), { ...inUtc, dateStyle: 'long' });
  const time = new Intl.DateTimeFormat('en-GB', { ...inUtc, timeStyle: 'short' });
  return `${day.format(moment)}, ${time.format(moment)} UTC`;
}

function showBundle(bundle: VerifiedBundle): void {
  const words = texts();
  const { problems, notLogged, anonymised, earlier, witnesses, from, to } = bundle;
  const format = new Intl.NumberFormat(getLocale()).format;
  const notes = [
    words.proven(format(bundle.records - notLogged), format(bundle.records)),
    ...(anonymised > 0 ? [words.anonymised(format(anonymised))] : []),
    ...(earlier > 0 ? [words.earlierRecords(format(earlier))] : []),
    ...(notLogged > 0 ? [words.notLogged(format(notLogged))] : []),
    words.banners(format(bundle.versions), format(bundle.pictures)),
    words.complete,
    bundle.isKeyKnown ? words.keyKnown : words.bundleKeyUnknown,
    ...listWitnessNotes(witnesses),
  ];
  const faulty = problems
    .slice(0, PROBLEMS_SHOWN)
    .map(({ path, line, fault }) =>
      make('li', `${path}${line ? `, ${words.line(line)}` : ''}: ${words.problems[fault]}`),
    );
  const list = make('dl');
  for (const [name, value] of [
    [words.period, `${from} – ${to}`],
    [words.log, `${bundle.origin}, ${format(bundle.size)}`],
    [words.key, bundle.key],
  ] as const)
    list.append(make('dt', name), make('dd', value));
  if (problems.length > 0) {
    const heading = `${words.bundleBroken}. ${words.problemCount(format(problems.length))}`;
    show(false, heading, make('ul', ...faulty), list);
    return;
  }
  const heading = notLogged > 0 ? words.bundlePartly : words.bundleValid;
  show(
    notLogged === 0,
    heading,
    make('h3', words.checked),
    make('ul', ...notes.map((note) => make('li', note))),
    list,
  );
}

function listWitnessNotes(witnesses: Verified['witnesses']): string[] {
  const words = texts();
  return witnesses.length > 0
    ? witnesses.map(({ name, time: at }) => words.witness(name, formatMoment(new Date(at * 1_000))))
    : [words.noWitness];
}

function showVerified(verified: Verified): void {
  const words = texts();
  const { statement, personal, facts, kind, index, size, witnesses } = verified;
  const number = new Intl.NumberFormat(getLocale());
  const toTime = (moment: unknown) => formatMoment(new Date(String(moment)));
  const notes = [
    words.entry,
    words.inclusion(number.format(index + 1), number.format(size)),
    words.signed,
    verified.isKeyKnown ? words.keyKnown : words.keyUnknown,
    ...listWitnessNotes(witnesses),
    ...(kind === EARLIER_DECISION ? [words.earlier] : []),
    ...(verified.isEmbedded ? [words.html] : []),
  ];
  const notice = statement['dpv:hasNotice'] as Record<string, string> | undefined;
  const controller = statement['dpv:hasDataController'] as Record<string, string> | undefined;
  const rows: [name: string, value: unknown][] = [
    ...listChoices(words, verified),
    [words.when, toTime(personal.created_at)],
    [words.expires, toTime(personal.expires_at)],
    [words.page, personal.page_url],
    [
      words.banner,
      notice
        ? `${notice['dct:identifier']}: ${notice['dct:title']} – ${notice['dct:description']}`
        : (facts.config_version ?? words.unstated),
    ],
    [words.optOut, notice?.['pavis:optOutDescription']],
    [words.controller, controller?.['dpv:hasName']],
    [words.number, facts.id],
    [words.visitor, personal.visitor_id],
    [words.log, verified.origin],
    [words.key, statement['pavis:key']],
  ];
  const list = make('dl');
  for (const [name, value] of rows)
    if (value !== undefined && value !== '')
      list.append(make('dt', name), make('dd', String(value)));
  show(
    true,
    verified.isEmbedded ? words.validPage : words.valid,
    make('h3', words.checked),
    make('ul', ...notes.map((note) => make('li', note))),
    make('h3', words.says),
    list,
  );
}

/** What the record says, with the names that the banner had for the categories. */
function listChoices(words: Texts, { statement, facts }: Verified): [string, string][] {
  const purposes = statement['dpv:hasPurpose'] as Record<string, string>[];
  const toName = (id: string) =>
    purposes.find((each) => each['dct:identifier'] === id)?.['dct:title'] ?? id;
  const isRequired = (id: string) =>
    purposes.some(
      (each) => each['dct:identifier'] === id && each['dpv:hasContext'] === 'dpv:Required',
    );
  const list = (ids: string[]) => ids.map(toName).join(', ') || words.none;
  const accepted = facts.categories_accepted as string[];
  const required = accepted.filter(isRequired);
  return [
    [words.accepted, list(accepted.filter((id) => !isRequired(id)))],
    [words.rejected, list(facts.categories_rejected as string[])],
    ...listVendors(words.vendorsAccepted, facts.vendors_accepted),
    ...listVendors(words.vendorsRejected, facts.vendors_rejected),
    ...(required.length > 0 ? [[words.required, list(required)] as [string, string]] : []),
  ];
}

const listVendors = (label: string, slugs: unknown): [string, string][] =>
  slugs ? [[label, (slugs as string[]).join(', ')]] : [];

async function take(file: File | undefined): Promise<void> {
  if (!file) return;
  chosen = file;
  await check();
}

input.addEventListener('change', () => take(input.files?.[0]));
find('#check').addEventListener('click', async () => {
  await check();
  result.querySelector('h2')?.focus();
});
// What is shown is the result with other keys.
keys.addEventListener('input', () => {
  latest += 1;
  delete result.dataset.valid;
  result.replaceChildren();
});
for (const event of ['dragover', 'dragleave', 'drop'] as const) {
  addEventListener(event, (dragged) => {
    dragged.preventDefault();
    drop.toggleAttribute('data-over', event === 'dragover');
    if (event === 'drop') void take(dragged.dataTransfer?.files[0]);
  });
}
for (const button of document.querySelectorAll<HTMLElement>('[data-language]')) {
  button.addEventListener('click', () => {
    language = button.dataset.language ?? 'en';
    translate();
    if (chosen !== undefined) void check();
  });
}
translate();
