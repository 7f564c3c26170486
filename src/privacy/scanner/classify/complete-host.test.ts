import { expect, it } from 'vitest';
import { isCompleteHost } from './complete-host.ts';

it.each([
  'www.example.com',
  'shop.co.uk',
  'a.github.io',
  's3.amazonaws.com',
  'cdn.vendor.test',
  'tags.localhost',
  'localhost',
  '127.0.0.1',
  '[::1]',
  'xn--bcher-kva.example',
  '_dmarc.example.com',
])('%s is a host', (hostname) => {
  expect(isCompleteHost(hostname)).toBe(true);
});

it.each([
  '',
  'cdn.',
  'cdn',
  'co.uk',
  'com',
  'static.',
  'www.jsdel',
  '{{cdn}}',
  '$h.example.com',
  '-.com',
  'a..b.com',
  '*.example.com',
])('%s is incomplete', (hostname) => {
  expect(isCompleteHost(hostname)).toBe(false);
});
