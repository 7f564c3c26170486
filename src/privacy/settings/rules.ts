import type { Static } from 'typebox';
import { readEmail } from '../../platform/email-address.ts';
import { InvalidFieldError } from '../../platform/errors.ts';
import { isOrigin } from '../../platform/http/host-name.ts';
import { getCronProblem } from '../../platform/jobs/cron.ts';
import { updateAppearance } from './banner/appearance/rules.ts';
import { ASK_AGAIN_REASONS, type ConsentConfig, SIGNALS } from './banner/schemas.ts';
import type { SettingsUpdate, SiteSettings } from './schemas.ts';

/** The name in which the site sends emails; empty if neither is set. */
export const getSenderName = ({ mail, controller }: SiteSettings): string =>
  mail.from_name || controller.name;

/** Settings that are an email address or empty. */
const ADDRESSES = [
  ['mail', 'reply_to'],
  ['controller', 'email'],
  ['controller', 'dpo_email'],
] as const;

export const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

type ConsentUpdate = NonNullable<Static<typeof SettingsUpdate>['consent']>;

/** The changed settings of the banner, in full: `regimes` and `appearance` may be given in part. */
export function toChanges(
  before: ConsentConfig,
  { ask_again_on: reasons, signals, regimes, appearance, ...update }: ConsentUpdate,
): Partial<ConsentConfig> {
  return {
    ...update,
    // Each reason and signal once and in a fixed order, because a banner version must not differ by order alone.
    ...(reasons && { ask_again_on: ASK_AGAIN_REASONS.filter((each) => reasons.includes(each)) }),
    ...(signals && { signals: SIGNALS.filter((each) => signals.includes(each)) }),
    ...(regimes && { regimes: { ...before.regimes, ...regimes } }),
    ...(appearance && { appearance: updateAppearance(before.appearance, appearance) }),
  };
}

/** The update with normalised email addresses, see `readEmail`. */
export function normaliseAddresses(
  update: Static<typeof SettingsUpdate>,
): Static<typeof SettingsUpdate> {
  const read: Static<typeof SettingsUpdate> = { ...update };
  for (const [section, field] of ADDRESSES) {
    const text = (read[section] as Record<string, string> | undefined)?.[field]?.trim();
    if (text === undefined) continue;
    const address = text === '' ? '' : readEmail(text);
    if (address === undefined) {
      const message = `${section}[${field}] must be one email address, for example privacy@example.com, or empty.`;
      throw new InvalidFieldError(section, message);
    }
    read[section] = { ...read[section], [field]: address };
  }
  return read;
}

/** An origin must be written as in the `Origin` header, with which it is compared. */
export function assertOrigin(text: string): void {
  if (isOrigin(text)) return;
  const url = URL.parse(/^[a-z][a-z\d+.-]*:\//i.test(text) ? text : `https://${text}`);
  const example = url && isOrigin(url.origin) ? url.origin : 'https://shop.example.com';
  throw new InvalidFieldError(
    'origins',
    `origins[allowed] must hold origins: scheme, host and port, without path and wildcards. Write ${example} instead of ${text}.`,
  );
}

export function assertCron(expression: string | undefined): void {
  const problem = expression === undefined ? undefined : getCronProblem(expression);
  if (problem) throw new InvalidFieldError('scanner', `scanner[schedule][cron]: ${problem}`);
}

/** @param before the settings that are changed; an older version let `functional` be optional */
export function assertCategories({ categories }: ConsentConfig, before: ConsentConfig): void {
  const ids = categories.map(({ id }) => id);
  const twice = ids.find((id, at) => ids.indexOf(id) !== at);
  if (twice !== undefined)
    throw new InvalidFieldError('consent', `Category ids must be unique. ${twice} is used twice.`);
  if (!categories.some(({ required }) => required)) {
    throw new InvalidFieldError(
      'consent',
      'At least one category must be required: the strictly necessary one.',
    );
  }
  if (hasOptionalFunctional(categories) && !hasOptionalFunctional(before.categories)) {
    throw new InvalidFieldError(
      'consent',
      'The category functional must be required: the scanner and the vendor library take it for the strictly necessary one. Give an optional category another id.',
    );
  }
}

const hasOptionalFunctional = (categories: ConsentConfig['categories']): boolean =>
  categories.some(({ id, required }) => id === 'functional' && !required);
