import { gt, inc, prerelease, valid } from 'semver';
import { InvalidFieldError } from '../../platform/errors.ts';
import type { PluginPackage } from './package-file.ts';
import {
  CHANGELOG_MAX_LENGTH,
  type Channel,
  isNewerInWordPress,
  isOrderedPrerelease,
  isReleaseVersion,
  type Release,
  type SbomFormat,
  sortReleases,
  VERSION_MAX_LENGTH,
} from './rules.ts';
import { isSignedBy } from './signatures.ts';
import type { ReleaseKey } from './store.ts';

/**
 * The version in the header of the plugin, or the one that is given for another file.
 * @throws InvalidFieldError
 */
export function readVersion(wanted: string | undefined, plugin: PluginPackage | undefined): string {
  const version = plugin?.version ?? wanted;
  if (plugin && !plugin.version)
    throw new InvalidFieldError('file', 'The header of the plugin has no "Version:". Add it.');
  if (version === undefined)
    throw new InvalidFieldError(
      'version',
      'Give the version: the file is not a ZIP of a WordPress plugin whose header says it.',
    );
  if (wanted !== undefined && wanted !== version)
    throw new InvalidFieldError(
      'version',
      `The header of the plugin says version ${version}, not ${wanted}. Change one of them.`,
    );
  if (version.length > VERSION_MAX_LENGTH)
    throw new InvalidFieldError(
      'version',
      `The version may have up to ${VERSION_MAX_LENGTH} characters. This one has ${version.length}.`,
    );
  if (!isReleaseVersion(version))
    throw new InvalidFieldError(
      'version',
      `${version} is not a semantic version without build metadata. Use three numbers, for example ${valid(`${version}.0`) ?? '2.5.0'} or 2.5.0-beta.1.`,
    );
  const [final] = version.split('-');
  if (plugin && isNewerInWordPress(version))
    throw new InvalidFieldError(
      'version',
      `WordPress takes ${version} for newer than ${final}. Use for example ${final}-beta.1.`,
    );
  return version;
}

/**
 * Refuses pre-releases that semver does not order as people mean them, except one that goes on with published ones of
 * another form: after beta2, semver ranks beta3 higher, but beta.3 lower.
 * @param published the releases of the product
 * @throws InvalidFieldError
 */
export function assertPrereleaseOrder(version: string, published: readonly Release[]): void {
  const [final = version] = version.split('-');
  const former = sortReleases(published.filter((each) => each.version.startsWith(`${final}-`)));
  const [highest] = former;
  const isOrdered = isOrderedPrerelease(version);
  const areOrdered = former.every((each) => isOrderedPrerelease(each.version));
  if (isOrdered && areOrdered) return;
  if (!highest || areOrdered)
    throw new InvalidFieldError(
      'version',
      `The pre-release of ${version} must be a word in lower case, with numbers after dots. Use for example ${final}-rc.1.`,
    );
  if (gt(version, highest.version)) return;
  const next = [final, inc(final, 'patch')].map((each) => `${each}-rc.1`);
  throw new InvalidFieldError(
    'version',
    `Semantic versioning ranks ${version} below ${highest.version}, which is published. Use for example ${next.find((each) => gt(each, highest.version))}.`,
  );
}

/**
 * The channel that is given, or that of the version.
 * @throws InvalidFieldError for a pre-release version as stable
 */
export function readChannel(wanted: Channel | undefined, version: string): Channel {
  const isPrerelease = prerelease(version) !== null;
  const channel = wanted ?? (isPrerelease ? 'beta' : 'stable');
  if (channel === 'stable' && isPrerelease)
    throw new InvalidFieldError(
      'channel',
      `${version} is a pre-release version, so its channel must be beta.`,
    );
  return channel;
}

/**
 * The changelog that is given, or that of the plugin's readme.txt.
 * @throws InvalidFieldError for one that is longer than the API accepts
 */
export function readChangelog(
  wanted: string | undefined,
  version: string,
  plugin: PluginPackage | undefined,
): string {
  if (wanted !== undefined) return wanted;
  const changelog = plugin?.changelog ?? '';
  const { length } = [...changelog];
  if (length > CHANGELOG_MAX_LENGTH)
    throw new InvalidFieldError(
      'changelog',
      `The changelog of ${version} in readme.txt has ${length} characters; ${CHANGELOG_MAX_LENGTH} are allowed. Shorten it, or enter one for the release.`,
    );
  return changelog;
}

/**
 * The release key of a signature.
 * @throws InvalidFieldError if no current key has signed the file
 */
export function findSigner(
  content: Buffer,
  signature: string,
  keys: readonly ReleaseKey[],
): { id: number } {
  const refuse = (reason: string) => new InvalidFieldError('signature', reason);
  const signer = keys.find(({ publicKey }) => isSignedBy(content, signature, publicKey));
  if (signer?.retiredAt === null) return signer;
  if (signer)
    throw refuse('The key of this signature is retired. Sign the file with a current key.');
  throw refuse(
    keys.some(({ retiredAt }) => retiredAt === null)
      ? 'This is not the signature of this file by a release key of the product. Sign the file with "pavis release sign".'
      : 'The product has no release key. Add the public key of the vendor first.',
  );
}

/** @throws InvalidFieldError for a file that is neither CycloneDX nor SPDX in JSON */
export function readSbomFormat(content: Buffer): SbomFormat {
  try {
    const { bomFormat, spdxVersion } = JSON.parse(content.toString());
    if (bomFormat === 'CycloneDX') return 'cyclonedx';
    if (typeof spdxVersion === 'string') return 'spdx';
  } catch {
    // The same refusal.
  }
  throw new InvalidFieldError('sbom', 'The SBOM must be CycloneDX or SPDX in JSON.');
}
