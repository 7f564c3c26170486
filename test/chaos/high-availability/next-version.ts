import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../../..');
const NAME = '999-rehearsal';
/** Longer than any other statement may take. */
const SLEEP_SECONDS = 10;

/**
 * Writes a version of Pavis with one more migration, which takes long and changes a table that is in use.
 * @returns its `pavis.js`
 */
export function writeNextVersion(folder: string): string {
  for (const part of ['bin', 'packages', 'packaging', 'src', 'web', 'package.json']) {
    cpSync(join(ROOT, part), join(folder, part), { recursive: true });
  }
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const migrations = join(folder, 'src/migrations');
  writeFileSync(
    join(migrations, `${NAME}.ts`),
    `import { type Kysely, sql } from 'kysely';
export const rehearsal = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql\`select pg_sleep(${SLEEP_SECONDS})\`.execute(db);
    await db.schema.alterTable('consent_records').addColumn('rehearsal', 'text').execute();
  },
};
`,
  );
  const index = join(migrations, 'index.ts');
  const list = readFileSync(index, 'utf8').replace(/\};\s*$/, `  '${NAME}': rehearsal,\n};\n`);
  writeFileSync(index, `import { rehearsal } from './${NAME}.ts';\n${list}`);
  return join(folder, 'bin/pavis.js');
}
