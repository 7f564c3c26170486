import { createServer, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { connect } from 'node:net';
import { SELF_SIGNED } from './self-signed.ts';

export interface ThirdParties {
  /** Options of a browser context that finds them under all host names. */
  context: { proxy: { server: string; bypass: string }; ignoreHTTPSErrors: true };
  /** Requests as host and path, in order. */
  asked: string[];
  close(): void;
}

/**
 * All hosts of the internet, except for this machine: scripts note in `window.ran` that they ran, all else is a page or
 * an empty answer. Requests are answered over http and https.
 */
export async function startThirdParties(): Promise<ThirdParties> {
  const asked: string[] = [];
  const answer: RequestListener = ({ url = '/', headers }, response) => {
    const { host } = headers;
    const { pathname } = new URL(url, `http://${host}`);
    const address = host + pathname;
    asked.push(address);
    response.setHeader('access-control-allow-origin', '*');
    response.setHeader('cache-control', 'no-store');
    if (/\/(embed|maps)\b/.test(pathname)) {
      response.setHeader('content-type', 'text/html');
      response.end(`<title>${host}</title><p>embedded`);
    } else if (/\.(gif|png|json|css)$/.test(pathname)) response.end();
    else {
      response.setHeader('content-type', 'text/javascript');
      response.end(`(window.ran ??= []).push('${address}')`);
    }
  };
  const secure = createSecureServer(SELF_SIGNED, answer);
  // Plain requests to a proxy name the whole address.
  const proxy = createServer(answer);
  const sockets = new Set<Socket>();
  proxy.on('connect', (_request, socket: Socket) => {
    const tunnel = connect((secure.address() as AddressInfo).port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      socket.pipe(tunnel).pipe(socket);
    });
    for (const end of [socket, tunnel]) {
      sockets.add(end);
      end.on('error', () => socket.destroy(tunnel.destroy() && undefined));
    }
  });
  for (const server of [secure, proxy])
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const server = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  return {
    context: { proxy: { server, bypass: '127.0.0.1' }, ignoreHTTPSErrors: true },
    asked,
    close() {
      for (const socket of sockets) socket.destroy();
      for (const each of [secure, proxy]) {
        each.closeAllConnections();
        each.close();
      }
    },
  };
}
