import { Secret, TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { DESK, isForEverybody } from '../support/accessible.ts';
import { useConsole } from '../support/console.ts';
import { makeUser } from '../support/users.ts';

/**
 * A device with a passkey store that verifies its user, as phones and laptops have.
 * @returns sets whether the user is there, who then also takes a suggestion as soon as there is one
 */
async function addAuthenticator(page: Page): Promise<(isPresent: boolean) => Promise<unknown>> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return (enabled) =>
    cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled });
}

const PASSWORD = 'Current password';

describe('The second factor in the console', () => {
  // Passkeys need a host name.
  const { app, open: openPage, heading } = useConsole({ PAVIS_HOST: 'localhost' });
  // Not in the page of an earlier test, which can have a virtual authenticator.
  const open = (path: string) => openPage(path, {});
  const codeOf = (secret: string) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: app.clock.now() });

  async function enterPassword(
    page: Page,
    { login, password }: { login: string; password: string },
  ) {
    await page.getByLabel('Login').fill(login);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  }

  async function confirm(page: Page, password: string, button = 'Continue') {
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(PASSWORD).fill(password);
    await dialog.getByRole('button', { name: button }).click();
    await dialog.waitFor({ state: 'detached' });
  }

  it('is set up with an app, asked for at the next sign-in, and removed', async () => {
    const user = await makeUser(app.platform);
    const { page, faults } = await open('/profile');
    await enterPassword(page, user);
    await heading(page, 'Your account').waitFor();
    await page.getByText('Only your password protects this account').waitFor();
    await page.getByRole('button', { name: 'Add authenticator app' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(PASSWORD).fill('a guess');
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await dialog.getByText('The current password is wrong.').waitFor();
    await isForEverybody(page);
    await confirm(page, user.password);

    await page.getByRole('img', { name: /^QR code/ }).waitFor();
    const secret = await page.getByRole('textbox', { name: 'Secret' }).inputValue();
    await isForEverybody(page);
    await page.getByLabel('2. Enter the code').fill('000000');
    await page.getByRole('button', { name: 'Confirm the code' }).click();
    await page.getByText('The code is wrong').waitFor();
    await page.getByLabel('2. Enter the code').fill(codeOf(secret));
    await page.getByRole('button', { name: 'Confirm the code' }).click();
    const shown = page.getByRole('region', { name: 'Recovery codes' });
    const codes = (await shown.getByRole('textbox').inputValue()).split('\n');
    expect(codes).toHaveLength(10);
    await page.getByText('10 of 10 left').waitFor();
    await isForEverybody(page);
    await page.getByRole('button', { name: 'I have saved them' }).click();
    await shown.waitFor({ state: 'detached' });

    app.clock.advance(30_000);
    await page.context().clearCookies();
    await page.goto(`${app.url}/admin/profile`);
    await enterPassword(page, user);
    await heading(page, 'Confirm that it is you').waitFor();
    const focusedCode = page.getByLabel('Code', { exact: true }).and(page.locator(':focus'));
    await focusedCode.waitFor();
    await isForEverybody(page);
    // By keyboard alone.
    await page.keyboard.type('000000');
    await page.keyboard.press('Enter');
    await page.getByText('The code is wrong, has expired, or was used before.').waitFor();
    await focusedCode.waitFor();
    await page.keyboard.type(codeOf(secret));
    await page.keyboard.press('Enter');
    await heading(page, 'Your account').waitFor();

    await page.context().clearCookies();
    await page.goto(`${app.url}/admin/sign-in`);
    await enterPassword(page, user);
    await page.getByRole('button', { name: 'Use a recovery code' }).click();
    await page.getByLabel('Recovery code').fill(codes[0] as string);
    await page.setViewportSize(DESK);
    await isForEverybody(page);
    await page.getByRole('button', { name: 'Confirm' }).click();
    await heading(page, 'Overview').waitFor();
    await page.goto(`${app.url}/admin/profile`);
    await page.getByText('9 of 10 left').waitFor();

    await page.getByRole('button', { name: 'Remove authenticator app' }).click();
    await page.getByText('Your password alone is then enough').waitFor();
    await confirm(page, user.password, 'Remove');
    await page.getByText('Only your password protects this account').waitFor();
    expect(faults).toEqual([]);
  });

  it('keeps new recovery codes in view until they are saved or deleted', async () => {
    const user = await makeUser(app.platform, 'editor');
    const { page, faults } = await open('/profile');
    await addAuthenticator(page);
    await page.reload();
    await enterPassword(page, user);
    const shown = page.getByRole('region', { name: 'Recovery codes' });
    const setUpApp = async (button: string) => {
      await page.getByRole('button', { name: button }).click();
      await confirm(page, user.password);
      const secret = await page.getByRole('textbox', { name: 'Secret' }).inputValue();
      await page.getByLabel('2. Enter the code').fill(codeOf(secret));
      await page.getByRole('button', { name: 'Confirm the code' }).click();
    };
    await setUpApp('Add authenticator app');
    await page.getByText('The authenticator app was added.').waitFor();
    const codes = await shown.getByRole('textbox').inputValue();
    await setUpApp('Replace authenticator app');
    await page.getByText('The authenticator app was replaced.').waitFor();
    expect(await shown.getByRole('textbox').inputValue()).toBe(codes);
    await page.getByLabel('Name of the passkey').fill('Laptop');
    await page.getByRole('button', { name: 'Add passkey' }).click();
    await confirm(page, user.password);
    await page.getByRole('button', { name: 'Remove authenticator app' }).click();
    await confirm(page, user.password, 'Remove');
    await page.getByText('The authenticator app was removed.').waitFor();
    expect(await shown.getByRole('textbox').inputValue()).toBe(codes);
    await page.getByRole('button', { name: 'Remove Laptop' }).click();
    await confirm(page, user.password, 'Remove');
    await shown.waitFor({ state: 'detached' });
    expect(faults).toEqual([]);
  });

  it('is a passkey that is added, signs in without the password and after it, and is renamed and removed', async () => {
    const user = await makeUser(app.platform, 'subscriber');
    const { page, faults } = await open('/profile');
    const setPresent = await addAuthenticator(page);
    await page.reload();
    await enterPassword(page, user);
    await heading(page, 'Your account').waitFor();
    await page.getByRole('button', { name: 'Add passkey' }).click();
    await page.getByText('Enter a name, for example Laptop.').waitFor();
    await page.getByLabel('Name of the passkey').fill('Laptop');
    await page.getByRole('button', { name: 'Add passkey' }).click();
    await confirm(page, user.password);
    await page.getByRole('region', { name: 'Recovery codes' }).waitFor();
    const passkeys = page.getByRole('list', { name: 'Passkeys' });
    await passkeys.getByText(/never used/).waitFor();
    await isForEverybody(page);
    await page.setViewportSize(DESK);
    await isForEverybody(page);

    await page.getByRole('button', { name: 'Rename Laptop' }).click();
    await page.getByLabel('New name').fill('Work laptop');
    await isForEverybody(page);
    await page.getByRole('button', { name: 'Save name' }).click();
    await page.getByText('Work laptop').waitFor();

    await page.context().clearCookies();
    await setPresent(false);
    await page.goto(`${app.url}/admin/sign-in?next=/admin/profile`);
    await enterPassword(page, user);
    await heading(page, 'Confirm that it is you').waitFor();
    await isForEverybody(page);
    await setPresent(true);
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await heading(page, 'Your account').waitFor();
    await passkeys.getByText(/last used/).waitFor();

    await page.getByRole('button', { name: 'Remove Work laptop' }).click();
    await confirm(page, user.password, 'Remove');
    await page.getByText('Only your password protects this account').waitFor();
    expect(faults).toEqual([]);
  });

  it('is a passkey that signs in from the suggestions of the login field, or by the button', async () => {
    const user = await makeUser(app.platform);
    const { page, faults } = await open('/profile');
    await addAuthenticator(page);
    await page.reload();
    await enterPassword(page, user);
    await page.getByLabel('Name of the passkey').fill('Phone');
    await page.getByRole('button', { name: 'Add passkey' }).click();
    await confirm(page, user.password);
    await page.getByRole('region', { name: 'Recovery codes' }).waitFor();
    await page.context().clearCookies();
    await page.goto(`${app.url}/admin/sign-in?next=/admin/profile`);
    // Without suggestions, the button does it.
    await Promise.race([
      heading(page, 'Your account').waitFor(),
      page
        .getByRole('button', { name: 'Sign in with a passkey' })
        .click()
        .catch(() => {}),
    ]);
    await heading(page, 'Your account').waitFor();
    expect(faults).toEqual([]);
  });

  it('is reset by an administrator on the page of the user', async () => {
    const user = await makeUser(app.platform, 'editor');
    const boss = await makeUser(app.platform);
    await app.platform.datastore.db
      .insertInto('passkeys')
      .values({
        ...{ user_id: user.id, credential_id: 'x', public_key: 'x', counter: 0, transports: '[]' },
        ...{ name: 'Laptop', created_at: app.clock.now(), last_used_at: null },
      })
      .execute();
    const { page } = await open(`/users/${user.id}`);
    await enterPassword(page, boss);
    await page.getByRole('button', { name: 'Reset second factor' }).click();
    await page.getByText('This server sends no email: tell the user yourself.').waitFor();
    // With a mail server, also while the sign-in methods cannot be loaded.
    await page.route('**/console/sign-in', (route) => route.abort());
    await page.route('**/console/session', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), is_mail_sent: true } });
    });
    await page.reload();
    await page.getByRole('button', { name: 'Reset second factor' }).click();
    await page.getByText('The user gets an email.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Reset' }).click();
    await page.getByText(`The second factor of ${user.login} was reset.`).waitFor();
    await page.getByRole('button', { name: 'Reset second factor' }).waitFor({ state: 'detached' });
  });

  it('is joined by single sign-on, which an administrator unlinks on the page of the user', async () => {
    const user = await makeUser(app.platform, 'editor');
    const boss = await makeUser(app.platform);
    await app.platform.datastore.db
      .insertInto('user_identities')
      .values({
        ...{ user_id: user.id, issuer: 'https://login.example', subject: '1' },
        ...{ created_at: app.clock.now(), last_used_at: app.clock.now() },
      })
      .execute();
    const { page } = await open(`/users/${user.id}`);
    await enterPassword(page, boss);
    const unlink = page.getByRole('button', { name: 'Unlink single sign-on' });
    const dialog = page.getByRole('dialog');
    await unlink.click();
    // Without a provider, nobody is linked.
    await dialog.getByText(/no longer signs in to this account.* everywhere\.$/).waitFor();
    await dialog.getByRole('button', { name: 'Unlink' }).click();
    await page.getByText(`${user.login} is unlinked from single sign-on.`).waitFor();
    await unlink.waitFor({ state: 'detached' });
  });

  it('says why the server refuses a passkey from the suggestions, and suggests again', async () => {
    const user = await makeUser(app.platform, 'subscriber');
    const { page } = await open('/profile');
    const setPresent = await addAuthenticator(page);
    await page.reload();
    await enterPassword(page, user);
    await heading(page, 'Your account').waitFor();
    await page.getByLabel('Name of the passkey').fill('Laptop');
    await page.getByRole('button', { name: 'Add passkey' }).click();
    await confirm(page, user.password);
    await page.getByRole('region', { name: 'Recovery codes' }).waitFor();
    await setPresent(false);
    await page.context().clearCookies();
    let began = 0;
    await page.route('**/console/session/passkey/options', (route) => {
      began += 1;
      return route.continue();
    });
    await page.route('**/console/session/passkey', async (route) => {
      await setPresent(false);
      const body = { code: 'invalid_passkey', message: 'The passkey was not accepted.' };
      await route.fulfill({ status: 401, json: { ...body, data: { status: 401 } } });
    });
    await setPresent(true);
    await page.goto(`${app.url}/admin/sign-in`);
    await page.getByRole('alert').getByText('The passkey was not accepted.').waitFor();
    expect(began).toBe(2);
    await isForEverybody(page);
    await page.unroute('**/console/session/passkey');
    await setPresent(true);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await heading(page, 'Overview').or(heading(page, 'Your account')).waitFor();
  });
});

