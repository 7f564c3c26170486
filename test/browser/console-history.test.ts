import { describe, expect, it } from 'vitest';
import { useConsole } from '../support/console.ts';
import { createDsarClient, tokenIn } from '../support/dsar.ts';
import { makeLicence } from '../support/makers.ts';
import { makeUser } from '../support/users.ts';

describe('Activity in the console', () => {
  const { app, openSignedIn } = useConsole({ PAVIS_CHROMIUM: 'off' });

  /** The activity entries on a page, without their times. */
  async function history(path: string): Promise<string[]> {
    const page = await openSignedIn(path);
    const entries = page.getByRole('listitem').filter({ has: page.locator('time') });
    await entries.first().waitFor();
    await page.waitForLoadState('networkidle');
    const texts = await entries.allInnerTexts();
    // Dates may contain non-breaking spaces.
    const plain = texts.map((text) => text.replace(/[^\S\n]/g, ' '));
    return plain.map((text) =>
      text
        .replace(/\n+\d+ \w+ \d{4}, \d\d:\d\d/, '')
        .trim()
        .replace(/\n+/, ' | '),
    );
  }

  it('lists the activity of a request in plain sentences', async () => {
    const dsarClient = createDsarClient(app);
    const { id } = await dsarClient.request();
    const [mail] = await dsarClient.mails();
    await dsarClient.verify(tokenIn(mail ?? expect.fail('no mail')));
    await dsarClient.work();
    const change = (body: object) => dsarClient.admin('PUT', `/dsar/cases/${id}`, body);
    const { login } = await makeUser(app.platform);
    await change({ assignee: login });
    await change({ extend: { reason: 'So many sources' } });
    await change({ status: 'on_hold', ground: 'identity', reason: 'Who are you?' });
    await change({ status: 'in_progress' });
    await dsarClient.admin('POST', `/dsar/cases/${id}/events`, { note: 'Called them\nback' });
    await change({ status: 'completed' });
    await app.platform.datastore.db
      .insertInto('dsar_events')
      .values({ case_id: id, at: 0, actor: 'ada', action: 'moved_on', details: '{"far_away":7}' })
      .execute();
    const told = await history(`/requests/${id}`);
    expect(told).toEqual([
      'Request sent by the requester',
      'Email confirmed by the requester',
      // Sources without records are left out.
      expect.stringMatching(/^\d+ records collected: Log of data-subject requests$/),
      '1 record collected: Data-subject requests',
      '1 record collected: Emails',
      'Package created',
      expect.stringMatching(new RegExp(`^Assigned to ${login} by \\S+$`)),
      expect.stringMatching(
        /^Deadline extended from \d+ \w+ 20\d\d to \d+ \w+ 20\d\d by \S+ \| So many sources$/,
      ),
      expect.stringMatching(
        /^Status changed from In progress to On hold by \S+ \| Identity not established, Art\. 12\(6\): Who are you\?$/,
      ),
      expect.stringMatching(/^Status changed from On hold to In progress by \S+$/),
      expect.stringMatching(/^Note by \S+ \| Called them\nback$/),
      expect.stringMatching(/^Status changed from In progress to Completed by \S+$/),
      'Moved on by ada | Far away: 7',
    ]);
  });

  it('lists the activity of a licence in plain sentences, newest first', async () => {
    const { key, id } = await makeLicence(app.platform, { expiresAt: Date.UTC(2030, 4, 31, 12) });
    await app.http.site('activate', key, 'https://one.example.com');
    const page = await openSignedIn(`/licences/${id}`);
    await page.getByRole('button', { name: 'Change expiry' }).click();
    await page.getByLabel('Paid until').fill('2031-05-31');
    await page.getByRole('button', { name: 'Save expiry', exact: true }).click();
    await page.getByRole('definition').getByText('31 May 2031').waitFor();
    const rotate = async (overlap: string) => {
      await page.getByRole('button', { name: 'Rotate key' }).click();
      await page.getByLabel('Current key').selectOption(overlap);
      await page.getByRole('button', { name: 'Generate new key' }).click();
    };
    const previousKey = page.getByText('Works like the current key until 22 Nov 2026, 09:30');
    await page.clock.setFixedTime(app.clock.now());
    await rotate('24');
    await previousKey.waitFor();
    await rotate('0');
    await previousKey.waitFor({ state: 'detached' });
    expect(await history(`/licences/${id}`)).toEqual([
      expect.stringMatching(/^Key rotated: pv_live_\S+ by console \(\S+\)$/),
      expect.stringMatching(
        /^Key rotated: pv_live_\S+ by console \(\S+\) \| Previous key valid for up to 24 hours$/,
      ),
      expect.stringMatching(
        /^Expiry changed to 31 May 2031 by console \(\S+\) \| Previously 31 May 2030$/,
      ),
      'https://one.example.com activated with its key',
      'Issued by test | Pro, 3 sites, expires: 31 May 2030',
    ]);
  });
});
