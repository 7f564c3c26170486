import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { useBannerSite, type Visit } from '../support/banner.ts';

const GUIDE = readFileSync(new URL('../../docs/guides/banner.md', import.meta.url), 'utf8');

/** The first code block in this language below a heading of the guide. */
function snippet(heading: string, language: string): string {
  const section = GUIDE.split(/^## /m).find((each) => each.startsWith(heading)) ?? '';
  const [, code] = new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 's').exec(section) ?? [];
  return code ?? expect.fail(`no ${language} below ${heading}`);
}

/** Replaces the hosts of the guide by those of the test. */
const here = (code: string) =>
  code
    .replace(/<script src="https:\/\/privacy\.example\.com\/banner\.js"><\/script>\n/, '')
    .replace(/https:\/\/[\w.]+\.(?:com|example)\//g, '/')
    .replace('/video/1', '/frame.html');

describe('docs/guides/banner.md', () => {
  const site = useBannerSite();
  let visit: Visit;
  afterEach(() => visit?.page.context().close());
  const asked = () => visit.asked.filter((each) => !each.startsWith('GET /page'));

  it('has tags that are blocked and loaded after consent', async () => {
    const body = here(snippet('Block content until consent', 'html')).replace(
      'start()',
      'window.begun = 1',
    );
    visit = await site.visit({ body });
    await visit.page.getByRole('button', { name: 'Accept all' }).waitFor();
    await visit.page.waitForLoadState('networkidle');
    expect(asked()).toEqual([]);
    await visit.page.getByRole('button', { name: 'Accept all' }).click();
    const all = ['/1', '/ads.js', '/pixel.gif', '/s.js'].map((path) => `GET ${path}`);
    await expect.poll(() => asked().sort()).toEqual(all);
    expect(await visit.page.evaluate('window.begun')).toBe(1);
  });

  it('has a snippet for Google Tag Manager that starts with denied consent', async () => {
    visit = await site.visit({ head: here(snippet('Google Tag Manager', 'html')) });
    expect(asked()).toEqual(['GET /gtm.js']);
    await visit.page.getByRole('button', { name: 'Accept all' }).click();
    const told = () =>
      visit.page.evaluate<unknown[]>(
        'dataLayer.map((each) => each[1] ?? each.event).filter(Boolean)',
      );
    await expect.poll(told).toEqual(['default', 'gtm.js', 'update']);
  });

  it('has a Content Security Policy under which the banner works', async () => {
    const policy = snippet('Content Security Policy', '')
      .replace('nonce-…', 'nonce-abc')
      .replace('https://privacy.example.com', site.app.url)
      .trim();
    const headers = { 'content-security-policy': `default-src 'none'; ${policy}` };
    visit = await site.visit({ banner: 'nonce="abc"', headers });
    await visit.page.getByRole('button', { name: 'Reject all' }).click();
    await expect.poll(() => visit.sent.length).toBe(1);
  });

  it('has a module that starts the banner', async () => {
    const code = snippet('JavaScript modules', 'js');
    const head = `<script type="module">${code.replaceAll('https://privacy.example.com', site.app.url)}
      window.pavis = pavis;</script>`;
    visit = await site.visit({ withoutBanner: true, head });
    await visit.page.getByRole('button', { name: 'Reject all' }).click();
    await visit.page.waitForFunction('window.pavis.state.action === "reject_all"');
  });

  it('documents the JavaScript API', async () => {
    visit = await site.visit();
    const words = [...snippet('JavaScript API', 'js').matchAll(/pavis\.(\w+)/g)].map(
      ([, word]) => word,
    );
    expect(new Set(words).size).toBe(10);
    for (const word of words) {
      expect(await visit.page.evaluate(`'${word}' in pavis`), word).toBe(true);
    }
  });
});
