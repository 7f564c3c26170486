import { Type } from 'typebox';
import type { Platform } from '../../../platform/deps.ts';
import { DomainError } from '../../../platform/errors.ts';
import { getClientAddress } from '../../../platform/http/client-address.ts';
import type { Routes } from '../../../platform/http/error-format.ts';
import { Text } from '../../../platform/http/schemas.ts';
import { PASSWORD_MAX_LENGTH } from '../rules.ts';
import { ResetLimits } from './limits.ts';
import { type ResetMailSettings, redeemPasswordReset, requestPasswordReset } from './service.ts';

const PATH = '/console/password-reset';
const LOGIN_MAX_LENGTH = 254;

const ResetRequest = Type.Object({ login: Text(LOGIN_MAX_LENGTH) });
const Reset = Type.Object({
  token: Text(200),
  password: Type.String({ minLength: 1, maxLength: PASSWORD_MAX_LENGTH }),
});

interface PasswordResetSettings extends ResetMailSettings {
  /** Whether emails are sent; without it there is nobody to whom a link can be sent. */
  isMailSent: boolean;
}

/** Passwords that users reset themselves, with a link by email. */
export function passwordResetRoutes(
  routes: Routes,
  platform: Platform,
  { isMailSent, ...settings }: PasswordResetSettings,
): void {
  const limits = new ResetLimits(platform);

  routes.post(
    PATH,
    { schema: { hide: true, body: ResetRequest } },
    async ({ body: { login }, raw }, reply) => {
      if (!isMailSent) {
        const message = 'This server sends no email. Ask an administrator to reset your password.';
        throw new DomainError('conflict', 'no_mail_server', message);
      }
      const seconds = limits.count(login, getClientAddress(raw, platform.trustedProxies));
      if (seconds > 0) {
        reply.header('retry-after', seconds);
        const message = `Too many links were requested. Try again in ${seconds} s.`;
        throw new DomainError('rate_limited', 'rate_limited', message);
      }
      await requestPasswordReset(platform, settings, login);
      return reply.code(202).send({ requested: true });
    },
  );

  routes.put(PATH, { schema: { hide: true, body: Reset } }, async ({ body }) => {
    await redeemPasswordReset(platform, settings, body);
    return { reset: true };
  });
}
