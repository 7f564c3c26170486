import { describe, expect, it } from 'vitest';
import { useConsole } from '../support/console.ts';
import { dsarDesk, tokenIn } from '../support/dsar.ts';
import { atKeyboard } from '../support/keyboard.ts';

describe('By keyboard alone, requests', () => {
  const { app, openSignedIn, heading } = useConsole();

  it('are found, and each way is gone with them', async () => {
    const desk = dsarDesk(app);
    const { reference } = await desk.request({ request_type: 'access' });
    await desk.request({ request_type: 'deletion' });
    const page = await openSignedIn('/requests');
    const keys = atKeyboard(page);
    await keys.type(page.getByLabel('Status'), 'Received');
    await keys.type(page.getByLabel('Asked for'), 'Access');
    await keys.type(page.getByLabel('Search by reference, name or address'), reference);
    await keys.sees('1 request');
    await keys.press(keys.link(reference));
    await keys.isAt(heading(page, reference));

    await keys.press(keys.button('Assign to me'));
    await keys.isAt(keys.button('Remove my assignment'));
    await keys.press(keys.button('Extend the deadline'));
    await keys.press(keys.button('Cancel'));
    await keys.isAt(keys.button('Extend the deadline'));
    await page.keyboard.press('Enter');
    await keys.isAt(page.getByLabel('Reason'));
    await page.keyboard.type('It is a great deal.');
    await keys.press(keys.button('Extend'));
    await keys.sees('The request was changed.');
    await keys.button('Extend the deadline').waitFor({ state: 'detached' });

    const moves = [
      { name: 'Work on it', takes: [] },
      { name: 'Put on hold', takes: ['Ground', 'Identity'] },
      { name: 'Work on it', takes: [] },
      { name: 'Refuse', takes: ['Ground', 'Unfounded'] },
      { name: 'Open it again', takes: [] },
      { name: 'Note as withdrawn', takes: [] },
      { name: 'Open it again', takes: [] },
    ];
    for (const {
      name,
      takes: [ground, why = ''],
    } of moves) {
      await keys.press(keys.button(name));
      const form = page.locator('form', { hasText: 'The one who asked is told' });
      if (name !== 'Work on it') {
        if (ground) {
          await keys.isAt(page.getByLabel(ground));
          await page.keyboard.type(why);
        }
        await keys.type(page.getByLabel(/^Reason/), 'As was said.');
        await keys.press(form.getByRole('button').first());
      }
      await form.waitFor({ state: 'detached' });
      await keys.button(name).waitFor({ state: 'detached' });
      await keys.sees('What next');
    }
    await keys.type(page.getByLabel('Add a note'), 'Asked the shop.');
    await keys.press(keys.button('Add the note'));
    await keys.sees('Asked the shop.');
    await keys.isAt(keys.button('Add the note'));
    await keys.press(keys.button('Delete this request'));
    await keys.sure('Delete');
    await keys.isAt(heading(page, 'Requests'));
  });

  it('have sources left out with a reason, and are completed with another', async () => {
    const desk = dsarDesk(app);
    const { id } = await desk.request({ request_type: 'access' });
    await desk.admin('PUT', `/dsar/cases/${id}`, { status: 'in_progress' });
    const page = await openSignedIn(`/requests/${id}`);
    const keys = atKeyboard(page);
    const leave = keys.button(/^Leave out: /).first();
    await keys.press(leave);
    const why = page.getByRole('textbox', { name: /is left out$/ });
    await keys.isAt(why);
    await keys.press(keys.button('Cancel'));
    await keys.isAt(leave);
    await page.keyboard.press('Enter');
    await keys.isAt(why);
    await page.keyboard.type('It holds nobody who is not a customer.');
    await keys.press(keys.button('Leave out'));
    await keys.sees('Skipped');
    const { json: tasks } = await desk.admin('GET', `/dsar/cases/${id}/tasks`);
    const skipped = tasks.filter(({ status }: { status: string }) => status === 'skipped');
    expect(skipped.map(({ reason }: { reason: string }) => reason)).toEqual([
      'It holds nobody who is not a customer.',
    ]);
    await keys.press(keys.button('Complete'));
    await keys.isAt(page.getByLabel('Reason'));
    await page.keyboard.type('Nothing else is held.');
    await keys.press(keys.button('Complete'));
    await keys.sees('The request was changed.');
    await keys.button('Open it again').waitFor();
    await keys.sees('What next');
  });

  it('have their package taken, and a mail that did not arrive sent again', async () => {
    const desk = dsarDesk(app);
    const { id } = await desk.request({ request_type: 'access' });
    for (const mail of await desk.mails()) await desk.verify(tokenIn(mail));
    await desk.admin('PUT', `/dsar/cases/${id}`, { status: 'in_progress' });
    await desk.work();
    const page = await openSignedIn(`/requests/${id}`);
    const keys = atKeyboard(page);
    const download = page.waitForEvent('download');
    await keys.press(keys.link('Package'));
    expect((await download).suggestedFilename()).toMatch(/\.zip$/);
    const other = await desk.request({ request_type: 'access' });
    await app.platform.datastore.db
      .updateTable('outbox_mails')
      .set({ status: 'dead' })
      .where('status', '=', 'pending')
      .execute();
    await page.goto(`${app.url}/admin/requests/${other.id}`);
    await keys.press(keys.button(/^Send again/));
    await keys.button(/^Send again/).waitFor({ state: 'detached' });
    await keys.sees('It is tried once more.');
  });
});