describe('The second factor at an address without passkeys', () => {
  const { openSignedIn, open } = useConsole();

  it('says why there are none, and the sign-in page has no button for them', async () => {
    const page = await openSignedIn('/profile');
    await page.getByText(/Passkeys need an https address .* is an IP address/).waitFor();
    expect(await page.getByRole('button', { name: 'Add passkey' }).count()).toBe(0);
    const { page: door } = await open('/sign-in');
    await door.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    expect(await door.getByRole('button', { name: /passkey/ }).count()).toBe(0);
  });
});

describe('A required second factor in the console', () => {
  const {
    app,
    open: openPage,
    heading,
  } = useConsole({
    PAVIS_HOST: 'localhost',
    PAVIS_REQUIRE_SECOND_FACTOR: 'administrators',
  });
  const open = (path: string) => openPage(path, {});

  it('is set up after the password, by keyboard alone, before any page opens', async () => {
    const user = await makeUser(app.platform);
    const { page, faults } = await open('/users');
    await page.getByLabel('Login').fill(user.login);
    await page.getByLabel('Password', { exact: true }).fill(user.password);
    await page.keyboard.press('Enter');
    await heading(page, 'Set up a second factor').waitFor();
    await page.getByRole('button', { name: 'Add passkey' }).waitFor();
    await isForEverybody(page);
    await page.setViewportSize(DESK);
    await isForEverybody(page);
    await page.goto(`${app.url}/admin/users`);
    await heading(page, 'Set up a second factor').waitFor();
    await page.getByRole('button', { name: 'Add authenticator app' }).press('Enter');
    await page.getByRole('dialog').getByLabel(PASSWORD).fill(user.password);
    await page.keyboard.press('Enter');
    const secret = await page.getByRole('textbox', { name: 'Secret' }).inputValue();
    await isForEverybody(page);
    await page
      .getByLabel('2. Enter the code')
      .fill(
        new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: app.clock.now() }),
      );
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'Recovery codes' }).waitFor();
    await isForEverybody(page);
    await page.getByRole('button', { name: 'I have saved them' }).press('Enter');
    await heading(page, 'Users').waitFor();
    await page.getByRole('cell', { name: 'Yes' }).waitFor();
    await page.goto(`${app.url}/admin/profile`);
    await page.getByText('To remove the one that you have, add another one first.').waitFor();
    await page.getByRole('button', { name: 'Replace authenticator app' }).waitFor();
    expect(await page.getByRole('button', { name: 'Remove authenticator app' }).count()).toBe(0);
    await isForEverybody(page);
    await page.goto(`${app.url}/admin/users`);
    await heading(page, 'Users').waitFor();
    // As after a reset, while the console is open: the next answer of the server leads there.
    await app.platform.datastore.db.deleteFrom('authenticator_apps').execute();
    await page.getByLabel('Search by login or address').fill(user.login);
    await heading(page, 'Set up a second factor').waitFor();
    expect(faults).toEqual([]);
  });

  it('can be declined by signing out', async () => {
    const user = await makeUser(app.platform);
    const { page } = await open('/profile');
    await page.getByLabel('Login').fill(user.login);
    await page.getByLabel('Password', { exact: true }).fill(user.password);
    await page.keyboard.press('Enter');
    await heading(page, 'Set up a second factor').waitFor();
    const signOut = page.getByRole('button', { name: 'Sign out' });
    await page.route('**/console/session', (route) =>
      route.request().method() === 'DELETE' ? route.fulfill({ status: 503 }) : route.continue(),
    );
    await signOut.press('Enter');
    await page.getByText('The server answered 503.').waitFor();
    await heading(page, 'Set up a second factor').waitFor();
    await page.unroute('**/console/session');
    await signOut.press('Enter');
    await heading(page, 'Sign in').waitFor();
  });
});
