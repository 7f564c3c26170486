import { describe, expect, it } from 'vitest';
import { isForEverybody } from '../support/accessible.ts';
import { useConsole } from '../support/console.ts';
import { createDsarClient } from '../support/dsar.ts';
import { atKeyboard } from '../support/keyboard.ts';
import { makeUser } from '../support/users.ts';

describe('Requests added or assigned in the console', () => {
  const { app, openSignedIn, heading } = useConsole({ PAVIS_CHROMIUM: 'off' });
  const dsarClient = createDsarClient(app);

  it('adds a request received by letter with the keyboard only, and shows that no emails are sent', async () => {
    // A context of its own, which keeps the date.
    const page = await openSignedIn('/requests', {});
    // The form defaults to the current date of the browser.
    await page.clock.setFixedTime(app.clock.now());
    const keys = atKeyboard(page);
    await keys.press(keys.link('Add request'));
    await keys.isAt(heading(page, 'Add request'));
    expect(await page.getByLabel('Received on').inputValue()).toMatch(/^\d{4}-\d\d-\d\d$/);
    await keys.press(page.getByRole('main').getByRole('button', { name: 'Add request' }));
    await keys.isAt(page.getByLabel('Postal address'));
    await keys.sees('Enter an email address, a postal address or a phone number.');
    await isForEverybody(page);
    await keys.type(page.getByLabel('Postal address'), '1 High Street');
    await keys.type(page.getByLabel('Last name'), 'Lovelace');
    await keys.press(page.getByLabel('Identity established'), 'Space');
    await keys.type(page.getByLabel('Proof of identity'), 'Known signature');
    await keys.press(page.getByRole('main').getByRole('button', { name: 'Add request' }));
    await keys.isAt(heading(page, /^DSR-/));
    for (const shown of [
      'This request has no email address, so no emails are sent. Send the response by post.',
      'Known signature',
      '1 High Street',
      'Request added manually',
    ]) {
      await keys.sees(shown);
    }
    await isForEverybody(page);
    await keys.press(keys.button('Complete'));
    await keys.sees(/^No email is sent: the request has no email address\. Copy this response/);
    await keys.sees('Copy response');
    await isForEverybody(page);
    await keys.sure('Cancel');
    await keys.press(keys.button('Refuse'));
    await keys.type(page.getByLabel('Ground'), 'Excessive');
    await keys.type(page.getByLabel('Reason'), 'It repeats your request of last week.');
    await keys.press(keys.button('Refuse'));
    await keys.sees(/The request is excessive.*supervisory authority/s);
    await keys.sees('Copy response');
    await isForEverybody(page);
  });

  it('shows a message in a script that is written from right to left in its direction', async () => {
    const { id } = await dsarClient.request({ additional_info: 'שלום, example.com' });
    const page = await openSignedIn(`/requests/${id}`);
    const message = page.getByText('שלום, example.com');
    const [first, last] = await message.evaluate(({ firstChild, ownerDocument }) => {
      const at = (from: number) => {
        const range = ownerDocument.createRange();
        range.setStart(firstChild, from);
        range.setEnd(firstChild, from + 1);
        return range.getBoundingClientRect().left;
      };
      return [at(0), at(10)] as const;
    });
    expect(first).toBeGreaterThan(last);
  });

  it('offers only administrators and editors as assignees', async () => {
    const [colleague, viewer] = [
      await makeUser(app.platform, 'editor'),
      await makeUser(app.platform, 'viewer'),
    ];
    const { id } = await dsarClient.request();
    const page = await openSignedIn(`/requests/${id}`);
    const choice = page.getByLabel('Administrator or editor');
    await choice.getByRole('option', { name: colleague.login }).waitFor({ state: 'attached' });
    expect(await choice.getByRole('option').allTextContents()).not.toContain(viewer.login);
    await choice.selectOption(colleague.login);
    await page.getByRole('button', { name: 'Assign', exact: true }).click();
    await page.getByText('The assignee was changed.').waitFor();
    await page.getByRole('definition').getByText(colleague.login, { exact: true }).waitFor();
    expect((await dsarClient.admin('GET', `/dsar/cases/${id}`)).json.assignee).toBe(
      colleague.login,
    );
  });
});
