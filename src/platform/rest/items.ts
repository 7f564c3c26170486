import { type Static, type TObject, Type } from 'typebox';
import { NotFoundError } from '../errors.ts';
import { assertFitsIfMatch, toStrongTag } from '../http/entity-tags.ts';
import { deletionSchema } from '../http/schemas.ts';
import type { User } from './caller.ts';
import type { Capability } from './capabilities.ts';
import type { RestApi } from './rest-api.ts';
import type { RestRoute } from './route.ts';

/**
 * Called with the item that is about to be changed, within the transaction that has locked it.
 * @throws DomainError `rest_precondition_failed` if the caller has read an earlier state of it
 */
export type AssertUnchanged<Item> = (item: Item) => void;

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
  change: (
    id: number,
    args: Static<Update>,
    user: User | null,
    assertUnchanged: AssertUnchanged<Item>,
  ) => Promise<Item>;
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
  /** Only of the fields that callers can change: others, for example times of deliveries, change by themselves. */
  const getTag = (body: object): string =>
    toStrongTag(Object.entries(body).filter(([name]) => name in update.properties));
  const answer = (item: Item) => {
    const body = toRecord(item);
    return { body, headers: { etag: getTag(body) } };
  };
  const article = /^[aeiou]/.test(noun) ? 'an' : 'a';
  api.add({
    method: 'GET',
    path: `${path}/{id}`,
    access: readAccess,
    summary: `Get ${article} ${noun}`,
    answers: { 200: record },
    answerHeaders: ['ETag'],
    async handle({ id }) {
      const item = await find(id);
      if (item === undefined) throw new NotFoundError(`The ${noun}`);
      return answer(item);
    },
  });
  api.add({
    method: 'PUT',
    path: `${path}/{id}`,
    summary: `Update ${article} ${noun}`,
    args: update,
    requestHeaders: Type.Object({
      'If-Match': Type.Optional(
        Type.String({
          description: `The \`ETag\` of the ${noun} that you read. If it has changed since, the response is 412 and nothing is saved.`,
        }),
      ),
    }),
    answers: { 200: record },
    answerHeaders: ['ETag'],
    refusals: { ...refusals.change, 412: 'rest_precondition_failed' },
    async handle({ id, args, user, headers }) {
      const assertUnchanged = (item: Item) =>
        assertFitsIfMatch(headers['if-match'], getTag(toRecord(item)), noun);
      return answer(await change(id, args, user, assertUnchanged));
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
