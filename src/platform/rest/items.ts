import type { Static, TObject } from 'typebox';
import { deletionSchema } from '../http/schemas.ts';
import type { User } from './caller.ts';
import { notFound } from './errors.ts';
import type { RestApi } from './rest-api.ts';

interface Items<Item, Update extends TObject> {
  /** Of the list, for example `/vendors`. */
  path: string;
  /** An item, in lower case, for summaries and errors. */
  noun: string;
  record: TObject;
  toRecord: (item: Item) => object;
  update: Update;
  find: (id: number) => Promise<Item | undefined>;
  /** Returns the changed item. */
  change: (id: number, args: Static<Update>, user: User | null) => Promise<Item>;
  /** Returns the deleted item. */
  remove: (id: number, user: User | null) => Promise<Item>;
}

/** The routes of one item below the list that it is in: to read, change and delete it, as in core. */
export function addItemRoutes<Item, Update extends TObject>(
  api: RestApi,
  { path, noun, record, toRecord, update, find, change, remove }: Items<Item, Update>,
): void {
  const article = /^[aeiou]/.test(noun) ? 'an' : 'a';
  api.add({
    method: 'GET',
    path: `${path}/{id}`,
    // Items describe processing, not people.
    access: 'read_privacy',
    summary: `Get ${article} ${noun}`,
    answers: { 200: record },
    async handle({ id }) {
      const item = await find(id);
      if (item === undefined) throw notFound(`The ${noun}`);
      return { body: toRecord(item) };
    },
  });
  api.add({
    method: 'PUT',
    path: `${path}/{id}`,
    summary: `Update ${article} ${noun}`,
    args: update,
    answers: { 200: record },
    async handle({ id, args, user }) {
      return { body: toRecord(await change(id, args, user)) };
    },
  });
  api.add({
    method: 'DELETE',
    path: `${path}/{id}`,
    summary: `Delete ${article} ${noun}`,
    answers: { 200: deletionSchema(record) },
    async handle({ id, user }) {
      return { body: { deleted: true, previous: toRecord(await remove(id, user)) } };
    },
  });
}
