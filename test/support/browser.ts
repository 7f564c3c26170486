import { execFileSync } from 'node:child_process';
import { type Browser, chromium } from 'playwright-core';

/** A real browser: the one that `PAVIS_CHROMIUM` names, else the system's. */
export async function openBrowser(): Promise<Browser> {
  const executablePath =
    process.env.PAVIS_CHROMIUM ??
    execFileSync('sh', ['-c', 'command -v chromium || command -v google-chrome'], {
      encoding: 'utf8',
    }).trim();
  return chromium.launch({ executablePath, args: ['--no-sandbox'] });
}
