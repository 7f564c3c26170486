import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The section of a version in the changelog, without its heading; undefined if there is none or it is empty. */
export function findReleaseNotes(changelog: string, version: string): string | undefined {
  const sections = changelog.split(/^## /m);
  const found = sections.find((section) => section.split(/\s/, 1)[0] === version);
  return found?.slice(found.indexOf('\n')).trim() || undefined;
}

/** `node packaging/release-notes.ts [VERSION]` prints the notes of a version, by default the one of package.json. */
if (import.meta.main) {
  const read = (file: string) => readFileSync(join(import.meta.dirname, '..', file), 'utf8');
  const version = process.argv[2] ?? JSON.parse(read('package.json')).version;
  const notes = findReleaseNotes(read('CHANGELOG.md'), version);
  if (notes) process.stdout.write(`${notes}\n`);
  else {
    process.stderr.write(`CHANGELOG.md has no section "## ${version}", or nothing in it\n`);
    process.exitCode = 1;
  }
}
