import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isForEverybody } from '../support/accessible.ts';
import { launchBrowser } from '../support/browser.ts';
import { createDsarClient } from '../support/dsar.ts';
import { dataFolder } from '../support/process.ts';
import { useTestApp } from '../support/test-app.ts';
import { unzip } from '../support/unzip.ts';

/** Texts of the page in each language. */
const TEXTS = {
  en: [
    /^Your data, /,
    'Processing activities',
    'Your privacy requests',
    'Rectification: you can ask us to',
  ],
  de: [
    /^Ihre Daten, /,
    'Verarbeitungstätigkeiten',
    'Ihre Datenschutzanträge',
    'Sie können verlangen',
  ],
} as const;

describe('The HTML page of a package', () => {
  const app = useTestApp('sqlite');
  const dsarClient = createDsarClient(app);
  const folder = dataFolder();
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    folder.remove();
  });

  it.each(['en', 'de'] as const)('is accessible and translated, in %s', async (language) => {
    const { id } = await dsarClient.request({ language, additional_info: 'x'.repeat(300) });
    await dsarClient.admin('PUT', `/dsar/cases/${id}`, { status: 'in_progress' });
    await dsarClient.work();
    const { authorization } = (await dsarClient.headers()) as { authorization: string };
    const answer = await fetch(`${app.url}/wp-json/svc/v1/dsar/cases/${id}/package`, {
      headers: { authorization },
    });
    const files = unzip(Buffer.from(await answer.arrayBuffer()));

    const file = join(folder.path, `${language}.html`);
    writeFileSync(file, files.get('index.html') ?? '');
    const page = await browser.newPage();
    await page.goto(pathToFileURL(file).href);
    const [title, ...texts] = TEXTS[language];
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe(language);
    for (const text of texts) await page.getByText(text).first().waitFor();
    await isForEverybody(page);
  });
});
