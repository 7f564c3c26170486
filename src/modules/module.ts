import type { Routes } from '../platform/http/error-format.ts';

/** Work that every node does in the background. */
export interface BackgroundWork {
  start(): void;
  stop(): Promise<void>;
}

/** What a slice adds to an API and to the process. */
export interface Module<Api> {
  routes?: (api: Api) => void | Promise<void>;
  jobs?: () => BackgroundWork[];
  onListen?: () => void;
  onClose?: () => void | Promise<void>;
}

/** A slice of the Licence API. */
export interface LicenceModule extends Module<Routes> {
  /** Called by pages of customers and shops. The others take licence keys, which belong on servers. */
  isForBrowsers?: true;
}

/** Public URLs. They are functions' results because a free port is known only after listening. */
export interface Addresses {
  baseUrl: string;
  restRoot: string;
  siteUrl: string;
  /** For example `https://pavis.example.com/admin`. */
  consoleUrl: string;
}
