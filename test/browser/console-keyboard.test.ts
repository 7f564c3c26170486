import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { useConsole } from '../support/console.ts';
import { dsarDesk } from '../support/dsar.ts';

const STOPS = 120;

describe('By keyboard alone', () => {
  const { app, openSignedIn, heading } = useConsole({ PAVIS_DEMO: 'on', PAVIS_CHROMIUM: 'off' });

  /** Goes on with the Tab key until it is there, and sees that one sees where one is. */
  async function tabTo(page: Page, target: Locator): Promise<void> {
    await target.first().waitFor();
    for (let stop = 0; stop < STOPS; stop += 1) {
      await page.keyboard.press('Tab');
      if ((await target.and(page.locator(':focus')).count()) === 0) continue;
      const outline = () =>
        page.evaluate<string>(
          `(({ outlineStyle, outlineWidth }) => outlineStyle + ' ' + outlineWidth)(getComputedStyle(document.activeElement))`,
        );
      await expect.poll(outline, { message: String(target) }).toBe('solid 2px');
      return;
    }
    throw new Error(`the Tab key never leads to ${target}`);
  }
  const press = async (page: Page, target: Locator, key = 'Enter') => {
    await tabTo(page, target);
    await page.keyboard.press(key);
  };

  it('the site is scanned, and what came before consent is made to wait', async () => {
    const page = await openSignedIn('/');
    await press(page, page.getByRole('link', { name: 'Scanner', exact: true }));
    await heading(page, 'Scanner').and(page.locator(':focus')).waitFor();
    await press(page, page.getByRole('button', { name: 'Start' }));
    await heading(page, /^Scan of/)
      .and(page.locator(':focus'))
      .waitFor();
    await page.getByRole('link', { name: /^Findings/ }).waitFor({ timeout: 25_000 });
    await press(page, page.getByRole('link', { name: /^Findings/ }));
    await press(page, page.getByRole('link', { name: /^Let it wait/ }).first());
    await heading(page, 'New script').and(page.locator(':focus')).waitFor();
    await press(page, page.getByRole('button', { name: 'Add script' }));
    await page.getByText('The script is in the registry.').waitFor();
  }, 60_000);

  it('a request is worked on, a source left out with a reason, and the mails are read', async () => {
    const desk = dsarDesk(app);
    const { id, email } = await desk.request({ request_type: 'access' });
    await desk.admin('PUT', `/dsar/cases/${id}`, { status: 'in_progress' });
    const page = await openSignedIn(`/requests/${id}`);
    await page.getByText(`to ${email}`).first().waitFor();
    await press(page, page.getByRole('button', { name: /^Leave out: / }).first());
    const why = page.getByRole('textbox', { name: /is left out$/ });
    await why.and(page.locator(':focus')).waitFor();
    await page.keyboard.type('It holds nobody who is not a customer.');
    await press(page, page.getByRole('button', { name: 'Leave out', exact: true }));
    await page.getByText('Skipped').first().waitFor();
    const { json: tasks } = await desk.admin('GET', `/dsar/cases/${id}/tasks`);
    const skipped = tasks.filter(({ status }: { status: string }) => status === 'skipped');
    expect(skipped.map(({ reason }: { reason: string }) => reason)).toEqual([
      'It holds nobody who is not a customer.',
    ]);
    await press(page, page.getByRole('button', { name: 'Complete' }));
    await page.getByText(/not done yet: say why/).waitFor();
  });

  it('records are held and let go, and a dialog gives the focus back', async () => {
    const page = await openSignedIn('/retention?view=holds');
    await tabTo(page, page.getByLabel('Records'));
    await page.keyboard.type('Consent');
    await tabTo(page, page.getByRole('textbox', { name: 'Why' }));
    await page.keyboard.type('An audit');
    await press(page, page.getByRole('button', { name: 'Hold', exact: true }));
    const lift = page.getByRole('button', { name: 'Lift the hold: An audit' });
    await press(page, lift);
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await lift.and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Enter');
    await press(page, page.getByRole('dialog').getByRole('button', { name: 'Lift' }));
    await page.getByText('The hold was lifted.').waitFor();
    await page.getByText('Nothing is held').waitFor();
  });

  it('a text of the banner is changed and saved', async () => {
    const page = await openSignedIn('/banner');
    await tabTo(page, page.getByRole('textbox', { name: 'Title' }));
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type('Your say');
    await press(page, page.getByRole('button', { name: 'Save and ask this' }));
    await page.getByText('Visitors are asked this from now on.').waitFor();
    const { settings } = (await app.http.get('/wp-json/svc/v1/consent/status')).json;
    expect(settings.title).toBe('Your say');
  });
});
