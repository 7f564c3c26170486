import { buffer } from 'node:stream/consumers';
import { zipFiles } from '../../src/platform/zip.ts';

/** The main file of a WordPress plugin. */
export const pluginFile = (version: string, more: readonly string[] = []): string =>
  ['<?php', '/**', ' * Plugin Name: Forms Pro', ` * Version: ${version}`, ...more, ' */', ''].join(
    '\n',
  );

/** A ZIP of files by path. */
export function makeZip(files: Record<string, string>): Promise<Buffer> {
  const listed = Object.entries(files).map(([path, text]) => ({ path, chunks: () => [text] }));
  return buffer(zipFiles(listed, Date.parse('2026-11-21T09:30:00.000Z')));
}

/** A WordPress plugin in the folder `slug`. */
export const makePluginZip = (
  slug: string,
  version: string,
  more: Record<string, string> = {},
): Promise<Buffer> =>
  makeZip({
    [`${slug}/${slug}.php`]: pluginFile(version, [
      ' * Requires at least: 6.2',
      ' * Requires PHP: 7.4',
      ' * Update URI: https://licences.example.com/releases/forms-pro',
    ]),
    ...more,
  });
