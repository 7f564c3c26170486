import { describe, expect, it } from 'vitest';
import { useStates } from '../support/states.ts';

const EXAMPLE = new URL('../../docs/examples/extension.js', import.meta.url).pathname;
const MISSING = './nowhere/extension.js';
const NO_ROUTE = 'No route was found matching the URL and request method.';

describe('States of the console without the Licence API and the demo site', () => {
  const on = useStates({
    PAVIS_DEMO: 'off',
    PAVIS_SERVICES: 'plugin',
    PAVIS_EXTENSIONS: `${EXAMPLE},${MISSING}`,
  });
  const { at, text, refuse, areForEverybody } = on;

  /** Responds like a server version without this route. */
  const lacks = (path: string) => refuse(path, 404, 'rest_no_route', NO_ROUTE);

  areForEverybody({
    'licences when licensing is disabled': async () => {
      await at('/licences');
      return text('Licensing is disabled');
    },
    'a licence when licensing is disabled': async () => {
      await at('/licences/lic_none');
      return text('Licensing is disabled');
    },
    'the system page': async () => {
      await at('/system');
      return text('SQLite, read and write');
    },
    'the system page with an unreachable database': async () => {
      await on.page.route('**/console/operations', async (route) => {
        const response = await route.fetch();
        const json = await response.json();
        json.database.fault = 'unreachable';
        await route.fulfill({ response, json });
      });
      await at('/system');
      return text('Unreachable');
    },
    'the system page with emails that were not delivered': async () => {
      await on.page.route('**/console/operations', async (route) => {
        const response = await route.fetch();
        const json = await response.json();
        Object.assign(json.mail, { is_sent: true, failed: 2 });
        await route.fulfill({ response, json });
      });
      await at('/system');
      await text(/^2 emails not delivered\. Those about requests can be sent again/).waitFor();
      return on.page.locator('a[href="/docs/plugin/mail#postMailItemRetry"]');
    },
    'registered extensions, and a missing one': async () => {
      await at('/developer');
      await on.page.getByRole('alert').filter({ hasText: MISSING }).waitFor();
      return on.page.getByRole('table', { name: 'Extensions' });
    },
    'scripts of extensions': async () => {
      await at('/scripts');
      return text('Acme Chat');
    },
    'a vendor of an extension': async () => {
      await at('/vendors?search=Acme');
      await on.page.getByRole('table').getByRole('link').first().click();
      return text('From an extension');
    },
    'no retention: policies': async () => {
      await lacks('/retention/**');
      await at('/retention');
      return text('Retention is not available');
    },
    'no retention: one policy': async () => {
      await lacks('/retention/**');
      await at('/retention/1');
      return text('Retention is not available');
    },
    'no retention: legal holds': async () => {
      await lacks('/retention/**');
      await at('/retention?view=holds');
      return text('Retention is not available');
    },
    'no retention: manual run': async () => {
      await lacks('/retention/**');
      await at('/retention?view=run');
      return text('Retention is not available');
    },
    'no retention: history': async () => {
      await lacks('/retention/**');
      await at('/retention?view=history');
      return text('Retention is not available');
    },
    'no requests': async () => {
      await lacks('/dsar/**');
      await at('/requests');
      return text('Requests are not available');
    },
    'no site licence': async () => {
      await lacks('/licence');
      await at('/system');
      return text('No site licence');
    },
  });

  it('hides the link to issue a licence', async () => {
    await at('/licences');
    await text('Licensing is disabled').waitFor();
    expect(await on.page.getByRole('link', { name: 'Issue a licence' }).count()).toBe(0);
  });

  it('names the addresses of probe and metrics, which proxies may not forward, without links to them', async () => {
    await at('/system');
    await on.page.getByRole('link', { name: 'API documentation' }).waitFor();
    expect(await on.page.locator('a[href="/readyz"], a[href="/metrics"]').count()).toBe(0);
    for (const path of ['/readyz', '/metrics'])
      expect(await on.page.getByText(path, { exact: true }).count()).toBe(1);
  });

  it('shows no health problem on the overview', async () => {
    await at('/');
    await text('Run the first scan to see tasks here').waitFor();
    expect(await text('The server is unhealthy').count()).toBe(0);
  });
});
