import { Type } from 'typebox';
import { listUsers } from '../../../identity/users/index.ts';
import { OneOf } from '../../../platform/http/schemas.ts';
import { hasCapability, ROLE_NAMES } from '../../../platform/rest/capabilities.ts';
import { paginationArgs, toWholeListResponse } from '../../../platform/rest/pagination.ts';
import type { RestApi } from '../../../platform/rest/rest-api.ts';
import type { Dsar } from '../context.ts';

const AssigneeRecord = Type.Object(
  { login: Type.String(), role: OneOf(ROLE_NAMES) },
  { title: 'Assignee', description: 'A user who may handle requests.' },
);

/** The users who can handle requests, without the email addresses that `/users` has. */
export function assigneeRoutes(api: RestApi, { platform }: Dsar): void {
  api.add({
    method: 'GET',
    path: '/dsar/assignees',
    access: 'manage_privacy_requests',
    summary: 'List the users to whom a request can be assigned, by login',
    args: Type.Object(paginationArgs()),
    answers: { 200: Type.Array(AssigneeRecord) },
    async handle(request) {
      const users = (await listUsers(platform)).filter((user) =>
        hasCapability(user, 'manage_privacy_requests'),
      );
      return toWholeListResponse(
        request,
        users.map(({ login, role }) => ({ login, role })),
      );
    },
  });
}
