import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isForEverybody } from '../support/accessible.ts';
import { launchBrowser, linkBrowser } from '../support/browser.ts';
import { useConsole } from '../support/console.ts';
import { createDsarClient } from '../support/dsar.ts';
import { atKeyboard, type Keyboard } from '../support/keyboard.ts';
import { dataFolder, type ServerProcess, startServer } from '../support/process.ts';

const BLOCK_ALL = 'Block all until consent';
const LONG = { timeout: 180_000 };

describe('Findings of the demo site on a new server', () => {
  const folder = dataFolder();
  let server: ServerProcess;
  let browser: Browser;
  let page: Page;
  let keys: Keyboard;
  beforeAll(async () => {
    linkBrowser(folder.path);
    server = await startServer({ PAVIS_DATA_DIR: folder.path, PAVIS_DEMO: 'on' });
    browser = await launchBrowser();
    const { admin } = JSON.parse(readFileSync(join(folder.path, 'first-run.json'), 'utf8'));
    const context = await browser.newContext({ reducedMotion: 'reduce' });
    const { login, password, application_password } = admin;
    await context.request.post(`${server.url}/console/session`, { data: { login, password } });
    // On a busy machine, visits of several pages at once would run out of time, and the scan would miss findings.
    const credentials = Buffer.from(`${login}:${application_password}`).toString('base64');
    const headers = { authorization: `Basic ${credentials}` };
    const body = { scanner: { concurrency: 1 } };
    const saved = await server.http.request('PUT', '/wp-json/svc/v1/settings', { headers, body });
    expect(saved.status).toBe(200);
    page = await context.newPage();
    keys = atKeyboard(page);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    folder.remove();
  });

  const scan = async () => {
    await page.goto(`${server.url}/admin/scanner`);
    await keys.press(keys.button('New scan'));
    await keys.sure('Start scan');
    await keys.link(/^Findings \(/).waitFor(LONG);
    await keys.press(keys.link(/^Findings \(/));
  };
  const row = (what: string) => page.getByRole('row').filter({ hasText: what }).first();
  const openFindings = async (): Promise<string> => {
    await page.goto(`${server.url}/admin/`);
    const term = page.getByRole('term').filter({ hasText: /^Open findings$/ });
    const figure = term.locator('xpath=following-sibling::dd[1]');
    await expect.poll(() => figure.innerText()).not.toBe('–');
    return figure.innerText();
  };

  it('counts open findings on the overview and links to them', async () => {
    await scan();
    const count = Number(await openFindings());
    expect(count).toBeGreaterThan(20);
    await page.getByText(`${count} open findings`).waitFor();
    await page.getByText(/^These can load without consent\./).waitFor();
    await page.getByText(/^\d+ broken promises$/).waitFor();
    await keys.press(keys.link('Review findings'));
    await row('/gtm.js').waitFor();
    expect(await page.getByLabel('Status').inputValue()).toBe('open');
    const pagination = page.getByRole('navigation', { name: 'Pagination' });
    await pagination.getByText(RegExp(`^(1–50 of )?${count} findings$`)).waitFor();
    await page.getByRole('rowheader', { name: 'Broken promises' }).waitFor();
    await page.getByRole('rowheader', { name: 'Open', exact: true }).waitFor();
    // A page of 1440 pixels has room for a table.
    await page.getByRole('columnheader', { name: 'Verdict' }).waitFor();
  }, 300_000);

  it('filters findings by verdict, and shows the evidence of each', async () => {
    await page.goto(`${server.url}/admin/scanner/1`);
    const tile = page.getByRole('button', { name: /Loaded despite rejection$/ });
    await keys.press(tile);
    await row('/gtm.js').waitFor();
    await expect.poll(() => tile.getAttribute('aria-pressed')).toBe('true');
    // The list before the filter is shown until the filtered one has arrived.
    await expect
      .poll(() => page.getByRole('row').filter({ hasText: 'Strictly necessary' }).count())
      .toBe(0);
    const marks = row('/gtm.js').getByRole('img', { name: /^Seen before a choice, after reject/ });
    await marks.waitFor();
    await keys.press(row('/gtm.js').getByRole('button', { name: /^Evidence: / }));
    const evidence = page.getByRole('dialog').getByRole('table', { name: 'Evidence' });
    await evidence
      .getByRole('row')
      .filter({ hasText: /After rejection.*\d ms/s })
      .waitFor();
    await isForEverybody(page);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.keyboard.press('Escape');
    await keys.press(tile);
    await row('Strictly necessary').waitFor();
  });

  it('shows the consent banner and the visits of a page with pictures', async () => {
    await page.goto(`${server.url}/admin/scanner/1?view=banner`);
    await page
      .getByText(/^Reached in 1 click on \d+ of \d+ pages/)
      .first()
      .waitFor();
    const picture = page.getByRole('img', { name: /^Picture of the banner.*Accept all/ });
    const hasLoaded = () =>
      page.evaluate<boolean>(
        `document.querySelector('img[alt^="Picture of the banner"]').naturalWidth > 300`,
      );
    await picture.scrollIntoViewIfNeeded();
    await expect.poll(hasLoaded).toBe(true);
    await isForEverybody(page);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(`${server.url}/admin/scanner/1?view=pages`);
    await keys.press(page.getByRole('button', { name: 'View 5 visits of /demo/', exact: true }));
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('img').nth(4).waitFor();
    expect(await dialog.getByRole('heading', { level: 3 }).allInnerTexts()).toEqual([
      'Before a choice',
      'Rejected',
      'Accepted',
      'Withdrawn',
      'Global Privacy Control',
    ]);
    await isForEverybody(page);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.keyboard.press('Escape');
  });

  it('classifies a cookie, and requires a reason to ignore it', async () => {
    await page.goto(`${server.url}/admin/scanner/1?view=findings&only=open&search=_fbp`);
    await keys.choose(
      row('_fbp').getByRole('button', { name: /^More actions/ }),
      'Classify cookie',
    );
    await keys.type(page.getByLabel('Purpose'), 'Left from an old campaign.');
    await page.getByLabel('Category').selectOption('marketing');
    await keys.sure('Save decision');
    await keys.sees('The decision was saved.');
    await keys.choose(row('_fbp').getByRole('button', { name: /^More actions/ }), 'Ignore');
    await keys.sure('Save decision');
    await keys.sees('Enter a reason.');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
  });

  it('offers to block a request by its address, and not the banner, which sends those of other scripts', async () => {
    await page.goto(`${server.url}/admin/scanner/1?search=presence`);
    await row('presence.json')
      .getByRole('button', { name: /^Block/ })
      .waitFor();
    await keys.press(row('presence.json').getByRole('button', { name: /^More actions/ }));
    await page.getByRole('menuitem', { name: 'Ignore' }).waitFor();
    expect(await page.getByRole('menuitem', { name: 'Block the script' }).count()).toBe(0);
    await page.keyboard.press('Escape');
  });

  it('lists the resources to block, and proves that blocking them took effect', async () => {
    await page.goto(`${server.url}/admin/scanner/1`);
    await keys.press(keys.button(BLOCK_ALL));
    const dialog = page.getByRole('dialog');
    await dialog
      .getByRole('list', { name: 'Resources to block' })
      .getByRole('listitem')
      .first()
      .waitFor();
    const listed = (
      await dialog
        .getByRole('list', { name: 'Resources to block' })
        .getByRole('listitem')
        .allInnerTexts()
    ).join('\n');
    // The list omits resources that another one loads and resources that are already blocked.
    for (const path of ['/vendor/matomo.js', '/gtm.js', '/embed/marsh-at-dawn', '/replay.js'])
      expect(listed.split(path), path).toHaveLength(2);
    expect(listed).not.toMatch(/lumen\.js|player\.js|match\.gif/);
    // The button stays visible however long the list is.
    await page.setViewportSize({ width: 1440, height: 900 });
    const blockAll = dialog.getByRole('button', { name: 'Block all' });
    await expect.poll(() => blockAll.isEnabled()).toBe(true);
    const sure = await blockAll.boundingBox();
    expect((sure?.y ?? 900) + (sure?.height ?? 0)).toBeLessThanOrEqual(900);
    await keys.sure('Block all');
    await keys.sees(/findings blocked, 13 entries added to the script registry/);
    await keys.sees(/1 finding could not be blocked by itself and stays open if the check/);
    expect(await page.getByRole('button', { name: BLOCK_ALL }).count()).toBe(0);
    const check = page.getByRole('region', { name: 'Check of blocked resources' });
    await check.getByRole('progressbar').waitFor();
    await row('/gtm.js').getByText('Checking…').waitFor();
    await page.reload();
    await check.getByRole('progressbar').waitFor();
    const result = check.getByRole('heading');
    await result.waitFor(LONG);
    expect(await result.innerText()).toMatch(/^\d+ resources blocked until consent, proven$/);
    await row('/gtm.js').getByText('Blocked until consent, proven').waitFor();
  }, 300_000);

  it('shows no open findings on the overview after the check', async () => {
    expect(await openFindings()).toBe('0');
    await page.getByText(/vendors not in the data map$/).waitFor();
    await page.getByText('No way to withdraw consent was found (/demo/winter/)').waitFor();
    expect(await page.getByRole('list', { name: 'Urgent' }).count()).toBe(0);
  });

  it('lists third parties that the data map lacks beside the declaration, and adds them', async () => {
    await page.goto(`${server.url}/admin/declaration`);
    await page.getByText('Not classified').waitFor();
    await keys.press(keys.button('Add all vendors to the data map'));
    await page.getByRole('heading', { name: 'Seen, not in the data map (2)' }).waitFor();
    await keys.sees(page.getByRole('link', { name: /^Assign vendor: adswap/ }));
    await isForEverybody(page);
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it('loads no blocked content and sets only the session cookie before a choice', async () => {
    const visitor = await (await browser.newContext()).newPage();
    const asked: string[] = [];
    visitor.on('request', (request) => asked.push(request.url()));
    for (const path of ['/demo/', '/demo/journal/', '/demo/film/']) {
      await visitor.goto(server.url + path);
      await visitor.getByRole('button', { name: 'Accept all' }).waitFor();
      await visitor.waitForLoadState('networkidle');
    }
    const needsNone = /fontshelf|weathervane|formpost/;
    const others = asked.filter((url) => /\.localhost/.test(url) && !needsNone.test(url));
    expect(others).toEqual([]);
    const cookies = await visitor.context().cookies();
    expect(cookies.map(({ name }) => name)).toEqual(['heron_session']);
    await visitor.getByRole('button', { name: 'Accept all' }).click();
    await expect.poll(() => asked.join()).toContain('/embed/marsh-at-dawn');
  });
});

describe('A finding that loads before consent', () => {
  const { app, openSignedIn, heading } = useConsole({ PAVIS_DEMO: 'on' });
  const dsarClient = createDsarClient(app);
  let page: Page;
  let keys: Keyboard;
  const scan = async () => {
    const { json } = await dsarClient.admin('POST', '/scanner/start', { scan_depth: 0 });
    for (const path of ['/demo/', '/demo/film/']) {
      const url = app.url + path;
      await dsarClient.admin('POST', '/scanner/scan-page', { scan_id: json.scan_id, url });
    }
    await dsarClient.admin('POST', '/scanner/complete', { scan_id: json.scan_id });
    return json.scan_id;
  };
  beforeAll(async () => {
    await scan();
    page = await openSignedIn('/scanner/1?view=findings&only=open');
    keys = atKeyboard(page);
  });
  const row = (what: string) => page.getByRole('row').filter({ hasText: what }).first();

  it('shows what loads it, and blocks that resource', async () => {
    await row('/vendor/matomo.js').waitFor();
    expect(await row('/vendor/matomo.js').innerText()).not.toContain('Loaded by');
    expect(await row('_pk_id').innerText()).toContain('Loaded by Matomo');
    expect(await row('_ga_HER0NDEM0').innerText()).toContain('Loaded by tags.localhost');
    await isForEverybody(page);
    await page.setViewportSize({ width: 1440, height: 900 });
    await keys.press(row('clip_volume').getByRole('button', { name: /^Block until consent/ }));
    await keys.sees(/clip_volume is blocked until consent\./);
    const { json: scripts } = await dsarClient.admin('GET', '/scripts');
    expect(
      scripts.map((each: { script_url: string }) => new URL(each.script_url).pathname),
    ).toEqual(['/embed/marsh-at-dawn']);
  });

  it('links to its entry in the script registry with a snippet for the element', async () => {
    await page.goto(`${app.url}/admin/scanner/1?view=findings&search=marsh-at-dawn`);
    await row('/embed/marsh-at-dawn')
      .getByRole('button', { name: /^More actions/ })
      .click();
    await page.getByRole('menuitem', { name: 'View in script registry' }).click();
    await page.getByText('<iframe data-pavis-script=').waitFor();
    await page
      .getByLabel('Convert a tag')
      .fill(
        '<script async src="/a.js?x=1&y=%22" data-a=\'"\'></script><script>if (a<b) go()</script>',
      );
    const converted = page.getByRole('status').locator('pre').last();
    expect(await converted.innerText()).toBe(
      '<script type="text/plain" data-category="marketing" async data-a="&quot;" src="/a.js?x=1&amp;y=%22"></script>\n<script type="text/plain" data-category="marketing">if (a<b) go()</script>',
    );
    await isForEverybody(page);
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it('keeps a dialog open with what was typed while the list is refreshed', async () => {
    await page.goto(`${app.url}/admin/scanner/1?view=findings&only=open`);
    const reason = page.getByRole('textbox', { name: 'Reason' });
    const ignore = async (name: string) => {
      await keys.choose(row(name).getByRole('button', { name: /^More actions/ }), 'Ignore');
      await keys.type(reason, 'Counted elsewhere.');
    };
    await row('_ga_HER0NDEM0').waitFor();
    const arrival = Promise.withResolvers<void>();
    await page.route(/\/resources\?/, async (route) => {
      await arrival.promise;
      await route.continue();
    });
    await ignore('_ga_HER0NDEM0');
    await keys.sure('Save decision');
    await keys.sees('The decision was saved.');
    await ignore('_pk_id');
    arrival.resolve();
    await row('_ga_HER0NDEM0').waitFor({ state: 'detached' });
    expect(await reason.inputValue()).toBe('Counted elsewhere.');
    await page.unroute(/\/resources\?/);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
  });

  it('can be classified in bulk, and is open again after the decision is withdrawn', async () => {
    await page.goto(`${app.url}/admin/scanner/1?view=findings&only=open&search=_pk_`);
    await row('_pk_id').waitFor();
    await keys.press(page.getByRole('checkbox', { name: 'Select all on this page' }), ' ');
    await page.getByText(/^(\d+) of \1 selected$/).waitFor();
    await keys.press(keys.button('Strictly necessary'));
    await page.getByRole('dialog').waitFor();
    await isForEverybody(page);
    await page.setViewportSize({ width: 1440, height: 900 });
    await keys.type(page.getByRole('textbox', { name: 'Reason' }), 'Counts without names.');
    await keys.sure('Save decision');
    await keys.sees('No matching findings');
    await page.goto(`${app.url}/admin/scanner/1?view=findings&only=necessary`);
    await page.getByText('Counts without names.').first().waitFor();
    await keys.choose(
      row('_pk_id').getByRole('button', { name: /^More actions/ }),
      'Change decision',
    );
    await keys.sure('Withdraw decision');
    await keys.sees('The decision was withdrawn.');
    await row('_pk_id').waitFor({ state: 'detached' });
  });

  it('is open again after a later scan finds it, with the reason and an action', async () => {
    // Simulates a page that does not use the script registry.
    await app.platform.datastore.db
      .updateTable('scripts')
      .set({ script_url: `${app.url}/demo/other.js` })
      .execute();
    app.clock.advance(60_000);
    const id = await scan();
    await app.platform.datastore.db
      .updateTable('scripts')
      .set({
        script_url: `http://clipframe.localhost:${new URL(app.url).port}/embed/marsh-at-dawn`,
      })
      .execute();
    await page.goto(`${app.url}/admin/scanner/${id}?view=findings&only=open&search=marsh`);
    await page.getByText('The original tag is still in the page.').first().waitFor();
    expect(await page.getByRole('button', { name: /^Block until consent/ }).count()).toBe(0);
    await keys.choose(
      row('/embed/marsh-at-dawn').getByRole('button', { name: /^More actions/ }),
      'View in script registry',
    );
    await keys.isAt(heading(page, /.+/));
    await page.getByText('<iframe data-pavis-script=').waitFor();
  });

  it('blocks only what is selected, each in the category that was chosen for it', async () => {
    await page.goto(`${app.url}/admin/scanner/1`);
    await keys.press(keys.button(BLOCK_ALL));
    const listed = page.getByRole('dialog').getByRole('listitem');
    const entry = (path: string) => listed.filter({ hasText: path });
    await entry('/gtm.js').getByRole('checkbox').uncheck();
    await entry('/vendor/matomo.js').getByRole('combobox').selectOption('personalisation');
    await keys.button('Block selected').click();
    await page.getByText(/findings blocked/).waitFor();
    const { json: scripts } = await dsarClient.admin('GET', '/scripts?per_page=100');
    const categories = new Map<string, string>(
      scripts.map((each: { script_url: string; category: string }) => [
        new URL(each.script_url).pathname,
        each.category,
      ]),
    );
    expect([...categories]).toContainEqual(['/demo/vendor/matomo.js', 'personalisation']);
    expect(categories.has('/gtm.js')).toBe(false);
    const { json: open } = await dsarClient.admin(
      'GET',
      '/scanner/scans/1/resources?state=open&search=gtm.js',
    );
    expect(open).toHaveLength(1);
    await page.getByText(/^\d+ open findings? needs? a decision/).waitFor();
    await keys.button(BLOCK_ALL).click();
    await entry('/gtm.js').waitFor();
  });

  it('proposes the pattern of a cookie with a variable name', async () => {
    await page.goto(`${app.url}/admin/scanner/1?view=findings&search=_pk_id`);
    await keys.choose(
      row('_pk_id').getByRole('button', { name: /^More actions/ }),
      'Classify cookie',
    );
    expect(await page.getByLabel('Name or pattern').inputValue()).toBe('_pk_id*');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
  });

  it('says what could not be blocked until the check has ended', async () => {
    const reason = 'The banner cannot block it by its address.';
    const proof = { scan_id: 999 };
    const { json } = await dsarClient.admin(
      'GET',
      '/scanner/scans/1/resources?state=open&per_page=3',
    );
    const open: { name: string; host: string; decision_ids: number[] }[] = json;
    const names = [...new Set(open.map(({ name, host }) => name || host))].join(', ');
    const answer = {
      ...{ dry_run: false, findings: 2, resources: 2, scripts: [], proof },
      skipped: open.map(({ decision_ids: [id] }) => ({ finding_id: id, reason })),
      skipped_reasons: [{ reason, resources: 3 }],
    };
    let status = 'started';
    await page.route('**/scanner/decisions', (route) => route.fulfill({ json: answer }));
    await page.route(/\/scanner\/scans\?.*started_by=proof/, async (route) => {
      const { json } = await dsarClient.admin('GET', '/scanner/scans/1');
      await route.fulfill({ json: [{ ...json, ...proof, runner: 'server', status }] });
    });
    await page.goto(`${app.url}/admin/scanner/1`);
    await keys.press(keys.button(BLOCK_ALL));
    await keys.sure('Block all');
    await keys.sees(/3 findings could not be blocked by themselves and stay open if the check/);
    await keys.sees(`${names}: ${reason}`);
    const ended = page.waitForResponse(async (response) =>
      (await response.text().catch(() => '')).includes('"failed"'),
    );
    status = 'failed';
    await ended;
    await keys.sees(reason);
    status = 'started';
    await page.reload();
    await keys.press(keys.button(BLOCK_ALL));
    await keys.sure('Block all');
    await keys.sees(reason);
    status = 'completed';
    await page.getByText(reason).waitFor({ state: 'detached' });
    await keys.sees(/^2 findings blocked/);
    await page.unroute(/\/scanner\/scans\?.*started_by=proof/);
    await page.unroute('**/scanner/decisions');
  });

  it('does not show the result of an earlier check before the progress of the next one', async () => {
    const { json: scan } = await dsarClient.admin('GET', '/scanner/scans/1');
    const check = { ...scan, scan_id: 999, runner: 'server', status: 'started' };
    const proof = {
      ...{ scan_id: 998, status: 'proven', reason: null, initiator: null },
      ...{ checked_at: scan.completed_at, pending_scan_id: check.scan_id },
    };
    const arrival = Promise.withResolvers<void>();
    await page.route(/\/scanner\/scans\?.*started_by=proof/, (route) =>
      route.fulfill({ json: [check] }),
    );
    await page.route(/\/scanner\/scans\/1\/resources/, async (route) => {
      const response = await route.fetch();
      const resources: object[] = await response.json();
      await route.fulfill({ response, json: resources.map((each) => ({ ...each, proof })) });
    });
    await page.route(/\/scanner\/scans\/999/, async (route) => {
      await arrival.promise;
      await route.fulfill({ json: check });
    });
    const asked = page.waitForRequest(/\/scanner\/scans\/999/);
    await page.goto(`${app.url}/admin/scanner/1`);
    await asked;
    const region = page.getByRole('region', { name: 'Check of blocked resources' });
    await page.waitForTimeout(500);
    expect(await region.count()).toBe(0);
    arrival.resolve();
    await region.getByRole('progressbar').waitFor();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });

  it('says why nothing was blocked', async () => {
    const refused = {
      ...{ dry_run: false, findings: 0, resources: 0, scripts: [], skipped: [], proof: null },
      skipped_reasons: [{ reason: 'The settings have no consent category ads.', resources: 1 }],
    };
    await page.route('**/scanner/decisions', (route) => route.fulfill({ json: refused }));
    await page.goto(`${app.url}/admin/scanner/1?view=findings&only=open&search=gtm.js`);
    await keys.press(row('gtm.js').getByRole('button', { name: /^Block until consent/ }));
    await keys.sees('The settings have no consent category ads.');
    await keys.press(page.getByRole('checkbox', { name: 'Select all on this page' }), ' ');
    await keys.press(page.getByRole('button', { name: 'Block until consent', exact: true }));
    await expect
      .poll(() => page.getByText('The settings have no consent category ads.').count())
      .toBe(2);
    await keys.press(keys.button(BLOCK_ALL));
    await page
      .getByRole('dialog')
      .getByText('The settings have no consent category ads.')
      .waitFor();
    await page.unroute('**/scanner/decisions');
  });
});
