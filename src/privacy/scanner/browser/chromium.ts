import { type ChildProcess, spawn } from 'node:child_process';
import { statfsSync } from 'node:fs';
import { chmod, chown, copyFile, link, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { escapeHtml } from '../../../platform/html.ts';
import { listUnpacked, type Unpacked } from './bundled.ts';
import { type BrowserCandidate, type ChromiumSettings, listCandidates } from './candidates.ts';
import { CdpConnection } from './cdp.ts';
import { makeTemporaryFolder } from './temporary-folder.ts';

/** On a machine with much other work, Debian's Chromium takes 7 seconds and more. */
const START_TIMEOUT_MS = 30_000;
/** Of what a browser that does not start has printed. Chrome says why before much else. */
const OUTPUT_LENGTH = 3_000;
const SHARED_MEMORY_MIN = 512 * 2 ** 20;
/** `nobody`: as root, Chromium only keeps its sandbox under another user. */
const NOBODY = 65_534;

/**
 * Requests outside of a page's context go to a closed port, and the browser never resolves names itself. Do not add
 * `--disable-web-security`, `--single-process` or `--no-zygote`.
 */
const FLAGS = [
  '--headless',
  '--remote-debugging-pipe',
  '--proxy-server=http://127.0.0.1:9',
  '--proxy-bypass-list=<-loopback>',
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
  '--disable-quic',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  // The headless browser reads the policy from this flag, Chrome from the one before.
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-domain-reliability',
  '--disable-sync',
  '--disable-default-apps',
  '--disable-extensions',
  '--disable-breakpad',
  '--disable-crash-reporter',
  // Otherwise `navigator.webdriver` is true and some banners do not show.
  '--disable-blink-features=AutomationControlled',
  '--disable-features=Translate,OptimizationHints,MediaRouter,DialMediaRouteProvider',
  '--disable-gpu',
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
  '--js-flags=--max-old-space-size=512',
  '--mute-audio',
  '--disable-smooth-scrolling',
  '--no-first-run',
  '--no-default-browser-check',
  '--password-store=basic',
  '--window-size=1366,900',
  '--lang=en-GB',
];

/** A running browser that has opened a test page. */
export interface Chromium {
  /** For example `chromium 153 bundled`. */
  name: string;
  sandbox: boolean;
  connection: CdpConnection;
  /** Leader of the process group. */
  pid: number;
  /** User agent without "Headless". */
  userAgent: string;
  /** For example `153.0.7871.2`. */
  version: string;
  /** Kills the browser with all its processes and removes its files. */
  close(): Promise<void>;
}

/** Its cause is an error that says why, if anything failed. */
export class BrowserUnavailableError extends Error {}

class BrowserTimeoutError extends Error {}

/**
 * Starts the first available browser: configured, bundled, then system. If none starts with its sandbox, for example on
 * hosts without user namespaces, those that have ended are tried without it. One that does not answer in time may be
 * slow only, and keeps its sandbox.
 * @throws BrowserUnavailableError
 */
export async function launchChromium(settings: ChromiumSettings): Promise<Chromium> {
  const { candidates, fault } = await listCandidates(settings);
  const { log, insecure } = settings;
  const ended: BrowserCandidate[] = [];
  for (const sandbox of [true, false]) {
    for (const candidate of sandbox ? candidates : ended) {
      try {
        const chromium = await start(candidate, [
          ...FLAGS,
          ...(insecure ? ['--ignore-certificate-errors'] : []),
          ...(hasSharedMemory() ? [] : ['--disable-dev-shm-usage']),
          ...(sandbox ? [] : ['--no-sandbox']),
        ]);
        if (sandbox) log.info({ browser: chromium.name }, 'browser started');
        else log.warn({ browser: chromium.name }, 'browser started without its sandbox');
        return { ...chromium, sandbox };
      } catch (err) {
        log.warn({ err, browser: candidate.executable, sandbox }, 'browser does not start');
        if (sandbox && !(err instanceof BrowserTimeoutError)) ended.push(candidate);
      }
    }
  }
  throw new BrowserUnavailableError('No browser could be started on this machine', {
    cause: fault,
  });
}

/**
 * Whether `/dev/shm` has room for all pages: containers often limit it to 64 MB. Without it the browser shares memory by
 * files in its temporary folder, which takes twice the processor time.
 */
function hasSharedMemory(): boolean {
  try {
    const { bavail, bsize } = statfsSync('/dev/shm');
    return bavail * bsize >= SHARED_MEMORY_MIN;
  } catch {
    return false;
  }
}

async function start(
  { origin, executable, unpacked }: BrowserCandidate,
  flags: string[],
): Promise<Omit<Chromium, 'sandbox'>> {
  const folder = await makeTemporaryFolder();
  const profile = join(folder, 'profile');
  let child: ChildProcess | undefined;
  const close = async () => {
    if (child) await killGroup(child);
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  };
  try {
    await mkdir(profile, { mode: 0o700 });
    const asRoot = process.getuid?.() === 0;
    let from = unpacked;
    if (asRoot) {
      await chmod(folder, 0o711);
      await chown(profile, NOBODY, NOBODY);
      if (unpacked) from = await copyForNobody(unpacked, join(folder, 'bin'));
    }
    const fontSettings = join(profile, 'fonts.conf');
    if (from) {
      await writeFile(fontSettings, formatFontSettings(from.fonts));
      await chmod(fontSettings, 0o644);
    }
    child = spawn(from?.executable ?? executable, [...flags, `--user-data-dir=${profile}`], {
      cwd: profile,
      // A process group, to end all processes.
      detached: true,
      // Our own environment contains secrets.
      env: {
        PATH: process.env.PATH,
        HOME: profile,
        // The working directory: with an absolute path, Chrome's socket may have a longer one than sockets can have.
        TMPDIR: '.',
        LANG: 'en_GB.UTF-8',
        ...(from && { LD_LIBRARY_PATH: from.libraries, FONTCONFIG_FILE: fontSettings }),
      },
      stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
      ...(asRoot && { uid: NOBODY, gid: NOBODY }),
    });
    // The server answers visitors first. Processes and threads that the browser starts inherit this.
    if (child.pid) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
    const connection = await connectToBrowser(child);
    const { product, userAgent } = await connection.browser.send('Browser.getVersion');
    const version = /\/([\d.]+)/.exec(product)?.[1] ?? 'unknown';
    return {
      name: `chromium ${version.split('.')[0]} ${origin}`,
      version,
      connection,
      pid: child.pid as number,
      userAgent: userAgent.replace('Headless', ''),
      close: async () => {
        connection.close();
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The fonts of the system, and those that came with the browser: without any, it draws no text. */
const formatFontSettings = (folder: string): string => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir>${escapeHtml(folder)}</dir>
</fontconfig>
`;

/** Links or copies the unpacked browser to a folder that `nobody` can read but not change. */
async function copyForNobody(
  { executable, libraries, fonts }: Unpacked,
  folder: string,
): Promise<Unpacked> {
  const lent = listUnpacked(folder);
  const pairs = [[executable, lent.executable]];
  for (const [from, to] of [
    [libraries, lent.libraries],
    [fonts, lent.fonts],
  ] as const) {
    await mkdir(to, { recursive: true });
    for (const name of await readdir(from)) pairs.push([join(from, name), join(to, name)]);
  }
  // Independent of the umask.
  for (const path of [folder, lent.libraries, lent.fonts]) await chmod(path, 0o755);
  for (const [from = '', to = ''] of pairs) {
    // The temporary folder may be on another disk.
    await link(from, to).catch(() => copyFile(from, to));
  }
  return lent;
}

/** Resolves after it has shown a page. @throws Error with its output if it has not within 30 s */
async function connectToBrowser(child: ChildProcess): Promise<CdpConnection> {
  let complaint = '';
  child.stderr?.on('data', (chunk) => {
    complaint = `${complaint}${chunk}`.slice(-OUTPUT_LENGTH);
  });
  const ended = Promise.withResolvers<never>();
  const explain = (why: string) => `${why} ${complaint}`.trim();
  const timer = setTimeout(
    () => ended.reject(new BrowserTimeoutError(explain('It does not answer.'))),
    START_TIMEOUT_MS,
  );
  child.on('error', (error) => ended.reject(new Error(explain(error.message))));
  child.on('close', () => ended.reject(new Error(explain('It ended.'))));
  ended.promise.catch(() => {});
  try {
    const [, , , to, from] = child.stdio;
    const connection = new CdpConnection(to as Writable, from as Readable);
    // The process is about to end, and its output may say why.
    await Promise.race([ended.promise, openTestPage(connection).catch(() => ended.promise)]);
    return connection;
  } finally {
    clearTimeout(timer);
  }
}

async function openTestPage(connection: CdpConnection): Promise<void> {
  const { browser } = connection;
  const { targetId } = await browser.send('Target.createTarget', { url: 'about:blank' });
  const { sessionId } = await browser.send('Target.attachToTarget', { targetId, flatten: true });
  await connection.session(sessionId).send('Runtime.evaluate', { expression: 'document.URL' });
  await browser.send('Target.closeTarget', { targetId });
}

async function killGroup(child: ChildProcess): Promise<void> {
  if (child.pid === undefined) return;
  const gone =
    child.exitCode !== null || child.signalCode !== null
      ? undefined
      : new Promise((resolve) => child.once('exit', resolve));
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
  await gone;
}
