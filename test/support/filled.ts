import { makeBannerPicture } from './banner-pictures.ts';
import { createDsarClient } from './dsar.ts';
import { makeLicence } from './makers.ts';
import type { TestApp } from './test-app.ts';

/** Creates records of every kind that the console shows. Returns the IDs of the licence and the request. */
export async function fill(app: TestApp): Promise<{ licence: string; request: number }> {
  const { key, id: licence } = await makeLicence(app.platform);
  await app.http.site('activate', key, 'https://one.example.com');
  const dsarClient = createDsarClient(app);
  const { id } = await dsarClient.request({
    first_name: 'Ada',
    additional_info: 'What do you have?',
  });
  await dsarClient.admin('PUT', `/dsar/cases/${id}`, { status: 'in_progress' });
  const { json: scan } = await dsarClient.admin('POST', '/scanner/start', { scan_depth: 1 });
  for (const url of scan.urls) {
    await dsarClient.admin('POST', '/scanner/scan-page', { scan_id: scan.scan_id, url });
  }
  await dsarClient.admin('POST', '/scanner/complete', { scan_id: scan.scan_id });
  await dsarClient.admin('POST', '/scripts', {
    handle: 'lumen',
    label: 'Lumen',
    category: 'analytics',
    script_url: 'https://lumen.example/lumen.js',
  });
  await dsarClient.admin('POST', '/retention/holds', {
    data_category: 'consent_records',
    reason: 'An audit',
  });
  await dsarClient.admin('POST', '/retention/run', { dry_run: false });
  await dsarClient.admin('POST', '/consent', {
    visitor_id: 'somebody',
    consent_action: 'accept_all',
  });
  await dsarClient.admin('PUT', '/settings', {
    consent: { languages: ['en', 'de'], translations: [{ language: 'de', title: 'Wahl' }] },
  });
  const { version } = (await app.http.get('/wp-json/svc/v1/consent/status')).json;
  await makeBannerPicture(app.platform, version);
  return { licence, request: id };
}
