import { describe, expect, it } from 'vitest';
import { useConsole } from '../support/console.ts';
import { createDsarClient } from '../support/dsar.ts';
import { atKeyboard } from '../support/keyboard.ts';

describe('Keyboard-only use of the record of processing', () => {
  const { app, openSignedIn, heading } = useConsole();

  it('adds, finds, changes and deletes a vendor', async () => {
    const page = await openSignedIn('/vendors');
    const keys = atKeyboard(page);
    const name = page.getByRole('textbox', { name: 'Name', exact: true });
    await keys.press(keys.link('New vendor'));
    await keys.isAt(heading(page, 'New vendor'));
    await keys.press(keys.button('Add vendor'));
    // The focus moves to the field with the missing value.
    await keys.isAt(name);
    await page.keyboard.type('Curlew Mail');
    await keys.type(page.getByLabel('Consent category'), 'Strictly necessary');
    await keys.press(keys.button('Add vendor'));
    await keys.isAt(heading(page, 'Curlew Mail'));
    await keys.press(page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link'));
    await keys.isAt(heading(page, 'Vendors'));
    await keys.type(page.getByLabel('Search by name'), 'Curlew');
    await keys.sees('1 vendor');
    await keys.press(keys.link('Curlew Mail'));
    await keys.isAt(heading(page, 'Curlew Mail'));
    await keys.type(page.getByLabel('Purpose'), 'Newsletters');
    await keys.press(keys.button('Save changes'));
    await keys.sees('The changes were saved.');
    await keys.isAt(keys.button('Save changes'));
    await keys.press(keys.button('Delete'));
    await keys.press(page.getByRole('dialog').getByRole('button', { name: 'Cancel' }));
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await keys.isAt(keys.button('Delete'));
    await page.keyboard.press('Enter');
    await keys.sure('Delete');
    await keys.isAt(heading(page, 'Vendors'));
  });

  it('adds, shows, exports, changes and deletes an entry of the data map', async () => {
    const page = await openSignedIn('/data-map');
    const keys = atKeyboard(page);
    await keys.press(keys.link('New entry'));
    await keys.isAt(heading(page, 'New entry'));
    await keys.type(page.getByLabel('Vendor'), 'Matomo');
    await keys.type(page.getByLabel('Legal basis'), 'Contract');
    await keys.type(page.getByLabel('Purpose'), 'Counting visits');
    await keys.type(page.getByLabel('Data categories'), 'Pages seen');
    await keys.type(page.getByLabel('Review date'), '12312031');
    await keys.press(keys.button('Add entry'));
    await keys.isAt(heading(page, 'Matomo'));

    await keys.press(page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link'));
    await keys.press(keys.link('Diagram'));
    const picture = page.getByRole('region', { name: 'Sankey diagram of the data map' });
    await keys.sees(/The table lists the\s+same entries\./);
    await keys.press(picture.getByRole('link', { name: 'Matomo' }));
    await keys.isAt(heading(page, 'Matomo'));
    await keys.press(page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link'));
    await keys.type(page.getByLabel('Status'), 'Active');
    await keys.type(page.getByLabel('Search by purpose or vendor'), 'visits');
    await keys.sees('1 entry');
    const csv = page.waitForEvent('download');
    await keys.press(keys.link('CSV'));
    expect((await csv).suggestedFilename()).toMatch(/\.csv$/);
    const printed = page.context().waitForEvent('page');
    await keys.press(keys.link('Print'));
    await (await printed).getByText('Counting visits').first().waitFor();
    await page.bringToFront();

    await keys.press(keys.link('Matomo'));
    await keys.type(page.getByLabel('Retention period'), '14 months');
    await keys.press(keys.button('Save changes'));
    await keys.sees('The changes were saved.');
    await keys.press(keys.button('Delete'));
    await keys.sure('Delete');
    await keys.isAt(heading(page, 'Data map'));
  });

  it('adds a script, switches it off and on, changes and deletes it', async () => {
    const page = await openSignedIn('/scripts', {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const keys = atKeyboard(page);
    await keys.press(keys.link('New script'));
    await keys.type(page.getByLabel('Label'), 'Lumen');
    await keys.type(page.getByLabel('URL'), 'https://lumen.example/lumen.js');
    await keys.type(page.getByLabel('Consent category'), 'Marketing');
    await keys.type(page.getByLabel('Blocking method'), 'type');
    await keys.press(keys.button('Add script'));
    await keys.isAt(heading(page, 'Lumen'));
    await keys.press(keys.button('Copy'));
    await keys.sees('Copied');
    expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(
      /data-pavis-script="lumen"/,
    );
    await keys.press(page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link'));
    await keys.type(page.getByLabel('Category'), 'Marketing');
    const isOn = page.getByRole('switch', { name: 'Lumen is active' });
    for (const state of [false, true]) {
      await keys.press(isOn, 'Space');
      await page.getByRole('switch', { name: 'Lumen is active', checked: state }).waitFor();
      await keys.isAt(isOn);
    }
    await keys.press(keys.link('Lumen'));
    await keys.press(page.getByRole('switch', { name: 'Active' }), 'Space');
    await keys.press(keys.button('Save changes'));
    await keys.sees('The changes were saved.');
    await keys.press(keys.button('Delete'));
    await keys.sure('Delete');
    await keys.isAt(heading(page, 'Scripts'));
  });

  it('adds a retention policy, does a dry run and a run, changes and deletes the policy', async () => {
    const page = await openSignedIn('/retention');
    const keys = atKeyboard(page);
    await keys.press(keys.link('New policy'));
    await keys.type(page.getByRole('textbox', { name: 'Name' }), 'Old decisions');
    await keys.type(page.getByLabel('Records'), 'Consent');
    await keys.type(page.getByRole('textbox', { name: 'Retention period' }), '3');
    await keys.type(page.getByLabel('Unit'), 'Years');
    await keys.type(page.getByLabel('Action'), 'Delete');
    await keys.press(keys.button('Add policy'));
    await keys.isAt(heading(page, 'Old decisions'));
    await keys.press(page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link'));
    await keys.press(keys.link('Run now'));
    await keys.isAt(keys.link('Run now'));
    await keys.press(keys.button('Dry run'));
    await keys.sees(page.getByRole('table', { name: /^Dry run/ }));
    await keys.isAt(keys.button('Dry run'));
    await keys.press(keys.button('Run now'));
    await keys.sure('Run');
    await keys.sees(page.getByRole('table', { name: 'Run', exact: true }));
    await keys.isAt(keys.button('Dry run'));
    await keys.tabTo(keys.link('Runs'));
    await page.keyboard.press('Enter');
    await keys.sees(page.getByRole('table', { name: 'Runs' }));
    await keys.tabTo(keys.link('Policies'));
    await page.keyboard.press('Enter');
    await keys.press(keys.link('Old decisions'));
    await keys.press(page.getByRole('switch', { name: 'Active' }), 'Space');
    await keys.press(keys.button('Save changes'));
    await keys.sees('The changes were saved.');
    await keys.press(keys.button('Delete'));
    await keys.sure('Delete');
    await keys.isAt(heading(page, 'Retention'));
  });

  it('places and releases a legal hold', async () => {
    const page = await openSignedIn('/retention?view=holds');
    const keys = atKeyboard(page);
    await keys.type(page.getByLabel('Records'), 'Consent');
    await keys.type(page.getByRole('textbox', { name: 'Reason' }), 'An audit');
    await keys.press(keys.button('Hold all records'));
    const lift = keys.button('Release hold: An audit');
    await keys.press(lift);
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await keys.isAt(lift);
    await page.keyboard.press('Enter');
    await keys.sure('Release');
    await keys.sees('Enter a reason.');
    const reason = page.getByRole('dialog').getByRole('textbox', { name: 'Reason' });
    await keys.type(reason, 'It is over.');
    await keys.sure('Release');
    await page.getByText('The legal hold was released.').waitFor();
    await keys.sees('No legal holds');
    await page.getByRole('table', { name: 'Released holds' }).getByText('It is over.').waitFor();
    await keys.press(keys.link('Change history'));
    await page.getByRole('table', { name: 'Change history' }).getByText('An audit').waitFor();
  });

  it('pages through a long list to the end and back', async () => {
    const dsarClient = createDsarClient(app);
    for (let runs = 0; runs < 21; runs += 1) {
      await dsarClient.admin('POST', '/retention/run', { dry_run: false });
    }
    const page = await openSignedIn('/retention?view=history');
    const keys = atKeyboard(page);
    await keys.press(keys.button('Next page'));
    await keys.sees(/^21–/);
    // "Next page" is disabled on the last page, and the focus moves to the page number.
    await keys.isAt(keys.button('Page 2'));
    await keys.press(keys.button('Previous page'));
    await keys.sees(/^1–20/);
    await keys.isAt(keys.button('Page 1'));
  });
});
