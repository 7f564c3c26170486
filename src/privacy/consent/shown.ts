import type { Static } from 'typebox';
import { InvalidFieldError } from '../../platform/errors.ts';
import type { ConsentVersion, ConsentVersions, CurrentSettings } from '../settings/index.ts';
import type { ConsentDecision } from './schemas.ts';

/** The banner that the visitor saw. */
interface Shown {
  /** Null: not stated. */
  version: number | null;
  config: Pick<CurrentSettings['settings']['consent'], 'categories' | 'expiry_days'>;
}

type Statement = Pick<Static<typeof ConsentDecision>, 'config_version' | 'config_hash'>;

/**
 * Finds the banner version that a consent choice is about. Without a stated version the categories are those of the
 * current one, but the record states no version.
 * @throws InvalidFieldError with `current_version` if the version is unknown, has another hash or is no longer valid
 */
export function readShown(
  { config_version: version, config_hash: hash }: Statement,
  current: CurrentSettings,
  versions: ConsentVersions,
): Shown | Promise<Shown> {
  const { consent } = current.settings;
  if (version === undefined && hash === undefined) return { version: null, config: consent };
  if (version === current.version && hash === undefined) return { version, config: consent };
  return findShown(version, hash, current, versions);
}

async function findShown(
  version: number | undefined,
  hash: string | undefined,
  current: CurrentSettings,
  versions: ConsentVersions,
): Promise<Shown> {
  const askAgain = (parameter: keyof Statement, reason: string) =>
    new InvalidFieldError(
      parameter,
      `${reason} The current version is ${current.version}. Show it and ask again.`,
      { current_version: current.version },
    );
  if (version === undefined) {
    throw new InvalidFieldError(
      'config_hash',
      'config_hash requires the config_version to which it belongs.',
    );
  }
  // Read from the database: another node may have created it a moment ago.
  const shown = Number.isSafeInteger(version) ? await versions.find(version) : undefined;
  if (!shown) throw askAgain('config_version', `The banner has no version ${version}.`);
  if (hash !== undefined && hash !== shown.hash) {
    throw askAgain('config_hash', `config_hash does not match version ${version} of the banner.`);
  }
  if (version < current.askedSince) {
    throw askAgain('config_version', `Consent to version ${version} is no longer valid.`);
  }
  return { version, config: shown.config };
}

/** The version that a banner shows: the one it started with while consent to it is valid, else the current one. */
export async function readTextsVersion(
  begun: number | undefined,
  current: CurrentSettings,
  versions: ConsentVersions,
): Promise<Pick<ConsentVersion, 'version' | 'hash' | 'config'>> {
  const holds =
    Number.isSafeInteger(begun) && (begun as number) >= current.askedSince ? begun : undefined;
  const shown =
    (holds === undefined ? undefined : await versions.find(holds)) ??
    (await versions.find(current.version));
  if (!shown) throw new Error(`version ${current.version} of the banner is not in the database`);
  // A version that was stored before a setting existed does not have it.
  return { ...shown, config: { ...current.settings.consent, ...shown.config } };
}
