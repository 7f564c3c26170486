import { SEALED_PLACE } from '../../src/mail/index.ts';
import type { Platform } from '../../src/platform/deps.ts';

/** The text of an email as it is sent. Secrets are sealed in the outbox. */
export const readMailText = (
  { secret }: Pick<Platform, 'secret'>,
  mail: { body_text: string | null; sealed: string | null } | undefined,
): string =>
  mail?.body_text?.replaceAll(SEALED_PLACE, () =>
    mail.sealed === null ? '' : secret.unseal('mail', mail.sealed),
  ) ?? '';
