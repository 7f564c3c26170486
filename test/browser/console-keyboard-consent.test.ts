import { describe, expect, it } from 'vitest';
import { useConsole } from '../support/console.ts';
import { atKeyboard, type Keyboard } from '../support/keyboard.ts';

const RECORDS = 51;

describe('Keyboard-only use of consent records and the banner', () => {
  const { app, openSignedIn, heading } = useConsole();
  const publish = async (keys: Keyboard) => {
    await keys.press(keys.button('Publish'));
    // The message of an earlier publication can still be there.
    await keys.button('Discard changes').waitFor({ state: 'detached' });
    await keys.sees('Published. Visitors see this version from now on.');
  };

  it('searches, filters, pages through and exports consent records', async () => {
    for (let made = 0; made < RECORDS; made += 1) {
      const body = {
        visitor_id: `visitor-${made}`,
        consent_action: made ? 'accept_all' : 'reject_all',
      };
      await app.http.post('/wp-json/svc/v1/consent', { body });
    }
    const page = await openSignedIn('/consent');
    const keys = atKeyboard(page);
    await keys.press(keys.button('Next page'));
    await keys.sees('51–51 of 51 records');
    // "Next page" is disabled on the last page, and the focus moves to the page number.
    await keys.isAt(keys.button('Page 2'));
    await keys.type(page.getByLabel('Choice'), 'Rejected');
    await keys.sees(/^1 record$/);
    await keys.type(page.getByLabel('From', { exact: true }), '01012020');
    await keys.type(page.getByLabel('To', { exact: true }), '01012021');
    await keys.press(keys.button('Clear filters'));
    await keys.sees('1–50 of 51 records');
    await keys.type(page.getByLabel('Visitor ID (starts with)'), 'visitor-50');
    await keys.sees(/^1 record$/);
    for (const format of ['CSV', 'JSON']) {
      const download = page.waitForEvent('download');
      await keys.press(keys.link(format));
      expect((await download).suggestedFilename()).toMatch(new RegExp(`\\.${format}$`, 'i'));
    }
    await keys.press(keys.link('View statistics'));
    await keys.isAt(heading(page, 'Consent statistics'));
  });

  it('changes position and texts of the banner, previews it, and publishes or discards changes', async () => {
    const page = await openSignedIn('/banner');
    const keys = atKeyboard(page);
    await keys.type(page.getByLabel('Position'), 'Top left');
    await keys.type(page.getByLabel('Consent lifetime (days)'), '90');
    await keys.type(page.getByRole('textbox', { name: 'Title' }), 'Your say');
    await publish(keys);
    const { settings } = (await app.http.get('/wp-json/svc/v1/consent/status')).json;
    expect(settings.title).toBe('Your say');
    await keys.type(page.getByRole('textbox', { name: 'Title' }), 'Nobody’s say');
    await keys.press(keys.button('Discard changes'));
    await keys.sees(keys.button('Publish'));
    for (const name of ['Phone', 'Dark']) {
      await keys.press(keys.button(name), 'Space');
      await keys.isAt(page.getByRole('button', { name, pressed: true }));
    }
    // The preview of a centred banner does not trap the focus.
    await keys.type(page.getByLabel('Position'), 'Center');
    await page.frameLocator('iframe').locator('dialog[data-position=center]').waitFor();
    await keys.isAt(page.getByLabel('Position'));
    await keys.tabTo(page.getByRole('textbox', { name: 'Title' }));
    for (const wanted of [true, false]) {
      const isInside = () => page.evaluate<boolean>(`document.activeElement.tagName === 'IFRAME'`);
      for (let stop = 0; (await isInside()) !== wanted; stop += 1) {
        expect(stop).toBeLessThan(60);
        await page.keyboard.press('Tab');
      }
    }
    // The frame is last on the page: after it, the focus may move to the browser's own controls.
    await page.keyboard.press('Shift+Tab');
    await keys.press(keys.link('Version history'));
    // The position was changed and not saved.
    await keys.sure('Discard changes');
    await keys.isAt(heading(page, 'Banner versions'));
  });

  it('adds and removes categories and languages of the banner', async () => {
    const page = await openSignedIn('/banner');
    const keys = atKeyboard(page);
    await keys.press(keys.button('Add category'));
    const name = page.getByLabel('Name of category 5');
    await keys.tabTo(name);
    await page.keyboard.type('Maps');
    await keys.type(page.getByLabel('ID of category 5'), 'maps');
    await keys.press(keys.button('Remove Maps'));
    await name.waitFor({ state: 'detached' });
    await keys.sees(keys.button('Add category'));

    const another = page.getByRole('combobox', { name: 'Add a language' });
    await keys.type(another, 'French');
    await keys.sees(page.getByRole('option', { name: 'French · Français' }));
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    // The Tab key skips it until the choice has turned it on.
    await keys.button('Add').and(page.locator(':enabled')).waitFor();
    await keys.press(keys.button('Add'));
    await keys.sees('All texts are translated into French.');
    await keys.type(page.getByRole('textbox', { name: 'Title' }), 'Vos choix');
    const english = keys.button(/^English/);
    await keys.press(english);
    await keys.isAt(english);
    await keys.press(keys.button(/^French/));
    await publish(keys);
    await keys.press(keys.button('Remove French'));
    await keys.sure('Remove');
    await keys.button('Remove French').waitFor({ state: 'detached' });
    await keys.sees(another);
    await publish(keys);

    await keys.press(keys.link('Version history'));
    await keys.isAt(heading(page, 'Banner versions'));
    const compared = page.getByLabel('Compare with');
    await keys.tabTo(compared);
    await page.keyboard.press('ArrowDown');
    await keys.isAt(compared);
    await keys.press(keys.link('Version 1'));
    await keys.sees('This is the first version.');
    await keys.isAt(keys.link('Version 1'));
  });
});
