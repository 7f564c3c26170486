import { isLoopback } from '../../platform/http/client-address.ts';

/** What the script tags of sites load from a Pavis server, and what these scripts load (web/banner, web/declaration). */
const FILES = /^\/(?:banner(?:\.(?:esm|headless|sharing|details|preferences))?|declaration)\.js$/;
/** What these scripts ask the REST API for. */
const ROUTES =
  /^\/svc\/v1\/(?:consent(?:\/(?:status|texts|scripts|vendors|cookies|subject|receipt))?|declaration)$/;

/** The public URLs of this Pavis server. */
export interface OwnAddresses {
  baseUrl: string;
  restRoot: string;
}

/**
 * Whether a URL is one of those that the banner and the declaration of this server need on the pages of sites. Other
 * paths of its hosts may serve anything.
 */
export function isOwnService(text: string, { baseUrl, restRoot }: OwnAddresses): boolean {
  const url = URL.parse(text);
  const root = new URL(restRoot);
  if (!url || ![root, new URL(baseUrl)].some((own) => toOrigin(own) === toOrigin(url)))
    return false;
  const prefix = root.pathname.replace(/\/+$/, '');
  return (
    FILES.test(url.pathname) ||
    (url.pathname.startsWith(prefix) && ROUTES.test(url.pathname.slice(prefix.length)))
  );
}

/** A server that listens on this machine has several names here. */
const toOrigin = ({ protocol, hostname, port, origin }: URL): string =>
  hostname === 'localhost' || isLoopback(hostname.replace(/[[\]]/g, ''))
    ? `${protocol}//localhost:${port}`
    : origin;
