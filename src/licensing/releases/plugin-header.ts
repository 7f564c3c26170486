/** What the files of a WordPress plugin say about it. Null: not said. */
export interface PluginHeader {
  version: string | null;
  requiresWp: string | null;
  requiresPhp: string | null;
  updateUri: string | null;
}

/** WordPress reads headers in the first 8 KB only (`get_file_data`). */
export const HEADER_BYTES = 8 * 1024;

/** A field of the header comment, found as WordPress' `get_file_data` finds it. */
function readField(source: string, name: string): string | null {
  const line = new RegExp(`^(?:[ \\t]*<\\?php)?[ \\t/*#@]*${name}:(.*)$`, 'im').exec(source);
  return line?.[1]?.replace(/\s*(?:\*\/|\?>).*/, '').trim() || null;
}

/**
 * The header of a plugin's main file; undefined for other files.
 * @param source the first `HEADER_BYTES` of a PHP file
 */
export function readPluginHeader(source: string): PluginHeader | undefined {
  const text = source.replaceAll('\r', '\n');
  if (!readField(text, 'Plugin Name')) return undefined;
  return {
    version: readField(text, 'Version'),
    requiresWp: readField(text, 'Requires at least'),
    requiresPhp: readField(text, 'Requires PHP'),
    updateUri: readField(text, 'Update URI'),
  };
}

/**
 * What a readme.txt of a plugin says (https://wordpress.org/plugins/readme.txt).
 * @returns the WordPress version it was tested with, and the changelog of one version without control characters,
 * if it has them
 */
export function readReadme(
  readme: string,
  version: string,
): { testedWp: string | null; changelog: string } {
  const text = readme.replace(/\r\n?/g, '\n').replace(/[^\P{Cc}\t\n]/gu, '');
  const testedWp = /^Tested up to:[ \t]*(\d[\w.-]*)/im.exec(text)?.[1] ?? null;
  const [, log = ''] = /^==[ \t]*Changelog[ \t]*==[ \t]*$([\s\S]*)/im.exec(text) ?? [];
  const [ownSection = ''] = log.split(/^==[^=]/m);
  const entries = ownSection.split(/^=[ \t]*(.*?)[ \t]*=[ \t]*$/m);
  const at = entries.findIndex(
    (title, index) => index % 2 === 1 && title.split(/[\s(]/, 1)[0]?.replace(/^v/i, '') === version,
  );
  return { testedWp, changelog: at < 0 ? '' : (entries[at + 1] ?? '').trim() };
}
