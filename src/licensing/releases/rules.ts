import { createHash } from 'node:crypto';
import { coerce, gt, gte, prerelease, rcompare, valid } from 'semver';

/** `beta` sites also get stable releases. */
export const CHANNELS = ['stable', 'beta'] as const;
export type Channel = (typeof CHANNELS)[number];

export const SBOM_FORMATS = ['cyclonedx', 'spdx'] as const;
export type SbomFormat = (typeof SBOM_FORMATS)[number];

/** Moments are in epoch milliseconds. */
export interface Release {
  id: number;
  productId: number;
  version: string;
  channel: Channel;
  fileId: number;
  fileName: string;
  bytes: number;
  sha256: string;
  signature: string;
  releaseKeyId: number;
  /** The least version of WordPress; null: any. */
  requiresWp: string | null;
  /** The least version of PHP; null: any. */
  requiresPhp: string | null;
  /** The latest version of WordPress that the plugin was tested with. */
  testedWp: string | null;
  updateUri: string | null;
  changelog: string;
  isSecurity: boolean;
  /** Share of sites that are offered the release, 0 to 100. */
  rolloutPercent: number;
  publishedAt: number;
  yankedAt: number | null;
  yankReason: string | null;
  sbomFileId: number | null;
  sbomFormat: SbomFormat | null;
  downloads: number;
}

/** A site that asks for updates. */
export interface UpdateSite {
  /** See `toSiteKey`. */
  site: string;
  channel: Channel;
  /** Versions that the site has; undefined where it sent none. */
  php?: string | undefined;
  wp?: string | undefined;
  /** When its licence stops working, in epoch milliseconds. */
  licenceEnd: number;
}

/** Of the versions of releases and of what sites have. */
export const VERSION_MAX_LENGTH = 64;
export const CHANGELOG_MAX_LENGTH = 20_000;

/** A semantic version (semver.org) without build metadata, which neither semver nor PHP's `version_compare` orders. */
export const isReleaseVersion = (text: string): boolean => valid(text) === text;

/**
 * Whether WordPress takes a pre-release version for newer than its final version, so that its sites would not get that
 * one: PHP's `version_compare` ranks further numbers, and words that begin with p for patch level, above it.
 */
export const isNewerInWordPress = (version: string): boolean =>
  /^-*[p\d]/.test(String(prerelease(version)?.[0] ?? ''));

/**
 * Whether semver orders the pre-release of a version as people mean it: it ranks capitals below lower case, so RC1 below
 * beta.9, and compares the digits of beta10 as text. A version without a pre-release is one of these.
 */
export const isOrderedPrerelease = (version: string): boolean =>
  /^[a-z]+(\.\d+)*$/.test(prerelease(version)?.join('.') ?? 'final');

/** Whether a version such as 8.2.36-1+deb12u1 or 6.8 is enough. An unknown version is taken as enough: WordPress checks again. */
function isEnough(actual: string | undefined, least: string | null): boolean {
  const [has, needs] = [coerce(actual), coerce(least)];
  return !has || !needs || gte(has, needs);
}

const ROLLOUT_STEPS = 2 ** 32;

/**
 * Whether a site is among the first `percent` of 100 that get a release. A site keeps its place among those of one
 * release, so a larger percentage only adds sites. Each release has another order, so that not always the same sites
 * are first.
 */
export function isInRollout(site: string, release: string, percent: number): boolean {
  const place = createHash('sha256').update(`${release}\n${site}`).digest().readUInt32BE();
  return place / ROLLOUT_STEPS < percent / 100;
}

/**
 * Updates until expiry: a licence gets what was published while it worked, for good. Security releases are for all,
 * also after expiry: Regulation (EU) 2024/2847 (Cyber Resilience Act), annex I, part II, point 8.
 */
const isIncluded = (
  { publishedAt, isSecurity }: Pick<Release, 'publishedAt' | 'isSecurity'>,
  licenceEnd: number,
): boolean => isSecurity || publishedAt < licenceEnd;

const isOffered = (release: Release, { site, channel, php, wp }: UpdateSite): boolean =>
  release.yankedAt === null &&
  (release.channel === 'stable' || channel === 'beta') &&
  isEnough(php, release.requiresPhp) &&
  isEnough(wp, release.requiresWp) &&
  (release.isSecurity || isInRollout(site, String(release.id), release.rolloutPercent));

/** Highest version first. */
export const sortReleases = <T extends { version: string }>(releases: readonly T[]): T[] =>
  releases.toSorted((one, other) => rcompare(one.version, other.version));

/**
 * The release that a site gets, and the one that it would get with a longer licence.
 * @param releases of one product, in any order
 */
export function findOffer(
  releases: readonly Release[],
  asking: UpdateSite,
): { offered: Release | undefined; withheld: Release | undefined } {
  const fitting = sortReleases(releases.filter((release) => isOffered(release, asking)));
  const offered = fitting.find((release) => isIncluded(release, asking.licenceEnd));
  const [highest] = fitting;
  return { offered, withheld: highest === offered ? undefined : highest };
}

/** Whether a version is newer than the one that a site has, which need not be a semantic version. */
export function isNewer(version: string, installed: string | undefined): boolean {
  const has = valid(installed) ?? coerce(installed);
  return !has || gt(version, has);
}

/** The highest stable release that is not yanked. */
export const findCurrent = (releases: readonly Release[]): Release | undefined =>
  sortReleases(releases).find(({ channel, yankedAt }) => channel === 'stable' && yankedAt === null);
