import { describe, it } from 'vitest';
import { useBannerSite } from '../support/banner.ts';
const words = '<style>body{font:1.05rem/1.6 Georgia,serif;max-width:44rem;margin:3rem auto;padding:0 1rem}@media (prefers-color-scheme:dark){body{background:#101318;color:#ddd}}</style>' + '<p>Bread takes its time, and so do we. Every loaf is shaped by hand and rests for a night before it sees the oven.</p>'.repeat(8);
describe('shots', () => {
  const site = useBannerSite();
  it.each([[1440, 900, 'd'], [390, 844, 'm'], [320, 256, 'z']] as const)('%s', async (width, height, n) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page } = await site.visit({ body: words + '<iframe data-src="https://maps.example.com/x" data-category="marketing" title="Map" width="560" height="220"></iframe>' }, { viewport: { width, height }, colorScheme });
      await page.getByRole('button', { name: 'Accept all' }).waitFor();
      await page.waitForTimeout(400);
      await page.screenshot({ path: `/tmp/shots/${n}-${colorScheme}.png` });
      await page.getByRole('button', { name: 'Choose' }).click();
      await page.waitForTimeout(200);
      await page.screenshot({ path: `/tmp/shots/${n}-${colorScheme}-manage.png` });
      await page.getByRole('button', { name: 'Reject all' }).click();
      await page.waitForTimeout(400);
      await page.screenshot({ path: `/tmp/shots/${n}-${colorScheme}-after.png` });
    }
    for (const position of ['center', 'bottom-right', 'top']) {
      const { page } = await site.visit({ body: words, banner: `data-position="${position}"`, lang: 'en' }, { viewport: { width, height } });
      await page.getByRole('button', { name: 'Accept all' }).waitFor();
      await page.waitForTimeout(400);
      await page.screenshot({ path: `/tmp/shots/${n}-${position}.png` });
    }
  });
});
