import { type Command, Option } from 'commander';
import { resolveAddresses } from '../config/index.ts';
import {
  addApplicationPassword,
  confirmEmail,
  createUser,
  getUser,
  isSecondFactorRequired,
  listUsers,
  resetPassword,
  resetSecondFactor,
  revokeApplicationPassword,
  type SignInScope,
  unlinkSingleSignOn,
  unlockUser,
} from '../identity/users/index.ts';
import { openSignIn } from '../modules/sign-in.ts';
import { toIsoMoment, toIsoMomentOrNull } from '../platform/clock.ts';
import { ROLE_NAMES, type Role } from '../platform/rest/capabilities.ts';
import { SCOPE_NAMES } from '../platform/rest/scopes.ts';
import { actor, command, currentConfig, print, table, withPlatform } from './cli.ts';
import { createListParser } from './options.ts';

const ONCE = 'It is shown only once. Pavis stores only its hash.';
const NAME = ['--name <name>', 'name, for example of the application that uses it'] as const;

const withSignIn = (action: (scope: SignInScope) => Promise<void>) => {
  const config = currentConfig();
  return withPlatform(config, (platform) =>
    action(openSignIn(platform, config, () => resolveAddresses(config))),
  );
};

/** `pavis user …` */
export function userCommands(program: Command): void {
  const user = program
    .command('user')
    .description('manage users of the console and the plugin REST API');

  command(user, 'create <login>', 'create a user and print the password once')
    .requiredOption('--email <address>', 'email address, also accepted for signing in')
    .addOption(
      new Option('--role <role>', 'role of the user').choices(ROLE_NAMES).makeOptionMandatory(),
    )
    .option('--password <password>', 'password (default: generated)')
    .action((login: string, options) =>
      withPlatform(currentConfig(), async (platform) => {
        const role = options.role as Role;
        const { email, password: given } = options;
        const user = { login, email, role, password: given };
        const made = await createUser(platform, user, actor());
        const { id } = made.user;
        print(
          options.json,
          { id, login, role, password: made.password },
          given === undefined
            ? `${made.password}\n\nThe password of ${login} (${role}). ${ONCE}`
            : `${login} (${role}) can sign in.`,
        );
      }),
    );

  command(
    user,
    'list',
    'list users with second factor, single sign-on and application passwords',
  ).action(({ json }) =>
    withPlatform(currentConfig(), async (platform) => {
      const users = (await listUsers(platform)).map((each) => ({
        id: each.id,
        login: each.login,
        email: each.email,
        role: each.role,
        second_factor: each.hasSecondFactor,
        single_sign_on: each.hasIdentity,
        created_at: toIsoMoment(each.createdAt),
        application_passwords: each.applicationPasswords.map((password) => ({
          uuid: password.uuid,
          name: password.name,
          created_at: toIsoMoment(password.createdAt),
          last_used_at: toIsoMomentOrNull(password.lastUsedAt),
          expires_at: toIsoMomentOrNull(password.expiresAt),
          scopes: password.scopes,
        })),
      }));
      const methodTitles = ['second factor', 'single sign-on'];
      const titles = ['id', 'login', 'email', 'role', ...methodTitles, 'application passwords'];
      const rows = users.map(({ application_passwords, ...user }) => {
        const names = application_passwords.map(({ name }) => name).join(', ');
        const methods = [user.second_factor, user.single_sign_on];
        const cells = methods.map((has) => (has ? 'yes' : 'no'));
        return [user.id, user.login, user.email, user.role, ...cells, names];
      });
      print(json, { users }, table(titles, rows));
    }),
  );

  command(user, 'app-password <login>', 'create an application password and print it once')
    .requiredOption(...NAME)
    .option(
      '--expires-at <date>',
      'date, or time with its offset, until when it works (default: until revoked)',
    )
    .option(
      '--scopes <names>',
      `what it is limited to, separated by commas (default: all rights of the user): ${SCOPE_NAMES.join(', ')}`,
      createListParser(SCOPE_NAMES),
    )
    .action((login: string, { json, name, expiresAt = null, scopes = null }) =>
      withPlatform(currentConfig(), async (platform) => {
        const options = { expiresAt, scopes };
        const made = await addApplicationPassword(platform, login, name, actor(), options);
        const expires_at = toIsoMomentOrNull(made.expiresAt);
        const { password } = made;
        const added = {
          login: made.login,
          name: made.name,
          password,
          expires_at,
          scopes: made.scopes,
        };
        const until = expires_at === null ? '' : ` It works until ${expires_at}.`;
        const limits = made.scopes ? ` It is limited to ${made.scopes.join(', ')}.` : '';
        const text = `${password}\n\nThe application password "${added.name}" of ${added.login}.${limits}${until} ${ONCE}`;
        print(json, added, text);
      }),
    );

  command(user, 'revoke-app-password <login>', 'revoke an application password')
    .requiredOption(...NAME)
    .action((login: string, { json, name }) =>
      withPlatform(currentConfig(), async (platform) => {
        const revoked = await revokeApplicationPassword(platform, login, { name }, actor());
        const text = `The application password "${revoked.name}" of ${revoked.login} is revoked.`;
        print(json, { login: revoked.login, name: revoked.name, revoked: true }, text);
      }),
    );

  command(user, 'reset-password <login>', 'set a new password and sign the user out').action(
    (login: string, { json }) =>
      withSignIn(async (scope) => {
        const reset = await resetPassword(scope, login, actor());
        const text = `${reset.password}\n\nThe new password of ${reset.login}, who is signed out everywhere. ${ONCE}`;
        print(json, reset, text);
      }),
  );

  command(
    user,
    'reset-second-factor <login>',
    'remove the authenticator app, passkeys and recovery codes of a user',
  ).action((login: string, { json }) =>
    withSignIn(async (scope) => {
      const reset = await resetSecondFactor(scope, login, actor());
      const next = isSecondFactorRequired(scope.secondFactorFor, reset.role)
        ? 'must set up another one at the next sign-in with the password'
        : 'can sign in with the password alone';
      const notice = currentConfig().mail.smtpUrl
        ? 'The user gets an email about the reset.'
        : 'This server sends no email: tell the user yourself.';
      const text = `${reset.login} ${next}. ${notice}`;
      print(json, { login: reset.login, reset: true }, text);
    }),
  );

  command(
    user,
    'confirm-email <login>',
    'confirm the email address that a user has entered, for single sign-on',
  ).action((login: string, { json }) =>
    withPlatform(currentConfig(), async (platform) => {
      const { login: name, email } = await confirmEmail(platform, login, actor());
      const text = `${email} is confirmed as the email address of ${name}. Single sign-on can use it.`;
      print(json, { login: name, email, confirmed: true }, text);
    }),
  );

  command(user, 'unlink <login>', 'unlink single sign-on from a user and sign the user out').action(
    (login: string, { json }) =>
      withSignIn(async (scope) => {
        const { id, login: name, email } = await unlinkSingleSignOn(scope, login, actor());
        const next = (await getUser(scope.platform, id)).hasOwnEmailEntry
          ? ` Nobody is linked by ${email} until it is confirmed: pavis user confirm-email ${name}`
          : ` The next person who signs in with the provider as ${email} is linked.`;
        const text = `${name} is no longer linked with single sign-on, and is signed out everywhere.${currentConfig().singleSignOn ? next : ''}`;
        print(json, { login: name, unlinked: true }, text);
      }),
  );

  command(user, 'unlock <login>', 'unlock an account after failed sign-ins').action(
    (login: string, { json }) =>
      withPlatform(currentConfig(), async (platform) => {
        const unlocked = await unlockUser(platform, login, actor());
        const text = `${unlocked.login} is unlocked. An address with too many failed sign-ins for several accounts stays blocked for up to 15 minutes.`;
        print(json, { ...unlocked, unlocked: true }, text);
      }),
  );
}
