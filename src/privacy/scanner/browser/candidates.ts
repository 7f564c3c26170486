import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Logger } from '../../../platform/log.ts';
import { bundledChromium, type Unpacked } from './bundled.ts';

const SYSTEM_NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable'];

export interface ChromiumSettings {
  /** The path of a browser to try first. */
  chromium?: string | undefined;
  dataDir: string;
  /** Accepts invalid certificates. */
  insecure?: boolean;
  log: Logger;
}

export interface BrowserCandidate {
  origin: 'configured' | 'bundled' | 'system';
  executable: string;
  unpacked?: Unpacked;
}

/** The browsers of this machine: configured, bundled, then system; and why the bundled one is not among them, if it failed. */
export async function listCandidates({
  chromium,
  dataDir,
  log,
}: ChromiumSettings): Promise<{ candidates: BrowserCandidate[]; fault: Error | undefined }> {
  const candidates: BrowserCandidate[] = [];
  let fault: Error | undefined;
  if (chromium) candidates.push({ origin: 'configured', executable: chromium });
  const unpacked = await bundledChromium(dataDir).catch((err) => {
    log.warn({ err }, 'the bundled browser cannot be unpacked');
    fault = new Error(`The bundled browser cannot be unpacked: ${err.message}`);
  });
  if (unpacked) candidates.push({ origin: 'bundled', executable: unpacked.executable, unpacked });
  for (const name of SYSTEM_NAMES) {
    const executable = findOnPath(name);
    if (executable) candidates.push({ origin: 'system', executable });
  }
  return { candidates, fault };
}

function findOnPath(name: string): string | undefined {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, name))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}
