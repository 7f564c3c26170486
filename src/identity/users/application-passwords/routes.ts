import { Type } from 'typebox';
import type { Platform } from '../../../platform/deps.ts';
import { toWholeListResponse, wholeListArgs } from '../../../platform/rest/pagination.ts';
import type { RestApi } from '../../../platform/rest/rest-api.ts';
import { listUsableScopes } from '../../../platform/rest/scopes.ts';
import { ACCOUNT_PATHS } from '../account-routes.ts';
import { getUser } from '../accounts.ts';
import { requireUser } from '../errors.ts';
import {
  ApplicationPasswordCreation,
  ApplicationPasswordDeletion,
  ApplicationPasswordRecord,
  NewApplicationPassword,
  ScopeRecord,
  toApplicationPasswordRecord,
  toScopeRecord,
} from '../schemas.ts';
import { BEYOND_LIMITS } from './rules.ts';
import {
  addApplicationPassword,
  getApplicationPassword,
  revokeApplicationPassword,
} from './service.ts';
import { listApplicationPasswords } from './store.ts';

/** Application passwords, at the paths of WordPress. */
export function applicationPasswordRoutes(api: RestApi, platform: Platform): void {
  for (const { path: account, access, refusals, whose, getId } of ACCOUNT_PATHS) {
    const path = `${account}/application-passwords`;
    const itemRefusals = {
      ...refusals,
      404: {
        ...refusals[404],
        rest_application_password_not_found: 'Application password not found.',
      },
    };
    api.add({
      method: 'GET',
      path,
      ...access,
      summary: `List application passwords of ${whose}`,
      args: wholeListArgs,
      answers: { 200: Type.Array(ApplicationPasswordRecord) },
      refusals,
      async handle(request) {
        const { user } = await getUser(platform, getId(request));
        const all = await listApplicationPasswords(platform.datastore.db, user.id);
        return toWholeListResponse(request, all.map(toApplicationPasswordRecord));
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
      refusals: {
        ...refusals,
        403: {
          ...refusals[403],
          rest_cannot_create_application_passwords: BEYOND_LIMITS,
        },
      },
      async handle(request) {
        const { name, app_id, expires_at, scopes } = request.args;
        const id = getId(request);
        const { login, expiresAt = null, scopes: own = null } = requireUser(request);
        const added = await addApplicationPassword(platform, id, name, login, {
          by: { expiresAt, scopes: own },
          ...(app_id !== undefined && { appId: app_id }),
          ...(expires_at !== undefined && { expiresAt: expires_at }),
          ...(scopes !== undefined && { scopes }),
        });
        const location = api.getUrl(`${path.replace('{id}', String(id))}/${added.uuid}`);
        const body = { ...toApplicationPasswordRecord(added), password: added.password };
        return { status: 201, body, headers: { location } };
      },
    });
    api.add({
      method: 'GET',
      path: `${account}/application-password-scopes`,
      ...access,
      summary: `List what an application password of ${whose} can be limited to`,
      answers: { 200: Type.Array(ScopeRecord) },
      refusals,
      async handle(request) {
        const { user } = await getUser(platform, getId(request));
        return { body: listUsableScopes(user).map(toScopeRecord) };
      },
    });
    api.add({
      method: 'GET',
      path: `${path}/{uuid}`,
      ...access,
      summary: `Get an application password of ${whose}`,
      answers: { 200: ApplicationPasswordRecord },
      refusals: itemRefusals,
      async handle(request) {
        const found = await getApplicationPassword(platform, getId(request), request.key);
        return { body: toApplicationPasswordRecord(found) };
      },
    });
    api.add({
      method: 'DELETE',
      path: `${path}/{uuid}`,
      ...access,
      summary: `Revoke an application password of ${whose}`,
      answers: { 200: ApplicationPasswordDeletion },
      refusals: itemRefusals,
      async handle(request) {
        const by = { uuid: request.key };
        const { login } = requireUser(request);
        const revoked = await revokeApplicationPassword(platform, getId(request), by, login);
        return { body: { deleted: true, previous: toApplicationPasswordRecord(revoked) } };
      },
    });
  }
}
