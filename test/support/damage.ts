import { closeSync, openSync, writeSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/** Overwrites the first pages of a table and of its indexes. */
export function damage(file: string, table: string): void {
  const db = new DatabaseSync(file);
  const trees = db.prepare('select rootpage from sqlite_schema where tbl_name = ?').all(table);
  const size = Number(db.prepare('pragma page_size').get()?.page_size);
  db.close();
  const opened = openSync(file, 'r+');
  for (const { rootpage } of trees)
    writeSync(opened, Buffer.alloc(size, 0xff), 0, size, (Number(rootpage) - 1) * size);
  closeSync(opened);
}
