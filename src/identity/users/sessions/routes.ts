import { Type } from 'typebox';
import type { Platform } from '../../../platform/deps.ts';
import { toWholeListResponse, wholeListArgs } from '../../../platform/rest/pagination.ts';
import type { RestApi } from '../../../platform/rest/rest-api.ts';
import { ACCOUNT_PATHS } from '../account-routes.ts';
import { getUser } from '../accounts.ts';
import { requireUser } from '../errors.ts';
import type { UserRecords } from '../records.ts';
import {
  EndedSessions,
  SessionDeletion,
  SessionRecord,
  SessionsDeletion,
  toSessionRecord,
} from '../schemas.ts';
import { signOutEverywhere } from '../service.ts';
import { endOthers, endSession } from './service.ts';
import { listOpenSessions } from './store.ts';

/** Sessions of the console, below the paths of WordPress for users. */
export function sessionRoutes(api: RestApi, platform: Platform, records: UserRecords): void {
  for (const { path: account, access, refusals, whose, getId } of ACCOUNT_PATHS) {
    const path = `${account}/sessions`;
    api.add({
      method: 'GET',
      path,
      ...access,
      summary: `List sessions of ${whose}`,
      args: wholeListArgs,
      answers: { 200: Type.Array(SessionRecord) },
      refusals,
      async handle(request) {
        const { user } = await getUser(platform, getId(request));
        const open = await listOpenSessions(platform.datastore.db, user.id, platform.clock.now());
        const records = open.map((each) => toSessionRecord(each, request.sessionId));
        return toWholeListResponse(request, records);
      },
    });
    api.add({
      method: 'DELETE',
      path,
      ...access,
      summary: `Sign ${whose} out everywhere`,
      args: SessionsDeletion,
      answers: { 200: EndedSessions },
      refusals,
      async handle(request) {
        const { args, sessionId: keptId } = request;
        const userId = getId(request);
        const by = requireUser(request);
        if (args.except_current && keptId !== undefined && by.id === userId) {
          const count = await endOthers(platform, { userId, keptId, actor: by.login });
          return { body: { deleted: true, count } };
        }
        const { sessions } = await records.get(userId);
        await signOutEverywhere(platform, by, userId);
        return { body: { deleted: true, count: sessions } };
      },
    });
    api.add({
      method: 'DELETE',
      path: `${path}/{session}`,
      ...access,
      summary: `End a session of ${whose}`,
      answers: { 200: SessionDeletion },
      refusals: {
        ...refusals,
        404: { ...refusals[404], rest_session_not_found: 'The session has ended already.' },
      },
      async handle(request) {
        const id = /^\d{1,15}$/.test(request.key) ? Number(request.key) : 0;
        const userId = getId(request);
        const { login: actor } = requireUser(request);
        const ended = await endSession(platform, { userId, id, actor });
        const previous = toSessionRecord(ended, request.sessionId);
        return { body: { deleted: true, previous } };
      },
    });
  }
}
