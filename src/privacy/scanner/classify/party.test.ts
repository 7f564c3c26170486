import { describe, expect, it } from 'vitest';
import { getSite } from './party.ts';

describe('Two URLs', () => {
  it.each([
    ['https://example.com', 'https://cdn.example.com:8443'],
    ['https://www.example.co.uk', 'https://example.co.uk'],
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8080/path'],
    ['http://localhost:8080', 'http://localhost:8080'],
    ['http://shop.localhost:1', 'http://shop.localhost:2'],
  ])('%s and %s are the same site', (a, b) => {
    expect(getSite(new URL(a))).toBe(getSite(new URL(b)));
  });

  it.each([
    ['https://a.github.io', 'https://b.github.io'],
    ['https://example.com', 'https://example.org'],
    ['https://a.co.uk', 'https://b.co.uk'],
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8081'],
    ['http://localhost:8080', 'http://localhost:8081'],
    ['http://127.0.0.1:8080', 'http://127.0.0.2:8080'],
    ['http://shop.localhost', 'http://tracker.localhost'],
    ['http://localhost', 'http://tracker.localhost'],
    ['http://[::1]:1', 'http://[::1]:2'],
  ])('%s and %s are different sites', (a, b) => {
    expect(getSite(new URL(a))).not.toBe(getSite(new URL(b)));
  });
});
