import { describe, expect, it } from 'vitest';
import { useConsole } from '../support/console.ts';
import { createDsarClient, tokenIn } from '../support/dsar.ts';
import { atKeyboard } from '../support/keyboard.ts';

describe('Keyboard-only use of requests', () => {
  const { app, openSignedIn, heading } = useConsole();

  it('finds a request, assigns it, changes its deadline and status, and deletes it', async () => {
    const dsarClient = createDsarClient(app);
    const { reference } = await dsarClient.request({ request_type: 'access' });
    await dsarClient.request({ request_type: 'deletion' });
    const page = await openSignedIn('/requests');
    const keys = atKeyboard(page);
    await keys.type(page.getByLabel('Status'), 'Received');
    await keys.type(page.getByLabel('Request type'), 'Access');
    await keys.type(page.getByLabel('Search by reference, name or email'), reference);
    await keys.sees('1 request');
    await keys.press(keys.link(reference));
    await keys.isAt(heading(page, reference));

    await keys.press(keys.button('Assign to me'));
    await keys.isAt(keys.button('Unassign'));
    await keys.press(keys.button('Extend the deadline'));
    // Before that, Tab would go on from the button, which is hidden, through the whole page.
    await keys.isAt(page.getByLabel('Reason'));
    await keys.press(keys.button('Cancel'));
    await keys.isAt(keys.button('Extend the deadline'));
    await page.keyboard.press('Enter');
    await keys.isAt(page.getByLabel('Reason'));
    await page.keyboard.type('It is a great deal.');
    await keys.press(keys.button('Extend'));
    await keys.sees('The request was updated.');
    await keys.button('Extend the deadline').waitFor({ state: 'detached' });

    await page.getByText(/^Sources are searched once .* or you select Start processing/).waitFor();
    const moves = [
      { name: 'Start processing', takes: [] },
      { name: 'Pause the request', takes: ['Ground', 'Identity'] },
      { name: 'Change the reason for the pause', takes: ['Ground', 'Legal'], stays: true },
      { name: 'Start processing', takes: [] },
      { name: 'Refuse', takes: ['Ground', 'Manifestly'] },
      { name: 'Reopen', takes: [] },
      { name: 'Mark as withdrawn', takes: [] },
      { name: 'Reopen', takes: [] },
    ];
    for (const {
      name,
      takes: [ground, why = ''],
      stays,
    } of moves) {
      await keys.press(keys.button(name));
      const form = page.locator('form', { hasText: 'Sent to the requester' });
      if (name !== 'Start processing') {
        if (ground) {
          await keys.isAt(page.getByLabel(ground));
          await keys.type(page.getByLabel(ground), why);
        }
        await keys.type(page.getByLabel(/^Reason/), 'As was said.');
        await keys.press(form.getByRole('button').first());
      }
      await form.waitFor({ state: 'detached' });
      if (!stays) await keys.button(name).waitFor({ state: 'detached' });
      await page.getByRole('region', { name: 'Actions' }).waitFor();
    }
    await keys.type(page.getByLabel('Note'), 'Asked the shop.');
    await keys.press(keys.button('Add note'));
    await keys.sees('Asked the shop.');
    await keys.isAt(keys.button('Add note'));
    await keys.press(keys.button('Delete request'));
    await keys.type(page.getByRole('textbox', { name: 'Reason' }), 'Sent twice.');
    await keys.sure('Delete');
    await keys.isAt(heading(page, 'Requests'));
  });

  it('leaves out a source with a reason, and completes the request with another reason', async () => {
    const dsarClient = createDsarClient(app);
    const { id } = await dsarClient.request({ request_type: 'access' });
    await dsarClient.admin('PUT', `/dsar/cases/${id}`, { status: 'in_progress' });
    const page = await openSignedIn(`/requests/${id}`);
    const keys = atKeyboard(page);
    const leave = keys.button(/^Leave out: /).first();
    await keys.press(leave);
    const why = page.getByRole('textbox', { name: /^Reason for leaving out: / });
    await keys.isAt(why);
    await keys.press(keys.button('Cancel'));
    await keys.isAt(leave);
    await page.keyboard.press('Enter');
    await keys.isAt(why);
    await page.keyboard.type('It holds nobody who is not a customer.');
    await keys.press(keys.button('Leave out'));
    await keys.sees('Skipped');
    const { json: tasks } = await dsarClient.admin('GET', `/dsar/cases/${id}/tasks`);
    const skipped = tasks.filter(({ status }: { status: string }) => status === 'skipped');
    expect(skipped.map(({ reason }: { reason: string }) => reason)).toEqual([
      'It holds nobody who is not a customer.',
    ]);
    await keys.press(keys.button('Complete'));
    const overall = page.getByLabel(/^Reason for leaving out \d/);
    // The longest reason, in letters of which a URL takes six characters each.
    await overall.fill('Я'.repeat(5_000));
    await keys.sees(`We do not send you a file with your data. ${'Я'.repeat(5_000)}`);
    await overall.fill('');
    await keys.type(overall, 'Nothing else is held.');
    // The preview shows the email as it will be sent.
    await keys.sees('Left out. It holds nobody who is not a customer.');
    await keys.sees('We do not send you a file with your data. Nothing else is held.');
    await keys.sure('Complete and send');
    await keys.sees('The request was updated.');
    await keys.button('Reopen').waitFor();
    await page.getByRole('region', { name: 'Actions' }).waitFor();
  });

  it('approves an erasure for some sources and refuses it for others, after confirmation', async () => {
    const dsarClient = createDsarClient(app);
    const { id } = await dsarClient.request({ request_type: 'deletion' });
    await dsarClient.admin('PUT', `/dsar/cases/${id}`, { status: 'in_progress' });
    const page = await openSignedIn(`/requests/${id}`);
    const keys = atKeyboard(page);
    const label = 'Emails';
    const choice = page.getByRole('combobox', { name: `Decision: ${label}` });
    await keys.type(choice, 'Refuse');
    await keys.type(page.getByLabel(`Ground: ${label}`), 'Legal claims');
    await keys.type(page.getByLabel(`Reason: ${label}`), 'A dispute is open.');
    await keys.press(keys.button('Save decisions'));
    await keys.sure('Cancel');
    await keys.isAt(keys.button('Save decisions'));
    const statuses = async () => {
      const { json } = await dsarClient.admin('GET', `/dsar/cases/${id}/tasks`);
      return json.map(({ status }: { status: string }) => status);
    };
    expect(new Set(await statuses())).toEqual(new Set(['waiting']));
    await page.keyboard.press('Enter');
    await keys.sees('Erased data cannot be restored.');
    await keys.sure('Erase');
    await keys.sees('The decisions were saved.');
    await page.getByRole('heading', { name: 'Approve the erasure' }).waitFor({ state: 'detached' });
    await keys.sees(/Legal claims, Art. 17\(3\)\(e\) · A dispute is open\./);
    const decided = await statuses();
    expect(decided.filter((status: string) => status === 'skipped')).toHaveLength(1);
    expect(decided).not.toContain('waiting');
  });

  it('sends manual changes to the requester', async () => {
    const dsarClient = createDsarClient(app);
    const { id, reference } = await dsarClient.request({ request_type: 'rectification' });
    await dsarClient.admin('PUT', `/dsar/cases/${id}`, { status: 'in_progress' });
    const page = await openSignedIn(`/requests/${id}`);
    const keys = atKeyboard(page);
    await keys.press(keys.button(/^Done: /));
    await keys.isAt(page.getByLabel('Changes made'));
    await page.keyboard.type('The surname is now Lovelace.');
    await keys.press(keys.button('Done'));
    await page.getByLabel('Changes made').waitFor({ state: 'detached' });
    await keys.press(keys.button('Complete'));
    await keys.sees(/This email goes to/);
    await keys.sure('Complete and send');
    await keys.button('Reopen').waitFor();
    const mail = (await dsarClient.mails()).find(
      ({ kind, text }) => kind === 'dsar_completed' && text.includes(reference),
    );
    expect(mail?.text).toContain('The surname is now Lovelace.');
  });

  it('downloads a package and resends a failed email', async () => {
    const dsarClient = createDsarClient(app);
    const { id } = await dsarClient.request({ request_type: 'access' });
    for (const mail of await dsarClient.mails()) await dsarClient.verify(tokenIn(mail));
    await dsarClient.admin('PUT', `/dsar/cases/${id}`, { status: 'in_progress' });
    await dsarClient.work();
    const page = await openSignedIn(`/requests/${id}`);
    const keys = atKeyboard(page);
    const download = page.waitForEvent('download');
    await keys.press(keys.link('Package'));
    expect((await download).suggestedFilename()).toMatch(/\.zip$/);
    // A different address, because a second email to the same one within an hour is not sent at once.
    const email = 'somebody-else@example.com';
    const other = await dsarClient.request({ request_type: 'access', email });
    await app.platform.datastore.db
      .updateTable('outbox_mails')
      .set({ status: 'dead' })
      .where('status', '=', 'pending')
      .execute();
    await page.goto(`${app.url}/admin/requests/${other.id}`);
    await keys.press(keys.button(/^Send again/));
    await keys.button(/^Send again/).waitFor({ state: 'detached' });
    await keys.sees('The email is in the outbox again.');
  });
});
