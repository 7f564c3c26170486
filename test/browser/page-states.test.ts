import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { isForEverybody } from '../support/accessible.ts';
import { useBannerSite } from '../support/banner.ts';
import { launchBrowser } from '../support/browser.ts';
import { createDsarClient, tokenIn } from '../support/dsar.ts';
import { createBearerHeader, makeLicence, makeMoreLicences } from '../support/makers.ts';
import { inEachState, type States } from '../support/states.ts';
import { useTestApp } from '../support/test-app.ts';

/** Axe needs scripts: the run with scripts checks the same page. */
const hasNoScript = async (page: Page) => expect(await page.locator('script').count()).toBe(0);

describe('Public pages, in every state', () => {
  const app = useTestApp('sqlite', { PAVIS_DEMO: 'on', PAVIS_CHROMIUM: 'off' });
  const dsarClient = createDsarClient(app);
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());

  const open = (path: string) => page.goto(app.url + path);
  const title = (name: string | RegExp) => page.getByRole('heading', { level: 1, name });
  const send = () => page.locator('main form button').first().click();

  const areForEverybody = (states: States, look = (seen: Page) => isForEverybody(seen)) =>
    inEachState(
      () => page,
      states,
      (seen) => look(seen),
    );

  describe.each([
    { javaScriptEnabled: true, look: isForEverybody },
    { javaScriptEnabled: false, look: hasNoScript },
  ])(
    'of data subject requests, with scripts: $javaScriptEnabled',
    ({ javaScriptEnabled, look }) => {
      let asked: { id: number; reference: string; email: string };
      beforeAll(async () => {
        context = await browser.newContext({ javaScriptEnabled, reducedMotion: 'reduce' });
        page = await context.newPage();
        asked = await dsarClient.request();
      });
      afterAll(() => context.close());

      const tokenFor = async (kind: string) => {
        const mails = await dsarClient.mails();
        return tokenIn(mails.find((mail) => mail.kind === kind) ?? { text: '' });
      };
      const lookUp = async ({ reference, email }: { reference: string; email: string }) => {
        await open('/privacy/status');
        await page.fill('#reference', reference);
        await page.fill('#email', email);
        await send();
        return title('Your request');
      };
      const statusAfter = async (...changes: object[]) => {
        const request = await dsarClient.request();
        for (const change of changes) {
          const { status } = await dsarClient.admin('PUT', `/dsar/cases/${request.id}`, change);
          expect(status).toBe(200);
        }
        return lookUp(request);
      };

      areForEverybody(
        {
          'the form': async () => {
            await open('/privacy/');
            return title('Make a privacy request');
          },
          'the form with an error in every field': async () => {
            await open('/privacy/');
            await page.fill('#email', 'nobody');
            await page.fill('#first_name', 'n'.repeat(101));
            await page.fill('#additional_info', 'i'.repeat(5_001));
            await send();
            return page.getByRole('alert');
          },
          'the form with the honeypot filled in': async () => {
            await open('/privacy/');
            await page.locator('[name=pv_hp_check]').fill('x');
            await send();
            return page.getByRole('alert');
          },
          'the confirmation of a sent request': async () => {
            await open('/privacy/');
            await page.getByLabel('Get a copy of my data').check();
            await page.fill('#email', 'sent@example.com');
            await send();
            return title('We have received your request');
          },
          'the status of an unknown request': async () => {
            await lookUp({ reference: 'DSR-20261121-ZZZZZZ', email: 'sent@example.com' });
            return page.getByRole('alert');
          },
          'the status of an unconfirmed request': () => lookUp(asked),
          'the status of a request on hold': () =>
            statusAfter({ status: 'on_hold', ground: 'identity', reason: 'Who are you?' }),
          'the status of a refused request': () =>
            statusAfter({
              status: 'rejected',
              ground: 'excessive',
              reason: 'The tenth this week.',
            }),
          'the confirmation link, and a used one': async () => {
            const token = await tokenFor('dsar_acknowledgement');
            await open(`/privacy/confirm?token=${token}`);
            await look(page);
            await send();
            await title('Your email address is confirmed').waitFor();
            await look(page);
            await open(`/privacy/confirm?token=${token}`);
            return title('This link no longer works');
          },
          'a withdrawal, and an invalid link': async () => {
            await lookUp(await dsarClient.request());
            await send();
            await title('Check your email').waitFor();
            await look(page);
            await open(`/privacy/withdraw?token=${await tokenFor('dsar_withdrawal')}`);
            await title('Withdraw your request').waitFor();
            await look(page);
            await send();
            await title('Your request is withdrawn').waitFor();
            await look(page);
            await open('/privacy/withdraw?token=nonsense');
            return title('This link no longer works');
          },
          'an unknown path': async () => {
            await open('/privacy/nothing');
            return title('Page not found');
          },
          'in German': async () => {
            await open('/privacy/?lang=de');
            await page.fill('#email', 'niemand');
            await send();
            return page.getByRole('alert');
          },
        },
        look,
      );

      it('the download page', async () => {
        const { id, email } = await dsarClient.request();
        const confirm = (await dsarClient.mails()).find(({ to }) => to === email);
        await dsarClient.verify(tokenIn(confirm ?? { text: '' }));
        await dsarClient.admin('PUT', `/dsar/cases/${id}`, { status: 'in_progress' });
        await dsarClient.work();
        const { json: tasks } = await dsarClient.admin('GET', `/dsar/cases/${id}/tasks`);
        for (const task of tasks.filter(({ kind }: { kind: string }) => kind === 'manual')) {
          await dsarClient.admin('PUT', `/dsar/tasks/${task.id}`, { status: 'done' });
        }
        await dsarClient.work();
        await dsarClient.admin('PUT', `/dsar/cases/${id}`, { status: 'completed' });
        await dsarClient.work();
        const mail = (await dsarClient.mails()).find(({ text }) =>
          text.includes('/privacy/download'),
        );
        await open(`/privacy/download?token=${tokenIn(mail ?? { text: '' })}`);
        await title('Your data is ready').waitFor();
        await look(page);
      });

      it('the form when requests are disabled', async () => {
        await dsarClient.admin('PUT', '/settings', { dsar: { enabled: false } });
        await open('/privacy/');
        await title('You cannot send a request here at the moment').waitFor();
        await look(page);
        await dsarClient.admin('PUT', '/settings', { dsar: { enabled: true } });
      });
    },
  );

  describe('for customers', () => {
    beforeAll(async () => {
      context = await browser.newContext({ reducedMotion: 'reduce' });
      page = await context.newPage();
    });
    afterAll(() => context.close());
    afterEach(() => context.clearCookies());

    const haveNothing = async () => {
      const { id, email } = await makeLicence(app.platform);
      const headers = await dsarClient.headers();
      const body = { email: `heir-of-${email}` };
      await app.http.post(`/console/licences/${id}/transfer`, { headers, body });
      return email;
    };
    const comeAs = async (email: string) => {
      const { authorization = '' } = await createBearerHeader(app.platform, email);
      const value = authorization.replace('Bearer ', '');
      await context.addCookies([{ name: 'pavis_account', value, url: `${app.url}/account/` }]);
      await open('/account/');
      return title('Your licences');
    };
    const comeToSwitch = async () => {
      const { key, email, id } = await makeLicence(app.platform, { sitesAllowed: 2 });
      const sites = ['https://old.example.com', `https://${'long-name-'.repeat(5)}.example.com`];
      for (const site of sites) await app.http.site('activate', key, site);
      await comeAs(email);
      const site = encodeURIComponent(`https://new.example.com/${'a-sub-directory'.repeat(5)}`);
      await open(`/account/switch-site?licence=${id}&site=${site}`);
      return title('Use your licence on another site');
    };

    areForEverybody({
      'sign-in': async () => {
        await open('/account/');
        return title('Sign in');
      },
      'sign-in after the session expired': async () => {
        await open('/account/?done=ended');
        return page.getByRole('status');
      },
      'an invalid email address': async () => {
        await open('/account/');
        await page.fill('#email', 'nobody');
        await send();
        return page.getByRole('alert');
      },
      'a sent sign-in link': async () => {
        await open('/account/');
        await page.fill('#email', 'nobody@example.com');
        await send();
        return title('Check your inbox');
      },
      'the sign-in link, and an invalid one': async () => {
        await open('/account/sign-in?token=none');
        await title('Welcome back').waitFor();
        await isForEverybody(page);
        await send();
        return title('This link no longer works');
      },
      'licences in every status, with their sites': async () => {
        const { key, email } = await makeLicence(app.platform);
        const long = `https://${'long-name-'.repeat(5)}.example.com/${'path'.repeat(40)}`;
        await app.http.site('activate', key, 'https://example.com');
        await app.http.site('activate', key, long);
        await makeLicence(app.platform, { email, expiresAt: app.clock.now() - 1 });
        for (const verb of ['suspend', 'revoke']) {
          const { id } = await makeLicence(app.platform, { email });
          const { db } = app.platform.datastore;
          const moment = { [verb === 'suspend' ? 'suspended_at' : 'revoked_at']: app.clock.now() };
          await db.updateTable('licences').set(moment).where('public_id', '=', id).execute();
        }
        const shown = await comeAs(email);
        for (const summary of await page.locator('summary').all()) await summary.click();
        return shown;
      },
      'more licences than fit on one page': async () => {
        const { email } = await makeLicence(app.platform);
        await makeMoreLicences(app.platform, email, 101);
        await comeAs(email);
        return page.getByRole('link', { name: 'Older licences' });
      },
      'a full licence and a site that needs a slot': () => comeToSwitch(),
      'a chosen site that no longer frees a slot': async () => {
        await comeToSwitch();
        await page.getByLabel('https://old.example.com').check();
        await page
          .locator('input:checked')
          .evaluate((input) => input.setAttribute('value', '999999'));
        await page.locator('form[action=switch-site] button').click();
        return page.getByText('Nothing has changed');
      },
      'a customer without licences': async () => {
        await comeAs(await haveNothing());
        return page.getByText('You have no licences.');
      },
      'the tiers and prices': async () => {
        await open('/account/buy');
        return title('Buy a licence');
      },
      'a form without a valid CSRF token': async () => {
        await comeAs(await haveNothing());
        await page
          .locator('form[action=sign-out] [name=form]')
          .first()
          .evaluate((input) => input.setAttribute('value', 'no mark'));
        await page.getByRole('button', { name: 'Sign out', exact: true }).click();
        return title('Request rejected');
      },
      'an unknown path': async () => {
        await open('/account/nothing');
        return title('Page not found');
      },
    });
  });

  describe('of the start page and unknown paths', () => {
    beforeAll(async () => {
      context = await browser.newContext({ reducedMotion: 'reduce' });
      page = await context.newPage();
    });
    afterAll(() => context.close());

    areForEverybody({
      'the start page': async () => {
        await open('/');
        await page.getByText('First time here?').waitFor();
        return title('Pavis is running');
      },
      'an unknown path': async () => {
        await open('/some/where/else');
        return title('Page not found');
      },
      'an unknown path of the documentation': async () => {
        await open('/docs/nothing');
        return title('Page not found');
      },
    });

    it('returns 404 in JSON to API clients for an unknown path of the documentation', async () => {
      const { status, json } = await app.http.get('/docs/nothing');
      expect([status, json.error]).toEqual([404, 'not_found']);
    });
  });

  describe('of the demo site, with the banner', () => {
    beforeAll(async () => {
      context = await browser.newContext({ reducedMotion: 'reduce' });
      page = await context.newPage();
    });
    afterAll(() => context.close());
    const press = (name: string) => page.getByRole('button', { name }).click();
    /** Waits for third-party content as well. */
    const visit = async (path: string) => {
      await open(path);
      await page.waitForLoadState('networkidle');
    };

    const asking = ['', 'rooms/', 'journal/', 'film/', 'booking/', 'privacy/', 'story/', 'thanks/'];
    const states: States = {
      ...Object.fromEntries(
        asking.map((name) => [
          `/demo/${name}, with the banner`,
          async () => {
            await visit(`/demo/${name}`);
            return page.getByRole('dialog');
          },
        ]),
      ),
      ...Object.fromEntries(
        ['winter/', 'nothing'].map((name) => [
          `/demo/${name}, without a banner`,
          async () => {
            await visit(`/demo/${name}`);
            return page.locator('h1');
          },
        ]),
      ),
      'the categories': async () => {
        await visit('/demo/');
        await press('Manage preferences');
        return page.getByRole('switch', { name: 'Analytics' });
      },
      'the reopen button after rejecting all': async () => {
        await visit('/demo/film/');
        await press('Reject all');
        return page.getByRole('button', { name: 'Privacy choices' });
      },
      'the reopen button after accepting all': async () => {
        await press('Privacy choices');
        await press('Accept all');
        await visit('/demo/rooms/');
        return page.getByRole('button', { name: 'Privacy choices' });
      },
    };
    areForEverybody(states, (seen) => isForEverybody(seen, { isOurs: false }));
  });
});

describe('The banner on a right-to-left page', () => {
  const site = useBannerSite();

  it('is centred, with a placeholder, and has a reopen button', async () => {
    const texts = {
      language: 'ar',
      title: 'خصوصيتك',
      manage_text: 'اختيار',
      reject_text: 'رفض الكل',
      reopen_text: 'خيارات الخصوصية',
    };
    await site.save({ translations: [texts] });
    const css =
      '<style>@media (prefers-color-scheme: dark) { body { background: #111; color: #eee } }</style>';
    const { page } = await site.visit({
      lang: 'ar',
      head: css,
      banner: 'data-position="center"',
      body: '<iframe data-src="/frame.html" data-category="marketing" title="Map" width="300" height="200"></iframe>',
    });
    await page.getByRole('dialog', { name: texts.title }).waitFor();
    await isForEverybody(page);
    await page.getByRole('button', { name: texts.manage_text }).click();
    await isForEverybody(page);
    await page.getByRole('button', { name: texts.reject_text }).click();
    await page.getByRole('button', { name: texts.reopen_text }).waitFor();
    await isForEverybody(page);
    await page.context().close();
  });
});
