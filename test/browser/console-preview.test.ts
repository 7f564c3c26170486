import { expect, it } from 'vitest';
import { useConsole } from '../support/console.ts';

const { openSignedIn } = useConsole();

it.each([360, 768, 1024, 1199, 1201, 1440, 1920])(
  'shows the preview of the banner after or beside its form, never before it: %i px',
  async (width) => {
    const page = await openSignedIn('/banner', { viewport: { width, height: 900 } });
    const preview = page.getByRole('region', { name: 'Preview of the banner' });
    const form = page.locator('form').filter({ has: page.getByLabel('Message', { exact: true }) });
    await preview.waitFor();
    const [written, seen] = [await form.boundingBox(), await preview.boundingBox()];
    if (!written || !seen) throw new Error('one of them is not there');
    const isBeside = seen.x >= written.x + written.width;
    const isAfter = seen.y >= written.y + written.height;
    expect(isBeside || isAfter).toBe(true);
    const follows = (node: { compareDocumentPosition(other: unknown): number }, other: unknown) =>
      node.compareDocumentPosition(other);
    const order = await form.evaluate(follows, await preview.elementHandle());
    expect(order & 4).toBe(4);
    await page.context().close();
  },
);

it('switches the preview of the banner between the first layer and the preferences', async () => {
  const page = await openSignedIn('/banner');
  const preview = page.getByRole('region', { name: 'Preview of the banner' });
  const banner = preview.frameLocator('iframe').locator('pavis-banner');
  const layer = (name: string) => preview.getByRole('button', { name, exact: true });
  const analytics = banner.getByRole('switch', { name: 'Analytics' });
  await banner.getByRole('button', { name: 'Accept all' }).waitFor();
  expect(await analytics.count()).toBe(0);
  await layer('Preferences').click();
  await analytics.waitFor();
  expect(await layer('Preferences').getAttribute('aria-pressed')).toBe('true');
  await page.getByLabel('Message', { exact: true }).fill('Changed while preferences are open.');
  await banner.getByText('Changed while preferences are open.').waitFor();
  await analytics.waitFor();
  await layer('First layer').click();
  await analytics.waitFor({ state: 'detached' });
  await banner.getByRole('button', { name: 'Accept all' }).waitFor();
});
