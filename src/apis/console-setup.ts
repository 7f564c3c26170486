import { Type } from 'typebox';
import { createFirstAdministrator, hasAdministrator } from '../identity/users/index.ts';
import type { Routes } from '../platform/http/error-format.ts';
import { Text } from '../platform/http/schemas.ts';
import { Credentials, HIDDEN } from './console-session.ts';
import type { Site } from './site.ts';

const SETUP = '/console/setup';

const FirstAdministrator = Type.Object({
  token: Text(200),
  login: Credentials.properties.login,
  email: Credentials.properties.login,
  password: Credentials.properties.password,
});

/** Whether there is an administrator, and how the first one is created. */
export function setupRoutes(routes: Routes, { platform }: Site): void {
  // Cached: the last administrator cannot be removed.
  let isSetUp = false;
  routes.get(SETUP, HIDDEN, async () => {
    isSetUp ||= await hasAdministrator(platform);
    return { administrator: isSetUp };
  });
  routes.post(
    SETUP,
    { schema: { hide: true, body: FirstAdministrator } },
    async ({ body: { token, ...user } }, reply) => {
      const { login, role } = await createFirstAdministrator(platform, token, user);
      return reply.code(201).send({ login, role });
    },
  );
}
