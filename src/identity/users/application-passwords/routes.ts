import { Type } from 'typebox';
import type { Platform } from '../../../platform/deps.ts';
import { RestError } from '../../../platform/rest/errors.ts';
import type { RestApi } from '../../../platform/rest/rest-api.ts';
import type { RestRequest } from '../../../platform/rest/route.ts';
import { requireOwnAccount, requireUser, worded } from '../errors.ts';
import {
  ApplicationPasswordCreation,
  ApplicationPasswordDeletion,
  ApplicationPasswordRecord,
  NewApplicationPassword,
  toApplicationPasswordRecord,
} from '../schemas.ts';
import { getUser } from '../service.ts';
import { addApplicationPassword, endApplicationPassword } from './service.ts';
import { listApplicationPasswords } from './store.ts';

type Asked = Pick<RestRequest<unknown>, 'id' | 'user'>;

/** Application passwords at the addresses that WordPress has for them: everybody's for administrators, and one's own. */
export function applicationPasswordRoutes(api: RestApi, platform: Platform): void {
  routesFor(api, platform, {
    base: '/users/{id}',
    access: {},
    whose: 'a user',
    ownerOf: ({ id }) => id,
  });
  routesFor(api, platform, {
    base: '/users/me',
    access: { access: 'user' },
    whose: 'the current user',
    ownerOf: (request) => requireOwnAccount(request).id,
  });
}

function routesFor(
  api: RestApi,
  platform: Platform,
  {
    base,
    access,
    whose,
    ownerOf,
  }: {
    base: string;
    access: { access?: 'user' };
    whose: string;
    ownerOf: (request: Asked) => number;
  },
): void {
  const path = `${base}/application-passwords`;
  api.add({
    method: 'GET',
    path,
    ...access,
    summary: `List application passwords of ${whose}`,
    answers: { 200: Type.Array(ApplicationPasswordRecord) },
    async handle(request) {
      const { user } = await worded(() => getUser(platform, ownerOf(request)));
      const all = await listApplicationPasswords(platform.datastore.db, user.id);
      return { body: all.map(toApplicationPasswordRecord) };
    },
  });
  api.add({
    method: 'POST',
    path,
    ...access,
    summary: `Create an application password for ${whose}`,
    args: ApplicationPasswordCreation,
    answers: { 201: NewApplicationPassword },
    answerHeaders: ['Location'],
    async handle(request) {
      const owner = ownerOf(request);
      const { login } = requireUser(request);
      const added = await worded(() =>
        addApplicationPassword(platform, owner, request.args.name, login, request.args.app_id),
      );
      const place = path.replace('{id}', String(owner));
      const location = api.addressOf(`${place}/${added.uuid}`);
      const body = { ...toApplicationPasswordRecord(added), password: added.password };
      return { status: 201, body, headers: { location } };
    },
  });
  api.add({
    method: 'DELETE',
    path: `${path}/{uuid}`,
    ...access,
    summary: `Revoke an application password of ${whose}`,
    answers: { 200: ApplicationPasswordDeletion },
    async handle(request) {
      const { login } = requireUser(request);
      const by = { uuid: request.key };
      const gone = await worded(() =>
        endApplicationPassword(platform, ownerOf(request), by, login),
      );
      if (!gone) {
        const code = 'rest_application_password_not_found';
        throw new RestError(404, code, 'Application password not found.');
      }
      return { body: { deleted: true, previous: toApplicationPasswordRecord(gone) } };
    },
  });
}
