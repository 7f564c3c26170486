import type { Static, TObject } from 'typebox';
import type { Db } from '../../../platform/db/index.ts';
import { InvalidFieldError } from '../../../platform/errors.ts';
import { toStrongTag } from '../../../platform/http/entity-tags.ts';
import { coerce } from '../../../platform/rest/coerce.ts';
import { type Asked, findReasonsToAskAgain } from '../banner/asked.ts';
import { findLanguageTexts } from '../banner/languages/index.ts';
import { toChanges } from '../rules.ts';
import { SettingsUpdate, type SiteSettings } from '../schemas.ts';
import {
  type CurrentSettings,
  changeSettings,
  readSettings,
  type SettingsChange,
  type SettingsScope,
} from '../service.ts';
import { listChanges } from './changes.ts';
import { Draft, toLanguage } from './draft.ts';
import { type ImportedFile, readFile } from './formats.ts';
import { ImportReport } from './report.ts';
import {
  IMPORT_MAX_LENGTH,
  IMPORT_OUTCOMES,
  type ImportProposal,
  type ImportResult,
  type SettingsImportRequest,
} from './schemas.ts';
import { type Shipped, toConsentUpdate } from './update.ts';

/** Finds the slug of the vendor that a cookie, service or script belongs to. */
export type FindVendor = (proposal: ImportProposal) => string | null;

/** What an import needs besides the settings. */
export interface ImportScope extends SettingsScope {
  /** Reads the known vendors. */
  readVendors: (db: Db) => Promise<FindVendor>;
}

type ImportRequest = Static<typeof SettingsImportRequest>;

/** Reports have a line for each part of a file. No banner has this many. */
const LINES_MAX = 5_000;

/**
 * Imports the settings of another banner, or reports what an import would do.
 * @throws InvalidFieldError for a content that is not an export of a known banner; what `changeSettings` throws
 */
export async function importSettings(
  scope: ImportScope,
  { content, format, language, apply = false }: ImportRequest,
  change: SettingsChange,
): Promise<{ result: ImportResult; etag: string }> {
  assertRequest({ content, language });
  const { db } = scope.platform.datastore;
  const before = await readSettings(db, scope.restRoot());
  const file = readFile(content, format);
  const result = await readImport(file, before.settings, { siteUrl: scope.siteUrl(), language });
  const findVendor = await scope.readVendors(db);
  const proposals = result.proposals.map((each) => ({ ...each, vendor: findVendor(each) }));
  const reasons = listReasons(before, result.update, await scope.readAsked(db));
  const etag = toStrongTag(before.settings);
  // The update has whole lists, so it must not meet settings that have changed meanwhile.
  const after = apply
    ? await changeSettings(scope, result.update, { ...change, ifMatch: change.ifMatch ?? etag })
    : before;
  return {
    result: { ...result, proposals, applied: apply, asks_again_because: reasons },
    etag: toStrongTag(after.settings),
  };
}

/** The command line has no schema that checks them. */
function assertRequest({ content, language }: { content: string; language: string | undefined }) {
  if (content.length > IMPORT_MAX_LENGTH) {
    const message = `The content must have at most ${IMPORT_MAX_LENGTH} characters. It has ${content.length}.`;
    throw new InvalidFieldError('content', message);
  }
  if (language === undefined || toLanguage(language) !== undefined) return;
  throw new InvalidFieldError('language', 'The language must be a tag, for example de or pt-BR.');
}

/** Reads a file as an update of the settings. */
export async function readImport(
  { id, format, root }: ImportedFile,
  { consent }: SiteSettings,
  { siteUrl, language }: { siteUrl: string; language?: string | undefined },
) {
  const first =
    format.findLanguage(root) ?? toLanguage(language ?? '') ?? consent.languages[0] ?? 'en';
  const draft = new Draft(new ImportReport(), { first, siteUrl });
  format.read(root, draft);
  const update = toUpdate(draft, consent, await readShipped([first, ...draft.texts.keys()]));
  const report = draft.report.list(root);
  if (report.length > LINES_MAX) {
    const message = `The content has more than ${LINES_MAX} lines. Remove what does not concern the banner.`;
    throw new InvalidFieldError('content', message);
  }
  const count = (outcome: string) => report.filter((line) => line.outcome === outcome).length;
  return {
    format: id,
    counts: Object.fromEntries(
      IMPORT_OUTCOMES.map((outcome) => [outcome, count(outcome)]),
    ) as ImportResult['counts'],
    report,
    notes: draft.notes,
    update,
    changes: listChanges(consent, { ...consent, ...update.consent }, 'consent'),
    proposals: [...draft.proposals.values()],
  };
}

/** Formats a draft as a body of `PUT /settings`. */
function toUpdate(draft: Draft, consent: SiteSettings['consent'], shipped: Shipped) {
  const changed = toConsentUpdate(draft, consent, shipped);
  const update = Object.keys(changed).length > 0 ? { consent: changed } : {};
  const checked = coerce('update', update, SettingsUpdate as TObject);
  if ('error' in checked) throw new InvalidFieldError('content', checked.error.message);
  return checked.value as Static<typeof SettingsUpdate>;
}

async function readShipped(languages: readonly string[]): Promise<Shipped> {
  const found = await Promise.all(
    [...new Set(languages)].map(async (tag) => [tag, await findLanguageTexts(tag)] as const),
  );
  return new Map(found.flatMap(([tag, texts]) => (texts ? [[tag, texts]] : [])));
}

function listReasons(
  { settings }: CurrentSettings,
  { consent }: Static<typeof SettingsUpdate>,
  asked: Asked,
): string[] {
  const config = { ...settings.consent, ...toChanges(settings.consent, consent ?? {}) };
  return findReasonsToAskAgain({ config: settings.consent, asked }, { config, asked }).filter(
    (reason) => config.ask_again_on.includes(reason),
  );
}
