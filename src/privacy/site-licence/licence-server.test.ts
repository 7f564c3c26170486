import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { LicenceServer } from './licence-server.ts';

it('gives up on a service that sends a response without an end', async () => {
  const endless = createServer((_request, response) => {
    const timer = setInterval(() => response.write('.'), 100);
    response.on('close', () => clearInterval(timer));
  });
  await new Promise<void>((resolve) => endless.listen(0, '127.0.0.1', resolve));
  const { port } = endless.address() as AddressInfo;
  const server = new LicenceServer(`http://127.0.0.1:${port}`, {
    key: `pv_live_${'k'.repeat(32)}`,
    siteUrl: 'https://example.com',
    retry: false,
    signal: new AbortController().signal,
  });
  await expect(server.deactivate()).rejects.toThrow(/timeout/);
  endless.close();
}, 15_000);
