import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { useConsole } from '../support/console.ts';
import { createDsarClient } from '../support/dsar.ts';
import { makeLicence } from '../support/makers.ts';

const SCREENS = [
  '/scanner',
  '/scanner/1',
  '/scanner/1?view=findings',
  '/consent',
  '/vendors',
  '/data-map',
  '/scripts',
  '/requests',
  '/retention',
  '/retention?view=holds',
  '/licences',
  '/users',
  '/users?view=log',
  '/developer',
];
/** Phones, tablets in both orientations, and a small and a large desktop. */
const WIDTHS = [360, 540, 704, 768, 900, 1024, 1280, 1440];

describe('Tables of the console', () => {
  const { app, openSignedIn } = useConsole({ PAVIS_DEMO: 'on', PAVIS_CHROMIUM: 'off' });
  let page: Page;
  beforeAll(async () => {
    await makeLicence(app.platform, { email: 'a-rather-long-name@a-rather-long-company.example' });
    const dsarClient = createDsarClient(app);
    await dsarClient.request({ first_name: 'Augusta Ada', last_name: 'King of Lovelace' });
    const { json: scan } = await dsarClient.admin('POST', '/scanner/start', { scan_depth: 0 });
    await dsarClient.admin('POST', '/scanner/scan-page', {
      scan_id: scan.scan_id,
      url: scan.urls[0],
    });
    await dsarClient.admin('POST', '/scanner/complete', { scan_id: scan.scan_id });
    await dsarClient.admin('POST', '/consent', {
      visitor_id: '7d3e2c1b-4f5a-4b6c-8d7e-9f0a1b2c3d4e',
      consent_action: 'manage',
      categories_accepted: ['analytics'],
      categories_rejected: ['marketing', 'personalisation'],
    });
    await dsarClient.admin('POST', '/scripts', {
      handle: 'adtrail-conversion',
      label: 'Adtrail: conversion and remarketing',
      category: 'personalisation',
      script_url: 'https://adtrail.example/conversion.js?account=heron-house&campaign=winter',
    });
    await dsarClient.admin('POST', '/retention/holds', {
      data_category: 'consent_records',
      reason: 'An audit of the authority, which ends when it has answered',
    });
    page = await openSignedIn('/');
  });

  const cutTables = () =>
    page.evaluate(`[...document.querySelectorAll('.table-card')]
      .filter((card) => card.scrollWidth > card.clientWidth + 1)
      .map((card) => card.scrollWidth + ' in ' + card.clientWidth)`);

  /** Cells in the card layout whose label overflows. Switches always extend beyond their cell. */
  const namesOverOthers = () =>
    page.evaluate(`[...document.querySelectorAll('.table-card table td:not(:first-child)')]
      .filter((cell) => getComputedStyle(cell).display !== 'table-cell')
      .filter((cell) => cell.scrollHeight > cell.clientHeight + 1 && !cell.querySelector('[role=switch]'))
      .map((cell) => cell.dataset.title + ': ' + cell.textContent)`);

  /** Badges as high as the label beside them instead of as their text. */
  const stretchedBadges = () =>
    page.evaluate(`[...document.querySelectorAll('.table-card[data-cards] .mantine-Badge-root')]
      .filter((badge) => badge.offsetHeight > 1.5 * badge.querySelector('.mantine-Badge-label').offsetHeight)
      .map((badge) => badge.textContent)`);

  it.each(SCREENS)('show all columns at every width: %s', async (screen) => {
    await page.goto(`${app.url}/admin${screen}`);
    await page.locator('.table-card table').waitFor();
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      // The table becomes cards after the resize.
      await expect
        .poll(async () => [await cutTables(), await namesOverOthers(), await stretchedBadges()], {
          message: `${width} px`,
        })
        .toEqual([[], [], []]);
    }
  });

  it.each([
    ['/scanner/1?view=findings', 1280, 'table'],
    ['/data-map', 1280, 'table'],
    ['/requests', 1280, 'table'],
    ['/users', 1280, 'table'],
    ['/users', 1000, 'cards'],
  ])('have one layout from the first painting on: %s at %i px', async (screen, width, layout) => {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(`${app.url}/admin/developer`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.evaluate(`
      window.layouts = new Set();
      const watch = () => {
        const card = document.querySelector('.table-card:has(td)');
        if (card) layouts.add(card.dataset.cards ? 'cards' : card.scrollWidth > card.clientWidth ? 'cut' : 'table');
        requestAnimationFrame(watch);
      };
      watch();
      history.pushState({}, '', '/admin${screen}');
      dispatchEvent(new PopStateEvent('popstate'));`);
    await page.locator('.table-card td').first().waitFor();
    await page.evaluate('new Promise((done) => setTimeout(done, 300))');
    expect(await page.evaluate('[...layouts]')).toEqual([layout]);
  });

  it('are tables again after a row that was too wide is filtered out', async () => {
    const dsarClient = createDsarClient(app);
    const wide = { slug: 'too-wide', name: 'W'.repeat(100), purpose: 'Ads', category: 'marketing' };
    const { json: vendor } = await dsarClient.admin('POST', '/vendors', wide);
    await page.setViewportSize({ width: 1400, height: 900 });
    await page.goto(`${app.url}/admin/vendors`);
    const cards = page.locator('.table-card[data-cards]');
    await page.locator('.table-card:not([data-cards])').waitFor();
    await page.getByRole('searchbox').fill('WWW');
    await cards.waitFor();
    await page.getByRole('searchbox').fill('');
    await page.locator('.table-card:not([data-cards])').waitFor();
    await dsarClient.admin('DELETE', `/vendors/${vendor.id}`);
  });

  it('keep the sort order after a reload, and apply a saved filter', async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(`${app.url}/admin/vendors`);
    const names = () =>
      page.getByRole('table', { name: 'Vendors' }).locator('td:first-child').allInnerTexts();
    const filters = page.getByRole('button', { name: 'Filters', exact: true });
    await page.getByRole('combobox', { name: 'Category' }).selectOption('functional');
    await page.getByRole('button', { name: 'Name' }).click();
    await page.getByRole('button', { name: 'Name' }).click();
    await page
      .getByRole('columnheader', { name: 'Name' })
      .and(page.locator('[aria-sort=descending]'))
      .waitFor();
    const sorted = await names();
    expect(sorted).toEqual(sorted.toSorted((one, other) => other.localeCompare(one)));
    await filters.click();
    await page.getByLabel('Save current filters as').fill('Functional, Z to A');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.reload();
    await expect.poll(names).toEqual(sorted);

    await page.goto(`${app.url}/admin/vendors`);
    await expect.poll(names).not.toEqual(sorted);
    await filters.click();
    await page.getByRole('button', { name: 'Functional, Z to A', exact: true }).click();
    await expect.poll(names).toEqual(sorted);
    expect(await page.getByRole('combobox', { name: 'Category' }).inputValue()).toBe('functional');
    await filters.click();
    await page.getByRole('button', { name: 'Delete the filter Functional, Z to A' }).click();
    await page.getByText('Saved in this browser.').waitFor();
    expect(await page.getByRole('button', { name: 'Functional, Z to A' }).count()).toBe(0);
  });

  it('are marked as loading while they show the rows of the filters before', async () => {
    await page.goto(`${app.url}/admin/licences`);
    const table = page.getByRole('table', { name: 'Licences' });
    const busy = page.locator('[aria-busy=true]', { has: table });
    await table.waitFor();
    expect(await busy.count()).toBe(0);
    let answer = () => {};
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/console/licences?*', async (route) => {
      await answered;
      await route.continue();
    });
    await page.getByLabel('Status').selectOption('revoked');
    await busy.waitFor({ state: 'attached' });
    await page.getByText('Loading', { exact: true }).waitFor({ state: 'attached' });
    const opacity = "getComputedStyle(document.querySelector('.table-card')).opacity";
    await expect.poll(async () => Number(await page.evaluate(opacity))).toBeLessThan(1);
    answer();
    await page.getByText('No licences found').waitFor();
    expect(await page.locator('[aria-busy=true]').count()).toBe(0);
    await page.unroute('**/console/licences?*');
  });

  it.each([
    ['/scanner/1', 'view=findings&sort=name', 'only=open'],
    ['/vendors', 'orderby=name&order=desc', 'category=functional'],
  ])('keep view and order when filters are cleared: %s', async (screen, kept, filter) => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(`${app.url}/admin${screen}?${kept}&${filter}`);
    await page.getByRole('button', { name: 'Filters', exact: true }).click();
    const saved = page.getByRole('dialog');
    await saved.getByRole('button', { name: 'Clear filters' }).click();
    await expect
      .poll(() => new URL(page.url()).search.slice(1).split('&').toSorted())
      .toEqual(kept.split('&').toSorted());
  });
});
