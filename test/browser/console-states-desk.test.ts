import { beforeAll, describe, expect } from 'vitest';
import { DAY_MS } from '../../src/platform/durations.ts';
import { createDsarClient, tokenIn } from '../support/dsar.ts';
import { useStates } from '../support/states.ts';

describe('States of requests, retention, data map and scripts in the console', () => {
  const on = useStates();
  const { app, at, text, press, areForEverybody } = on;
  const dsarClient = createDsarClient(app);
  const db = () => app.platform.datastore.db;

  const request = async (type: string, ...changes: object[]): Promise<number> => {
    const { id, email } = await dsarClient.request({ request_type: type });
    const mail = (await dsarClient.mails()).find(({ to }) => to === email);
    await dsarClient.verify(tokenIn(mail ?? { text: '' }));
    for (const change of changes) await dsarClient.admin('PUT', `/dsar/cases/${id}`, change);
    return id;
  };

  describe('requests', () => {
    let open: number;
    beforeAll(async () => {
      open = await request('access', { status: 'in_progress' });
    });

    areForEverybody({
      'an unconfirmed request without emails': async () => {
        const { id } = await dsarClient.request();
        await db().deleteFrom('outbox_mails').execute();
        await at(`/requests/${id}`);
        await text('Sources are searched once the requester confirms').waitFor();
        return text('No emails have been sent.');
      },
      'a paused request with an extended deadline': async () => {
        const id = await request(
          'rectification',
          { extend: { reason: 'There is much to look through.' } },
          { status: 'on_hold', ground: 'identity', reason: 'Who are you?' },
        );
        await at(`/requests/${id}`);
        await text('Extended').waitFor();
        return text(/^Paused since/);
      },
      'the form to extend a deadline': async () => {
        await at(`/requests/${open}`);
        await press('Extend the deadline');
        return on.page.getByLabel('Reason');
      },
      'the form to complete a request with open sources': async () => {
        await at(`/requests/${open}`);
        await press('Complete');
        await text(/^This email goes to/).waitFor();
        return on.page.getByLabel(/^Reason for leaving out/);
      },
      'a completed request with a package': async () => {
        await dsarClient.work();
        const { json: tasks } = await dsarClient.admin('GET', `/dsar/cases/${open}/tasks`);
        for (const { id, kind } of tasks) {
          if (kind === 'manual')
            await dsarClient.admin('PUT', `/dsar/tasks/${id}`, { status: 'done' });
        }
        await dsarClient.work();
        await dsarClient.admin('PUT', `/dsar/cases/${open}`, { status: 'completed' });
        await at(`/requests/${open}`);
        return on.page.getByRole('link', { name: 'Package' });
      },
      'the approval of an erasure, with one source refused': async () => {
        const id = await request('deletion', { status: 'in_progress' });
        await at(`/requests/${id}`);
        await on.page
          .getByRole('combobox', { name: /^Decision: / })
          .first()
          .selectOption('refuse');
        return on.page.getByLabel(/^Reason: /);
      },
      'a request with erased and kept data': async () => {
        const id = await request('deletion', { status: 'in_progress' });
        await dsarClient.approve(id);
        await dsarClient.work();
        const kept = [{ count: 2, reason: 'An audit of the authority, until it has answered' }];
        await db()
          .updateTable('dsar_tasks')
          .set({ outcome: JSON.stringify({ erased: 12, anonymised: 3, kept }) })
          .where('case_id', '=', id)
          .where('kind', '=', 'erase')
          .execute();
        await at(`/requests/${id}`);
        return text(/12 erased · 3 anonymised · 2 kept/);
      },
      'a request without personal data of the requester': async () => {
        await db()
          .updateTable('dsar_cases')
          .set({ first_name: null, last_name: null, email: null, anonymised_at: app.clock.now() })
          .where('id', '=', open)
          .execute();
        await at(`/requests/${open}`);
        await text(/personal data of the requester erased/).waitFor();
        expect(await on.page.getByRole('region', { name: 'Actions' }).count()).toBe(0);
        return text(/personal data of the requester erased/);
      },
      'overdue requests in the list': async () => {
        await db()
          .updateTable('dsar_cases')
          .set({ deadline: '2026-11-02', assignee: 'User1' })
          .where('closed_at', 'is', null)
          .execute();
        await at('/requests?overdue=1');
        return on.page.locator('.mantine-Badge-root', { hasText: 'overdue' }).first();
      },
      'no matching request': async () => {
        await at('/requests?search=nobody-at-all');
        return text('No matching requests');
      },
    });
  });

  describe('retention', () => {
    areForEverybody({
      'a policy with many due records': async () => {
        for (const years of [2, 4, 6, 9]) {
          await dsarClient.admin('POST', '/consent', {
            visitor_id: `somebody-${years}`,
            consent_action: 'accept_all',
          });
          await db()
            .updateTable('consent_records')
            .set({ expires_at: app.clock.now() - years * 365 * DAY_MS })
            .where('visitor_id', '=', `somebody-${years}`)
            .execute();
        }
        const policy = await dsarClient.admin('POST', '/retention/policies', {
          name: 'Consent records',
          data_category: 'consent_records',
          period_value: 1,
          period_unit: 'years',
          action: 'delete',
          is_active: false,
        });
        await at(`/retention/${policy.json.id}`);
        await text('over 365 days').waitFor();
        return on.page.getByRole('main').getByText('4', { exact: true }).first();
      },
      'an inactive policy in the list': async () => {
        await at('/retention');
        return on.page.locator('.mantine-Badge-root', { hasText: 'Inactive' }).first();
      },
      'failed and unfinished runs': async () => {
        await dsarClient.admin('POST', '/retention/run', { dry_run: false });
        await db()
          .updateTable('retention_run_details')
          .set({ error: 'The database answered: canceling statement due to lock timeout.' })
          .execute();
        await db().updateTable('retention_runs').set({ finished_at: null }).execute();
        await at('/retention?view=history');
        await text(/lock timeout/).waitFor();
        return on.page.locator('[data-tone=warn]');
      },
      'no policy': async () => {
        await db().deleteFrom('retention_policies').execute();
        await at('/retention');
        return text('No policies yet');
      },
    });
  });

  describe('the record of processing, and scripts', () => {
    const entry = (more: object) =>
      dsarClient.admin('POST', '/data-map', { vendor_id: 1, legal_basis: 'consent', ...more });
    const script = (blocking_method: string) =>
      dsarClient.admin('POST', '/scripts', {
        handle: blocking_method.replaceAll('_', '-'),
        label: `Blocked by ${blocking_method}`,
        category: 'marketing',
        script_url: `https://tags.example.com/${'a-long-path/'.repeat(20)}${blocking_method}.js?a=1&b=2`,
        blocking_method,
      });

    areForEverybody({
      'entries due for review, with many data categories, and archived ones': async () => {
        const much = ['name', 'address', 'pages_seen', 'ip_address', 'device'];
        await entry({ purpose: 'Counts', review_date: '2026-11-01', data_categories: much });
        await entry({ purpose: 'Counted', status: 'archived', data_categories: [] });
        await at('/data-map');
        await on.page.locator('.mantine-Badge-root', { hasText: 'Archived' }).waitFor();
        return text(/^Review due since/);
      },
      'an empty data map': async () => {
        await db().deleteFrom('data_map_entries').execute();
        await at('/data-map');
        return text('The data map is empty');
      },
      'an empty diagram': async () => {
        await at('/data-map?view=picture');
        return text('The data map is empty');
      },
      ...Object.fromEntries(
        ['type_attribute', 'data_src', 'iframe_placeholder', 'dynamic_load'].map((method) => [
          `a script that is blocked by ${method}`,
          async () => {
            await at(`/scripts/${(await script(method)).json.id}`);
            return on.page.getByRole('heading', { name: 'Snippet' });
          },
        ]),
      ),
      'no matching script': async () => {
        await at('/scripts?search=nobody-at-all');
        return text('No matching scripts');
      },
      'a script that is blocked for all visitors, and a banner that is off': async () => {
        const { json } = await dsarClient.admin('GET', '/settings');
        const categories = json.consent.categories.filter(
          ({ id }: { id: string }) => id !== 'marketing',
        );
        await dsarClient.admin('PUT', '/settings', { consent: { categories, enabled: false } });
        await at('/');
        await text('The banner is off').waitFor();
        return text(/is blocked for all visitors/);
      },
      'no matching hook': async () => {
        await at('/developer?search=nobody-at-all');
        return text('No hooks found');
      },
      'the confirmation before a custom vendor is deleted': async () => {
        const { json } = await dsarClient.admin('POST', '/vendors', {
          name: 'Heron',
          slug: 'heron',
          category: 'analytics',
        });
        await at(`/vendors/${json.id}`);
        await press('Delete');
        return on.page.getByRole('dialog').getByRole('button', { name: 'Cancel' });
      },
    });
  });

  describe('banner versions and consent records', () => {
    const title = (text: string) =>
      dsarClient.admin('PUT', '/settings', { consent: { title: text } });

    areForEverybody({
      'the first version': async () => {
        await title('What may we do?');
        await at('/banner/versions?version=1');
        return text('This is the first version.');
      },
      'two identical versions': async () => {
        await title('What may we know?');
        await title('What may we do?');
        const { json } = await dsarClient.admin('GET', '/settings/consent-versions');
        await at(`/banner/versions?version=${json[0].version}&with=${json[2].version}`);
        return text('0 changes');
      },
      'a consent record with a GPC signal': async () => {
        await dsarClient.admin('POST', '/consent', {
          visitor_id: 'careful',
          consent_action: 'reject_all',
          gpc: true,
        });
        await at('/consent');
        return text('GPC');
      },
      'a consent record whose time was anonymised': async () => {
        await db()
          .updateTable('consent_records')
          .set({ anonymised_at: app.clock.now(), day: '2026-11-20' })
          .execute();
        await at('/consent');
        await text('20\u00a0Nov\u00a02026').waitFor();
        return text('Time removed');
      },
      'no matching consent record': async () => {
        await at('/consent?search=nobody-at-all');
        return text('No matching records');
      },
    });
  });
});
