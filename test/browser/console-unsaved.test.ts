import fc from 'fast-check';
import type { BrowserContext, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { changedFields, merge } from '../../web/console/components/merge.ts';
import { isForEverybody } from '../support/accessible.ts';
import { useConsole } from '../support/console.ts';
import { makeUser } from '../support/users.ts';

describe('Unsaved settings in the console', () => {
  const { app, openSignedIn, open, heading } = useConsole({ PAVIS_CHROMIUM: 'off' });
  const textsIn = async () =>
    (await app.http.get('/wp-json/svc/v1/consent/texts?language=en')).json;
  const save = (page: Page) => page.getByRole('button', { name: 'Publish' }).click();
  const saved = (page: Page) =>
    page.getByText('Published. Visitors see this version from now on.').waitFor();
  const endSessions = (context: BrowserContext) => context.clearCookies();
  const leaving = (page: Page) => page.getByRole('dialog', { name: 'Leave without saving?' });
  const title = (page: Page) => page.getByRole('textbox', { name: 'Title', exact: true });

  it('ask for confirmation before a link, the back button or signing out', async () => {
    const page = await openSignedIn('/scripts');
    await page.getByRole('link', { name: 'Banner' }).click();
    await title(page).fill('Not saved');
    for (const leave of [
      () => page.getByRole('link', { name: 'Vendors' }).click(),
      () => page.goBack(),
      () => page.getByRole('button', { name: 'Sign out' }).click(),
    ]) {
      await leave();
      await leaving(page).getByRole('button', { name: 'Keep editing' }).click();
      await leaving(page).waitFor({ state: 'detached' });
      expect(await title(page).inputValue()).toBe('Not saved');
    }
    // Adding a language changes the URL, but stays in the form.
    await page.getByRole('combobox', { name: 'Add a language' }).fill('Polish');
    await page.getByRole('option', { name: 'Polish' }).click();
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('status').getByText('translated into Polish').waitFor();
    await page.getByRole('link', { name: 'Vendors' }).click();
    await leaving(page).getByRole('button', { name: 'Discard changes' }).click();
    await heading(page, 'Vendors').waitFor();
    await page.getByRole('link', { name: 'Banner' }).click();
    expect(await title(page).inputValue()).not.toBe('Not saved');
    await page.getByRole('link', { name: 'Vendors' }).click();
    await heading(page, 'Vendors').waitFor();
  });

  it('ask for confirmation before the tab is reloaded, and are restored afterwards', async () => {
    const page = await openSignedIn('/banner');
    await title(page).fill('Reloaded');
    const asked = page.waitForEvent('dialog');
    const reloading = page.reload();
    const dialog = await asked;
    expect(dialog.type()).toBe('beforeunload');
    await dialog.accept();
    await reloading;
    const restored = page.getByRole('status', { name: 'Unsaved changes were restored.' });
    await restored.waitFor();
    expect(await title(page).inputValue()).toBe('Reloaded');
    await restored.getByRole('button', { name: 'Discard changes' }).click();
    await page.getByText('Unsaved changes were restored.').waitFor({ state: 'detached' });
    expect(await title(page).inputValue()).not.toBe('Reloaded');
  });

  it('are restored after the session has expired, for the same user only', async () => {
    const { page } = await open('/banner');
    const [ada, eve] = [await makeUser(app.platform), await makeUser(app.platform)];
    const signIn = async ({ login, password }: { login: string; password: string }) => {
      await page.getByLabel('Login').fill(login);
      await page.getByRole('textbox', { name: 'Password' }).fill(password);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await heading(page, 'Banner').waitFor();
    };
    await signIn(ada);
    await title(page).fill('Typed before the end');
    await endSessions(page.context());
    await save(page);
    await heading(page, 'Sign in').waitFor();
    await signIn(eve);
    await title(page).waitFor();
    expect(await title(page).inputValue()).not.toBe('Typed before the end');
    await endSessions(page.context());
    await page.reload();
    await signIn(ada);
    await page.getByText('Unsaved changes were restored.').waitFor();
    expect(await title(page).inputValue()).toBe('Typed before the end');
    await save(page);
    await saved(page);
    expect((await textsIn()).title).toBe('Typed before the end');
  });

  it('of two editors are merged after the second one confirms the changes of the first', async () => {
    const [one, two] = [await openSignedIn('/banner'), await openSignedIn('/banner')];
    await title(one).fill('From the first');
    await title(two).waitFor();
    await two.getByRole('textbox', { name: 'Message', exact: true }).fill('From the second');
    await two.getByLabel('Name of category 2').fill('Counting');
    await save(one);
    await saved(one);
    await save(two);
    const dialog = two.getByRole('dialog', { name: /^User\d+ has saved other changes$/ });
    await dialog.getByText('From the first').waitFor();
    await isForEverybody(two);
    await dialog.getByRole('button', { name: 'Save both' }).click();
    await saved(two);
    const texts = await textsIn();
    expect([texts.title, texts.message, texts.categories.analytics.label]).toEqual([
      'From the first',
      'From the second',
      'Counting',
    ]);
  });

  it('of two editors to the same text are shown as a choice', async () => {
    const [one, two] = [await openSignedIn('/banner'), await openSignedIn('/banner')];
    await title(one).fill('Theirs');
    await title(two).fill('Mine');
    await two.getByRole('textbox', { name: 'Message', exact: true }).fill('Mine alone');
    await save(one);
    await saved(one);
    await save(two);
    const dialog = two.getByRole('dialog', { name: /has saved other changes$/ });
    const choice = dialog.getByRole('radiogroup', { name: 'Title' });
    expect(await choice.getByRole('radio', { name: 'Yours: Mine' }).isChecked()).toBe(true);
    await isForEverybody(two);
    await choice.getByRole('radio', { name: /Theirs$/ }).check();
    await dialog.getByRole('button', { name: 'Save my choice' }).click();
    await saved(two);
    const texts = await textsIn();
    expect([texts.title, texts.message]).toEqual(['Theirs', 'Mine alone']);
  });

  it('are saved without confirmation if another user changed a different section', async () => {
    const [one, two] = [await openSignedIn('/banner'), await openSignedIn('/settings')];
    await two.getByLabel('Pages per scan').fill('77');
    await title(one).fill('Beside the scanner');
    await two.getByRole('button', { name: 'Save scanner settings' }).click();
    await two.getByText('The scanner settings were saved.').waitFor();
    await save(one);
    await saved(one);
    expect((await textsIn()).title).toBe('Beside the scanner');
  });
});

describe('Merging two changes of the same settings', () => {
  const text = fc.constantFrom('a', 'b', 'c', '');
  const settings = fc.record({
    title: text,
    enabled: fc.boolean(),
    languages: fc.uniqueArray(fc.constantFrom('en', 'de', 'fr')),
    categories: fc.uniqueArray(
      fc.record({ id: fc.constantFrom('x', 'y', 'z'), label: text, required: fc.boolean() }),
      { selector: ({ id }) => id },
    ),
  });

  it('takes the changed side if only one side has changed', () => {
    fc.assert(
      fc.property(settings, settings, (base, changed) => {
        expect(merge(base, base, changed).merged).toEqual(changed);
        expect(merge(base, changed, base)).toEqual({ merged: changed, differences: [] });
        expect(merge(base, changed, changed)).toEqual({ merged: changed, differences: [] });
      }),
    );
  });

  it('keeps texts that only one side has changed, and reports conflicts only where both differ', () => {
    fc.assert(
      fc.property(settings, settings, settings, (base, mine, theirs) => {
        const { merged, differences } = merge(base, mine, theirs);
        if (base.title === mine.title) expect(merged.title).toBe(theirs.title);
        else expect(merged.title).toBe(mine.title);
        for (const { isConflict, base: before, mine: my, theirs: their } of differences) {
          expect(before).not.toEqual(their);
          if (isConflict) expect([before, their]).not.toContainEqual(my);
        }
        const choices = Object.fromEntries(
          differences.map(({ path }) => [path.join('/'), 'theirs' as const]),
        );
        const { merged: given } = merge(base, mine, theirs, choices);
        if (base.title !== theirs.title) expect(given.title).toBe(theirs.title);
      }),
    );
  });

  it('sends only changed fields', () => {
    const base = { title: 'a', languages: ['en'] };
    expect(changedFields(base, { title: 'b', languages: ['en'] })).toEqual({ title: 'b' });
  });
});
