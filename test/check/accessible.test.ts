import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeFinds } from '../support/accessible.ts';
import { launchBrowser } from '../support/browser.ts';

const FAULT = '<img src="x">';
const inDocument = (body: string) => `<html lang="en"><title>A page</title><body>${body}`;
const inFrame = (body: string, attributes = '') => {
  const source = inDocument(body).replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  return `<iframe ${attributes} title="A frame" srcdoc="${source}"></iframe>`;
};

describe('The accessibility check of the tests', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());

  it.each([
    ['a page', FAULT],
    ['a frame', inFrame(FAULT)],
    ['a frame of another origin', inFrame(FAULT, 'sandbox="allow-scripts"')],
    ['a frame in a frame', inFrame(inFrame(FAULT))],
    [
      'a frame in a shadow tree',
      `<div><template shadowrootmode="open">${inFrame(FAULT)}</template></div>`,
    ],
  ])('finds an image without a text in %s', async (_where, body) => {
    const page = await browser.newPage();
    await page.route('**/*', (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: inDocument(`<main><h1>A page</h1>${body}</main>`),
      }),
    );
    await page.goto('http://page.example/');
    expect(await axeFinds(page)).toEqual([`image-alt: ${FAULT}`]);
    expect(await axeFinds(page, ['image-alt'])).toEqual([`image-alt: ${FAULT}`]);
    expect(await axeFinds(page, ['button-name'])).toEqual([]);
  });
});
