import type { Static, TObject } from 'typebox';
import { NotFoundError } from '../errors.ts';
import { deletionSchema } from '../http/schemas.ts';
import type { User } from './caller.ts';
import type { Capability } from './capabilities.ts';
import type { RestApi } from './rest-api.ts';
import type { RestRoute } from './route.ts';

interface Items<Item, Update extends TObject> {
  /** For example `/vendors`. */
  path: string;
  /** In lower case, for summaries and errors. */
  noun: string;
  record: TObject;
  /** The capability to get an item. Default: `read_privacy`, for items that describe processing, not people. */
  readAccess?: Capability;
  toRecord: (item: Item) => object;
  update: Update;
  find: (id: number) => Promise<Item | undefined>;
  /** See `RestRoute`. */
  refusals?: { change?: RestRoute['refusals']; remove?: RestRoute['refusals'] };
  /** Returns the changed item. */
  change: (id: number, args: Static<Update>, user: User | null) => Promise<Item>;
  /** Returns the deleted item. */
  remove: (id: number, user: User | null) => Promise<Item>;
}

/** Adds the routes that get, update and delete an item of a list, as in core. */
export function addItemRoutes<Item, Update extends TObject>(
  api: RestApi,
  {
    path,
    noun,
    record,
    readAccess = 'read_privacy',
    toRecord,
    update,
    find,
    refusals = {},
    change,
    remove,
  }: Items<Item, Update>,
): void {
  const article = /^[aeiou]/.test(noun) ? 'an' : 'a';
  api.add({
    method: 'GET',
    path: `${path}/{id}`,
    access: readAccess,
    summary: `Get ${article} ${noun}`,
    answers: { 200: record },
    async handle({ id }) {
      const item = await find(id);
      if (item === undefined) throw new NotFoundError(`The ${noun}`);
      return { body: toRecord(item) };
    },
  });
  api.add({
    method: 'PUT',
    path: `${path}/{id}`,
    summary: `Update ${article} ${noun}`,
    args: update,
    answers: { 200: record },
    ...(refusals.change && { refusals: refusals.change }),
    async handle({ id, args, user }) {
      return { body: toRecord(await change(id, args, user)) };
    },
  });
  api.add({
    method: 'DELETE',
    path: `${path}/{id}`,
    summary: `Delete ${article} ${noun}`,
    answers: { 200: deletionSchema(record) },
    ...(refusals.remove && { refusals: refusals.remove }),
    async handle({ id, user }) {
      return { body: { deleted: true, previous: toRecord(await remove(id, user)) } };
    },
  });
}
