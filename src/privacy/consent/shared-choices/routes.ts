import type { Platform } from '../../../platform/deps.ts';
import type { RestApi } from '../../../platform/rest/rest-api.ts';
import type { SettingsCache } from '../../settings/index.ts';
import type { ConsentLimits } from '../limits.ts';
import { SharedChoiceAnswer, SubjectKeyAnswer, SubjectQuery, toSharedChoice } from './schemas.ts';
import type { SharedChoices } from './service.ts';

/** The latest choice of a signed-in person and the key for their tokens: `/consent/subject`. */
export function sharedChoiceRoutes(
  api: RestApi,
  { clock }: Platform,
  {
    settings,
    shared,
    limits,
  }: { settings: SettingsCache; shared: SharedChoices; limits: ConsentLimits },
): void {
  api.add({
    method: 'POST',
    path: '/consent/subject',
    access: 'public',
    otherOrigins: 'refused',
    summary: 'Get the latest consent choice of a signed-in person',
    args: SubjectQuery,
    answers: { 200: SharedChoiceAnswer },
    refusals: { 403: 'rest_forbidden_origin', 429: 'rate_limited' },
    async handle({ args, headers, client }) {
      const { subject_token: token, visitor_id: visitorId } = args;
      limits.assertAllowed(visitorId, { client: client(), headers }, false);
      const current = await settings.read();
      const isOn = current.settings.consent.shared_choices;
      const subject = isOn ? await shared.identify(token, visitorId) : undefined;
      const found = subject === undefined ? undefined : await shared.find(subject);
      const isValid = found && found.config_version >= current.askedSince;
      return { body: { choice: isValid ? toSharedChoice(found, clock.now()) : null } };
    },
  });
  api.add({
    method: 'GET',
    path: '/consent/subject-key',
    // A client with the key can sign tokens.
    scope: 'consent:write',
    summary: 'Get the key for tokens of signed-in people',
    answers: { 200: SubjectKeyAnswer },
    async handle({ user }) {
      return { body: { key: await shared.key.show(user?.login ?? '') } };
    },
  });
  api.add({
    method: 'POST',
    path: '/consent/subject-key',
    summary: 'Rotate the key for tokens of signed-in people',
    answers: { 200: SubjectKeyAnswer },
    async handle({ user }) {
      return { body: { key: await shared.key.rotate(user?.login ?? '') } };
    },
  });
}
