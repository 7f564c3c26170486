import type { Static } from 'typebox';
import { InvalidFieldError } from '../../../platform/errors.ts';
import {
  addNewTexts,
  type ConsentVersion,
  type ConsentVersions,
  type CurrentSettings,
} from '../../settings/index.ts';
import type { ConsentDecision } from '../schemas.ts';

/** The banner that the visitor saw. */
interface ShownBanner {
  /** Null: not stated. */
  version: number | null;
  config: Pick<CurrentSettings['settings']['consent'], 'categories' | 'expiry_days'>;
}

type Statement = Pick<Static<typeof ConsentDecision>, 'config_version' | 'config_hash'>;

/**
 * Finds the banner version that a consent choice is about. Without a stated version the categories are those of the
 * current one, but the record states no version.
 * @returns a promise only if the version has to be read
 * @throws InvalidFieldError with `current_version` if the version is unknown, has another hash or is no longer valid
 */
export function readShownVersion(
  { config_version: version, config_hash: hash }: Statement,
  current: CurrentSettings,
  versions: ConsentVersions,
): ShownBanner | Promise<ShownBanner> {
  const { consent: config } = current.settings;
  if (hash !== undefined || (version !== undefined && version !== current.version))
    return findShownVersion(version, hash, current, versions);
  return { version: version ?? null, config };
}

async function findShownVersion(
  version: number | undefined,
  hash: string | undefined,
  current: CurrentSettings,
  versions: ConsentVersions,
): Promise<ShownBanner> {
  const askAgain = (field: keyof Statement, reason: string) =>
    new InvalidFieldError(
      field,
      `${reason} The current version is ${current.version}. Show it and ask again.`,
      { current_version: current.version },
    );
  if (version === undefined) {
    const message = 'config_hash requires the config_version to which it belongs.';
    throw new InvalidFieldError('config_hash', message);
  }
  // Read from the database: another node may have created it a moment ago.
  const shown = Number.isSafeInteger(version) ? await versions.find(version) : undefined;
  if (!shown) throw askAgain('config_version', `The banner has no version ${version}.`);
  if (hash !== undefined && !shown.hash.startsWith(hash))
    throw askAgain('config_hash', `config_hash does not match version ${version} of the banner.`);
  if (version < current.askedSince)
    throw askAgain('config_version', `Consent to version ${version} is no longer valid.`);
  return { version, config: shown.config };
}

/** The version of a banner that is open, if consent to it is still valid; otherwise the current one. */
export async function readTextsVersion(
  opened: number | undefined,
  current: CurrentSettings,
  versions: ConsentVersions,
): Promise<Pick<ConsentVersion, 'version' | 'hash' | 'config'>> {
  const isValid =
    opened !== undefined && Number.isSafeInteger(opened) && opened >= current.askedSince;
  const shown =
    (isValid && (await versions.find(opened))) || (await versions.find(current.version));
  if (!shown) throw new Error(`version ${current.version} of the banner is not in the database`);
  // A version that was stored before a setting existed does not have it.
  const config = { ...current.settings.consent, ...shown.config };
  return { ...shown, config: await addNewTexts(config, shown.config) };
}
