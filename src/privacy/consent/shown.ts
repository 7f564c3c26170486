import type { Static } from 'typebox';
import { invalidParam } from '../../platform/rest/errors.ts';
import type { ConsentVersion, ConsentVersions, CurrentSettings } from '../settings/index.ts';
import type { ConsentDecision } from './schemas.ts';

/** What the visitor saw when deciding. */
interface Shown {
  /** Null: not stated. */
  version: number | null;
  config: Pick<CurrentSettings['settings']['consent'], 'categories' | 'expiry_days'>;
}

type Statement = Pick<Static<typeof ConsentDecision>, 'config_version' | 'config_hash'>;

/**
 * The version of the banner that a decision is about. Where none is stated the current one decides
 * which categories there are, but is not taken for the one that was shown.
 * @throws RestError 400 `rest_invalid_param` with `data.current_version` for a version that is unknown,
 * that does not have this hash, or to which an answer no longer holds
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
    invalidParam(
      parameter,
      `${reason} The current version is ${current.version}. Show it and ask again.`,
      { current_version: current.version },
    );
  if (version === undefined) {
    throw invalidParam('config_hash', 'config_hash needs the config_version that it belongs to.');
  }
  // Read by its number, since another node may have made it a moment ago.
  const shown = Number.isSafeInteger(version) ? await versions.find(version) : undefined;
  if (!shown) throw askAgain('config_version', `There is no version ${version} of the banner.`);
  if (hash !== undefined && hash !== shown.hash) {
    throw askAgain('config_hash', `Version ${version} of the banner has another hash.`);
  }
  if (version < current.askedSince) {
    throw askAgain(
      'config_version',
      `Visitors are asked something else than in version ${version}.`,
    );
  }
  return { version, config: shown.config };
}

/** The version that a banner shows: the one that it has begun with while an answer to it holds, else the current one. */
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
  // Versions from before a setting existed lack it.
  return { ...shown, config: { ...current.settings.consent, ...shown.config } };
}
