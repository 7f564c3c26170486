import { describe, expect, it } from 'vitest';
import { ENGINES } from '../support/engines.ts';
import { basicAuth } from '../support/makers.ts';
import { useTestApp } from '../support/test-app.ts';

const ROOT = '/wp-json/svc/v1';

/** The lists of items, with an item and two changes of the same field. */
const LISTS: [path: string, item: object, field: string, changes: [string, string]][] = [
  ['/vendors', { name: 'Stats', slug: 'stats' }, 'purpose', ['Visits', 'Purchases']],
  [
    '/retention/policies',
    {
      ...{ name: 'Choices', data_category: 'consent_records' },
      ...{ period_value: 3, period_unit: 'years', action: 'delete' },
    },
    'name',
    ['Old choices', 'Older choices'],
  ],
  [
    '/data-map',
    { vendor_id: 1, purpose: 'Statistics', legal_basis: 'consent' },
    'controller',
    ['Ada Ltd', 'Ada GmbH'],
  ],
  [
    '/scripts',
    {
      ...{ handle: 'stats', label: 'Stats', category: 'analytics' },
      ...{ script_url: 'https://stats.example/a.js', blocking_method: 'dynamic_load' },
    },
    'label',
    ['Visits', 'Purchases'],
  ],
  [
    '/webhooks',
    { url: 'https://crm.example/hooks', event_types: ['licence.issued'] },
    'description',
    ['Sales', 'Support'],
  ],
];

describe.each(ENGINES)('Changes of an item of a list on %s', (engine) => {
  const app = useTestApp(engine);

  it.each(LISTS)(
    'in %s are refused with 412 if it was changed after it was read, also at the same moment',
    async (list, item, field, [one, two]) => {
      const credentials = await basicAuth(app.platform);
      const ask = (method: string, path: string, body?: object, more: object = {}) =>
        app.http.request(method, ROOT + path, {
          headers: { ...credentials, ...more },
          ...(body && { body }),
        });
      const { id } = (await ask('POST', list, item)).json;
      const path = `${list}/${id}`;
      const read = async () => (await ask('GET', path)).headers.get('etag') ?? '';
      const tag = await read();
      expect(tag).toMatch(/^"[\w-]+"$/);

      const answers = await Promise.all(
        [one, two].map((value) => ask('PUT', path, { [field]: value }, { 'if-match': tag })),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 412]);
      const saved = answers.find(({ status }) => status === 200);
      const refused = answers.find(({ status }) => status === 412);
      expect(refused?.json.code).toBe('rest_precondition_failed');
      expect(saved?.headers.get('etag')).toBe(await read());
      expect((await ask('GET', path)).json).toEqual(saved?.json);

      const again = await ask('PUT', path, { [field]: two }, { 'if-match': await read() });
      expect([again.status, again.json[field]]).toEqual([200, two]);
      // Without the header, the last change counts, as in core.
      expect((await ask('PUT', path, { [field]: one })).status).toBe(200);
      expect((await ask('DELETE', path)).status).toBe(200);
    },
  );
});
