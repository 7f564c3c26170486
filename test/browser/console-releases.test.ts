import { describe, expect, it } from 'vitest';
import { createProduct } from '../../src/licensing/products/index.ts';
import { createReleaseKey, signFile } from '../../src/licensing/releases/index.ts';
import { useConsole } from '../support/console.ts';
import { makePluginZip } from '../support/plugin-zip.ts';

describe('The release pages of the console', () => {
  const { app, openSignedIn, heading } = useConsole();

  it('add a key, publish a signed ZIP, change its roll-out and yank it', async () => {
    const slug = 'forms-pro';
    await createProduct(app.platform, { slug, name: 'Forms Pro' }, 'test');
    const { privateKey, publicKey } = createReleaseKey();
    const page = await openSignedIn(`/products/${slug}`);
    await page.getByRole('link', { name: 'Releases' }).click();
    await heading(page, 'Releases').waitFor();
    await page.getByText('No releases').waitFor();
    await page.getByLabel('Name').fill('Build 2026');
    await page.getByLabel('Public key').fill('abc');
    await page.getByRole('button', { name: 'Add the key' }).click();
    await page.getByText(/^Enter the public key as "pavis release keygen" prints it/).waitFor();
    await page.getByLabel('Public key').fill(publicKey);
    await page.getByRole('button', { name: 'Add the key' }).click();
    await page.getByRole('row', { name: /^Build 2026/ }).waitFor();

    await page.getByRole('link', { name: 'Publish a release' }).click();
    await heading(page, 'Publish a release').waitFor();
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByText('Choose a file.').waitFor();
    const buffer = await makePluginZip(slug, '2.5.0', { [`${slug}/big.txt`]: bigText() });
    const choose = (name: string) =>
      page.setInputFiles('input[type=file] >> nth=0', {
        name,
        mimeType: 'application/zip',
        buffer,
      });
    await choose('forms pro (1).zip');
    await page.getByLabel('Signature').fill('forged');
    await page.getByRole('button', { name: 'Publish' }).click();
    await page
      .locator('form')
      .getByText(/^Use up to 128 letters, digits and/)
      .waitFor();

    // The connection fails once: the part is sent again. A signature that is refused does not upload the file again.
    const parts: number[] = [];
    await page.route('**/release-files/*/parts', (route) => {
      const { position } = route.request().postDataJSON();
      parts.push(position);
      return parts.length === 2 ? route.abort() : route.continue();
    });
    await choose('forms-pro-2.5.0.zip');
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByText(/^This is not the signature of this file/).waitFor();
    const sent = parts.length;
    expect(parts.slice(0, 3)).toEqual([0, 1, 1]);
    await page.getByLabel('Signature').fill(signFile(buffer, privateKey)?.signature ?? '');
    // Saved as zero, an empty share would stop the release for all sites.
    await page.getByLabel('Roll-out (%)').fill('');
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByText('Enter a whole number from 0 to 100.').waitFor();
    await page.getByLabel('Roll-out (%)').fill('20');
    await page.getByLabel('Changelog').fill('- Adds an export');
    await page.getByRole('button', { name: 'Publish' }).click();
    await heading(page, 'Release 2.5.0').waitFor();
    expect(parts).toHaveLength(sent);
    await page.getByText('7.4 or later').waitFor();
    // As earlier versions took it from readme.txt. It is not sent back, so it does not keep other fields from being saved.
    const changelog = '- Adds\u0007 an export';
    await app.platform.datastore.db.updateTable('releases').set({ changelog }).execute();
    await page.reload();
    await page.getByText('7.4 or later').waitFor();

    await page.getByLabel('Roll-out (%)').fill('');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Enter a whole number from 0 to 100.').waitFor();
    await page.getByLabel('Roll-out (%)').fill('50');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('The changes were saved.').waitFor();
    await page.getByRole('button', { name: 'Yank' }).click();
    await page.getByLabel('Reason').fill('Breaks the export');
    await page.getByRole('dialog').getByRole('button', { name: 'Yank' }).click();
    await page.getByText('Breaks the export').waitFor();
    await page.getByRole('link', { name: 'Releases' }).click();
    await page.getByRole('row', { name: /^2\.5\.0 Yanked Stable 50/ }).waitFor();

    const [stored] = await app.platform.datastore.db
      .selectFrom('releases')
      .select(['bytes', 'rollout_percent', 'changelog'])
      .execute();
    expect(stored).toEqual({
      bytes: buffer.length,
      rollout_percent: 50,
      changelog,
    });
    await page.context().close();
  });
});

/** More than one part, also compressed. */
const bigText = (): string =>
  Array.from({ length: 40_000 }, (_, at) =>
    ((at * 2_654_435_761) % 4_294_967_296).toString(36),
  ).join('');
