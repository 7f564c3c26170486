import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { linkBrowser } from '../../../../test/support/browser.ts';
import { dataFolder } from '../../../../test/support/process.ts';
import { createLogger } from '../../../platform/log.ts';
import { type LocalBrowser, openLocalBrowser } from '../local-browser.ts';

describe('a browser for local pages', () => {
  const folder = dataFolder();
  const settings = { chromium: undefined, dataDir: folder.path };
  const ending = new AbortController();
  let browser: LocalBrowser;
  let requests = 0;
  const outside = createServer((_request, response) => {
    requests += 1;
    response.end();
  });

  beforeAll(async () => {
    linkBrowser(folder.path);
    await new Promise<void>((resolve) => outside.listen(0, '127.0.0.1', resolve));
    const log = await createLogger('silent');
    const found = await openLocalBrowser(settings, log, ending.signal);
    if (!found) throw new Error('there is no browser');
    browser = found;
  });
  afterAll(async () => {
    await browser?.close();
    outside.close();
    folder.remove();
  });

  const show = (body: string, expression: string) =>
    browser.open(
      {
        url: 'https://page.invalid/',
        answer: ({ href }) =>
          href === 'https://page.invalid/' ? { type: 'text/html', body } : undefined,
      },
      ({ run }) => run(expression),
    );

  it('sends no request to the network', async () => {
    const url = `http://127.0.0.1:${(outside.address() as AddressInfo).port}/`;
    await show(
      `<img src="${url}"><iframe src="${url}"></iframe><script src="${url}"></script>`,
      `fetch('${url}', { method: 'POST', mode: 'no-cors' }).then(() => fetch('//page.invalid/other')).then(
        ({ status }) => { if (status !== 404) throw new Error('status ' + status); })`,
    );
    expect(requests).toBe(0);
  });

  it('draws text on a machine without fonts, with those that came with it', async () => {
    await show(
      '<canvas></canvas>',
      `(() => {
        const context = document.querySelector('canvas').getContext('2d');
        const measure = (font) => {
          context.font = '50px ' + font;
          return context.measureText('Widths differ').width;
        };
        if (measure('"Open Sans", monospace') === measure('monospace')) throw new Error('no font');
      })()`,
    );
  });

  it('reports what a page throws, and ends with its signal', async () => {
    await expect(show('', 'Promise.reject(new Error("out of order"))')).rejects.toThrow(
      'out of order',
    );
    ending.abort();
    await expect(show('', '0')).rejects.toThrow('The browser has gone');
  });
});
