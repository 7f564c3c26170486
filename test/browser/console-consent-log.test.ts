import { rmSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  ENTRY_KINDS,
  openLog,
  recordInLog,
  restartLog,
  toLogFile,
} from '../../src/privacy/consent-log/index.ts';
import { noteHead } from '../../src/privacy/consent-log/noted-head/service.ts';
import { DESK, isForEverybody } from '../support/accessible.ts';
import { logAll } from '../support/consent-log.ts';
import { useConsole } from '../support/console.ts';
import { atKeyboard, type Keyboard } from '../support/keyboard.ts';
import { basicAuth } from '../support/makers.ts';

const RECORDS = 6;
const WITNESS = 'witness.example.com/w1+1e6ad1ba+BNWYYrUgYqn/WN9GyG6Gb+IDC05UkSOHHlYimcTfiSUc';

describe('The consent log in the console, by keyboard', () => {
  const { app, openSignedIn, heading } = useConsole();
  let page: Page;
  let keys: Keyboard;
  const state = (label: string) =>
    page
      .getByRole('table', { name: 'Records by state' })
      .getByRole('row')
      .filter({ has: page.getByText(label, { exact: true }) });

  beforeAll(async () => {
    for (let made = 0; made < RECORDS; made += 1) {
      const body = { visitor_id: `visitor-${made}`, consent_action: 'accept_all' };
      await app.http.post('/wp-json/svc/v1/consent', { body });
    }
    await logAll(app);
    page = await openSignedIn('/consent');
    keys = atKeyboard(page);
  });
  beforeEach(() => page.setViewportSize(DESK));

  it('shows the state of a record, and downloads the proof of its entry', async () => {
    await keys.press(keys.button('Proof of record 2'));
    const dialog = page.getByRole('dialog', { name: 'Consent record 2 in the log' });
    await keys.sees(dialog.getByText('The record is exactly as it was logged.'));
    const download = page.waitForEvent('download');
    await keys.press(keys.link('Download proof'));
    expect((await download).suggestedFilename()).toMatch(/\.tlog-proof$/);
    await isForEverybody(page);
    await page.keyboard.press('Escape');
    await keys.isAt(keys.button('Proof of record 2'));
  });

  it('verifies the log, and keeps the focus on the button', async () => {
    await keys.press(keys.link('Consent log'));
    await keys.isAt(heading(page, 'Consent log'));
    await keys.sees('Not verified yet.');
    await keys.press(keys.button('Verify now'));
    await keys.sees('No problems found');
    await keys.isAt(keys.button('Verify now'));
    await state('Intact')
      .getByRole('cell', { name: String(RECORDS) })
      .waitFor();
    await isForEverybody(page);
  });

  it('adds and removes a witness, and says which field is wrong', async () => {
    const address = page.getByRole('textbox', { name: 'Address' });
    const key = page.getByRole('textbox', { name: 'Verifier key of the witness' });
    await keys.type(address, 'https://witness.example.com');
    await keys.type(key, 'no-key');
    await keys.press(keys.button('Add witness'));
    await keys.isAt(key);
    await expect.poll(() => key.getAttribute('aria-invalid')).toBe('true');
    await keys.type(key, WITNESS);
    await keys.press(keys.button('Add witness'));
    await keys.sees('Not asked yet');
    await isForEverybody(page);
    await keys.press(keys.button('Remove witness.example.com/w1'));
    await keys.sure('Remove');
    await keys.sees('No witnesses added.');
  });

  it('publishes the log', async () => {
    const path = '/wp-json/svc/v1/consent/log/checkpoint';
    expect((await app.http.get(path)).status).toBe(401);
    await keys.press(page.getByRole('switch', { name: 'Publish the log' }), 'Space');
    await keys.press(keys.button('Save publication'));
    await keys.sees('The publication of the log was saved.');
    expect((await app.http.get(path)).status).toBe(200);
  });

  it('links to the bundle of a period, and not to one that ends before it starts', async () => {
    await keys.type(page.getByLabel('From', { exact: true }), '01012026');
    await keys.type(page.getByLabel('To', { exact: true }), '01312026');
    const link = page.getByRole('link', { name: 'Download bundle' });
    expect(await link.getAttribute('href')).toMatch(
      /\/consent\/log\/bundle\?date_from=2026-01-01&date_to=2026-01-31(&|$)/,
    );
    await keys.type(page.getByLabel('To', { exact: true }), '01012025');
    await keys.sees('The end is before the start.');
    expect(await link.count()).toBe(0);
  });

  it('shows altered, missing and unlogged records with what to do', async () => {
    const { db } = app.platform.datastore;
    await db
      .updateTable('consent_records')
      .set({ categories_accepted: '[]' })
      .where('id', '=', 2)
      .execute();
    await db.deleteFrom('consent_records').where('id', '=', 3).execute();
    await app.http.post('/wp-json/svc/v1/consent', {
      body: { visitor_id: 'unlogged', consent_action: 'reject_all' },
    });
    app.clock.advance(61_000);
    await keys.press(keys.button('Verify now'));
    await keys.sees('3 problems found');
    for (const label of ['Altered', 'Missing', 'Unlogged']) {
      await state(label).getByRole('cell', { name: '1', exact: true }).waitFor();
    }
    await isForEverybody(page);
    await page.goto(`${app.url}/admin/consent`);
    await keys.press(keys.button('Proof of record 2'));
    await keys.sees('The record is not what was logged.');
  });
});

