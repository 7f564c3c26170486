import { createSocket } from 'node:dgram';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listen, servePages } from '../../../../test/support/pages.ts';
import { openScannerBrowser } from '../../../../test/support/scanner-browser.ts';
import type { PageVisit } from '../observation.ts';

/** Everything a page could try to reach `port` of this machine by. */
const attempts = (port: number, udp: number, away: number) => `
  const tried = [];
  const attempt = (name, act) => {
    try { Promise.resolve(act()).catch(() => {}); tried.push(name); }
    catch (error) { tried.push(name + ' ' + error.name); }
  };
  const add = (tag, attributes) =>
    document.body.append(Object.assign(document.createElement(tag), attributes));
  const hosts = ['127.0.0.1', 'localhost', '127.1', '2130706433', '0x7f000001', '0177.0.0.1',
    '0.0.0.0', '[::1]', '[::ffff:127.0.0.1]', '127.0.0.1.nip.io', 'rebound.test'];
  for (const host of hosts) {
    const url = 'http://' + host + ':${port}/';
    attempt('fetch ' + host, () => fetch(url, { mode: 'no-cors' }));
    attempt('image ' + host, () => { new Image().src = url + 'image'; });
    attempt('socket ' + host, () => new WebSocket('ws://' + host + ':${port}/'));
  }
  const url = 'http://127.0.0.1:${port}/';
  attempt('frame', () => add('iframe', { src: url }));
  attempt('script', () => add('script', { src: url }));
  attempt('style', () => add('link', { rel: 'stylesheet', href: url }));
  for (const rel of ['preconnect', 'dns-prefetch', 'prefetch', 'preload', 'modulepreload']) {
    attempt(rel, () => add('link', { rel, href: url, as: 'script' }));
  }
  attempt('object', () => add('object', { data: url }));
  attempt('video', () => add('video', { src: url, autoplay: true }));
  attempt('beacon', () => navigator.sendBeacon(url + 'beacon', 'x'));
  attempt('events', () => new EventSource(url + 'events'));
  attempt('popup', () => open(url));
  attempt('redirect', () => fetch('http://127.0.0.1:${away}/away', { mode: 'no-cors' }));
  attempt('own redirect', () => fetch('/away', { mode: 'no-cors' }));
  attempt('redirected frame', () => add('iframe', { src: '/away' }));
  attempt('form', () => {
    add('iframe', { name: 'into' });
    const form = Object.assign(document.createElement('form'), { action: url, method: 'post', target: 'into' });
    document.body.append(form);
    form.submit();
  });
  attempt('refresh', () => add('iframe', { srcdoc: '<meta http-equiv=refresh content="0;url=' + url + '">' }));
  const worker = 'fetch("' + url + 'worker", { mode: "no-cors" }); new WebSocket("ws://127.0.0.1:${port}/");' +
    'if (self.WebTransport) new WebTransport("https://127.0.0.1:${udp}/");';
  attempt('worker', () => new Worker(URL.createObjectURL(new Blob([worker]))));
  attempt('shared worker', () => new SharedWorker('/worker.js'));
  attempt('service worker', () => navigator.serviceWorker.register('/worker.js'));
  const rtc = 'for (const name of ["RTCPeerConnection", "webkitRTCPeerConnection"]) try {' +
    'const peer = new window[name]({ iceServers: [{ urls: "stun:127.0.0.1:${udp}" }] });' +
    'peer.createDataChannel("x"); peer.createOffer().then((offer) => peer.setLocalDescription(offer));' +
    '} catch {}';
  attempt('rtc', () => eval(rtc));
  attempt('rtc in frame', () => add('iframe', { srcdoc: '<script>' + rtc + '</' + 'script>' }));
  attempt('rtc in blank frame', () => {
    const frame = document.createElement('iframe');
    document.body.append(frame);
    frame.contentWindow.eval(rtc);
  });
  attempt('transport', () => new WebTransport('https://127.0.0.1:${udp}/'));
  setTimeout(() => { attempt('navigation', () => { location = url + 'navigation'; }); }, 700);
  fetch('/tried', { method: 'POST', body: JSON.stringify(tried) });
`;

let seen: PageVisit;
let tried: string[] = [];
const reached: string[] = [];
const closing: (() => void)[] = [];

beforeAll(async () => {
  const canary = createTcpServer((socket) => {
    reached.push('tcp');
    socket.destroy();
  });
  canary.listen(0, '127.0.0.1');
  const udp = createSocket('udp4', (packet, { port: from }) =>
    reached.push(`udp ${packet.toString('hex', 0, 8)} from port ${from}`),
  );
  await new Promise<void>((resolve) => udp.bind(0, '127.0.0.1', resolve));
  const port = (canary.address() as AddressInfo).port;
  const udpPort = udp.address().port;

  const site = createServer((request, response) => {
    if (request.url === '/away') {
      response.writeHead(302, { location: `http://127.0.0.1:${port}/redirected` }).end();
    } else if (request.url === '/worker.js') {
      response.writeHead(200, { 'content-type': 'text/javascript' });
      response.end(`fetch('http://127.0.0.1:${port}/' + self.constructor.name).catch(() => {});`);
    } else if (request.url === '/tried') {
      request.on('data', (body) => {
        tried = JSON.parse(String(body));
      });
      response.end();
    } else {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end(`<body><script>${attempts(port, udpPort, sitePort)}</script>
        <iframe src="http://frame.vendor.test/"></iframe>`);
    }
  });
  const sitePort: number = await listen(site);
  // Another site's frame, in a process of its own.
  const vendor = await servePages({
    'http://frame.vendor.test/': `<body><script>${attempts(port, udpPort, sitePort)}</script>`,
  });
  closing.push(
    () => canary.close(),
    () => udp.close(),
    () => site.close(),
    () => vendor.close(),
  );

  // As localhost: what only secure pages may do, this one may.
  const siteOrigin = `http://localhost:${sitePort}`;
  const engine = await openScannerBrowser({
    siteOrigin,
    connectTo: vendor.connectTo.map((entry) => ({ ...entry, host: 'frame.vendor.test' })),
    lookup: async (name) =>
      name === 'rebound.test' || name.endsWith('localhost') ? ['127.0.0.1'] : [],
    pageMs: 10_000,
  });
  seen = await engine.visit(`${siteOrigin}/`, new AbortController().signal);
  await engine.close();
});
afterAll(() => {
  for (const close of closing) close();
});

test('a hostile page cannot reach private addresses', () => {
  expect(seen.status).toBe(200);
  expect(tried).toContain('fetch 127.0.0.1');
  expect(tried.length).toBeGreaterThan(50);
});

test('a hostile page reaches no other port of this machine', () => {
  expect(reached).toEqual([]);
});

test('blocked requests are recorded', () => {
  const named = (name: string) =>
    seen.observations.find((each) => 'url' in each && each.url?.endsWith(`/${name}`));
  expect(named('SharedWorkerGlobalScope')).toMatchObject({ failure: 'blocked' });
  expect(named('ServiceWorkerGlobalScope')).toMatchObject({ failure: 'blocked' });
  const blocked = seen.observations.filter(
    (each) => 'failure' in each && each.failure === 'blocked',
  );
  const vias = new Set(blocked.map((each) => ('via' in each ? each.via : each.kind)));
  expect([...vias]).toEqual(
    expect.arrayContaining(['fetch', 'websocket', 'beacon', 'eventsource', 'navigation']),
  );
});
