import { createHash } from 'node:crypto';
import { getShownTexts, listTextLanguages, type SiteSettings } from '../../settings/index.ts';

export type BannerConfig = SiteSettings['consent'];

export const LAYERS = ['banner', 'preferences'] as const;
export const SCHEMES = ['light', 'dark'] as const;
/** Sizes in CSS pixels. */
export const VIEWPORTS = {
  phone: { width: 390, height: 844, scale: 2, isMobile: true },
  desktop: { width: 1_280, height: 800, scale: 1, isMobile: false },
} as const;
export const VIEWPORT_NAMES = Object.keys(VIEWPORTS) as (keyof typeof VIEWPORTS)[];

/** The number of pictures of one language. */
export const VIEW_COUNT = LAYERS.length * VIEWPORT_NAMES.length * SCHEMES.length;

/** One way in which a language is shown. */
export interface View {
  layer: (typeof LAYERS)[number];
  viewport: (typeof VIEWPORT_NAMES)[number];
  scheme: (typeof SCHEMES)[number];
}

/** A version of the banner in one of its languages. */
export interface ShownBanner {
  version: number;
  config: BannerConfig;
  language: string;
}

/** The languages in which a version of the banner has texts of its own; none if it is turned off. */
export const listShownLanguages = (config: BannerConfig): string[] =>
  config.enabled ? [...new Set(listTextLanguages(config))] : [];

/** SHA-256 of what the banner shows in a language. Versions can differ in other respects, for example their vendors. */
export function hashShown({ config, language }: Omit<ShownBanner, 'version'>): string {
  const { position, appearance, privacy_url, categories } = config;
  const choices = categories.map(({ id, required }) => [id, required]);
  const shown = [position, appearance, privacy_url, choices, getShownTexts(config, language)];
  return createHash('sha256').update(JSON.stringify(shown)).digest('hex');
}

/**
 * The language of the texts that a visitor saw.
 * @param stated as the consent record states it: the banner states that of the texts it showed
 * @param pictured the languages of which there are pictures
 */
export function findPicturedLanguage(
  stated: string,
  pictured: readonly string[],
): string | undefined {
  const asked = stated.toLowerCase();
  const find = (tag: string | undefined) => pictured.find((name) => name.toLowerCase() === tag);
  return find(asked) ?? find(asked.split('-')[0]);
}
