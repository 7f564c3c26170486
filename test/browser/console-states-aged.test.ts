import { describe } from 'vitest';
import { createDsarClient } from '../support/dsar.ts';
import { makeLicence } from '../support/makers.ts';
import { API, useStates } from '../support/states.ts';

describe('States of the console after a change elsewhere', () => {
  const on = useStates();
  const { app, at, text, press, areForEverybody } = on;
  const dsarClient = createDsarClient(app);

  /** The response of the server, with other values in some fields. */
  const also = (path: string, more: object) =>
    on.page.route(API + path, async (route) => {
      const response = await route.fetch();
      const json = await response.json();
      const changed = Array.isArray(json)
        ? json.map((each) => ({ ...each, ...more }))
        : { ...json, ...more };
      await route.fulfill({ response, json: changed });
    });

  areForEverybody({
    'a site licence with a stale check': async () => {
      const { key } = await makeLicence(app.platform);
      await dsarClient.admin('POST', '/licence', { key });
      await also('/licence', { stale: true });
      await at('/system');
      return text('Stale');
    },
    'the confirmation before its key is removed': async () => {
      await at('/system');
      await press('Remove');
      return on.page.getByRole('dialog', { name: 'Remove the licence key?' });
    },
    'an interrupted retention run': async () => {
      await dsarClient.admin('POST', '/retention/run', { dry_run: false });
      await also('/retention/runs?*', { status: 'interrupted', finished_at: null });
      await at('/retention?view=history');
      return text('Interrupted');
    },
  });
});