describe('The publication of the consent log', () => {
  const { app, openSignedIn } = useConsole({ PAVIS_CHROMIUM: 'off' });

  it('is saved without a question after the same user has added a witness', async () => {
    const page = await openSignedIn('/consent/log', {});
    await page.getByRole('switch', { name: 'Publish the log' }).check();
    await page.getByRole('textbox', { name: 'Address' }).fill('https://witness.example.com');
    await page.getByRole('textbox', { name: 'Verifier key of the witness' }).fill(WITNESS);
    await page.getByRole('button', { name: 'Add witness' }).click();
    await page.getByText('The witness was added.').waitFor();
    await page.getByRole('button', { name: 'Save publication' }).click();
    await page
      .getByText('The publication of the log was saved.')
      .or(page.getByRole('dialog'))
      .waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    const headers = await basicAuth(app.platform);
    const { json } = await app.http.get('/wp-json/svc/v1/settings', { headers });
    expect(json.consent_log.public).toBe(true);
    expect(json.consent_log.witnesses).toHaveLength(1);
  });
});

describe('A consent log that is lost, in the console', () => {
  const { app, openSignedIn } = useConsole();
  let page: Page;
  let keys: Keyboard;

  beforeAll(async () => {
    const body = { visitor_id: 'visitor', consent_action: 'accept_all' };
    await app.http.post('/wp-json/svc/v1/consent', { body });
    await logAll(app);
    const log = openLog(app.platform, app.config);
    await noteHead(app.platform.datastore, log).finally(() => log.close());
    rmSync(toLogFile(app.config.dataDir));
    page = await openSignedIn('/consent/log');
    keys = atKeyboard(page);
  });
  beforeEach(() => page.setViewportSize(DESK));

  it('is reported with what to do, and no empty state', async () => {
    const alert = page.getByRole('alert').filter({ hasText: 'The log is lost' });
    await alert.getByText('Stop the server and keep a copy of what is there.').waitFor();
    await alert.getByText(toLogFile(app.config.dataDir)).waitFor();
    expect(await page.getByText('No entries yet').count()).toBe(0);
    const guide = await alert.getByRole('link', { name: /^Guide/ }).getAttribute('href');
    const [path, id] = String(guide).split('#');
    expect((await app.http.get(String(path))).text).toContain(` id="${id}"`);
    await isForEverybody(page);
    await keys.press(keys.button('Verify now'));
    await keys.sees(/problems? found/);
    await isForEverybody(page);
  });

  it('is named after it was replaced, with its key, and so are records that a restore lost', async () => {
    const headers = await basicAuth(app.platform);
    const { json: lost } = await app.http.get('/wp-json/svc/v1/consent/log', { headers });
    await restartLog(app.platform, app.config);
    const facts = { table: 'consent_records', ids: [[900, 911]], count: 12 };
    await app.platform.datastore.transaction((trx) =>
      recordInLog(trx, { kind: ENTRY_KINDS.restore, facts, at: app.clock.now() }),
    );
    await logAll(app);
    await page.reload();
    await page.getByText(/^A log was lost and replaced on/).waitFor();
    await page.getByText(/^12 consent records lost in a restore on/).waitFor();
    const shown = page.getByRole('textbox', { name: 'Verifier key of the lost log' });
    expect(await shown.inputValue()).toBe(lost.verifier_key);
    await isForEverybody(page);
  });
});
