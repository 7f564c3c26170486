import type { ChromiumSettings } from './candidates.ts';
import { type Chromium, launchChromium } from './chromium.ts';
import { BrowserMemory, MemoryLimitError } from './memory.ts';
import { Tabs } from './tabs.ts';

/** Chromium grows with what it has seen. */
const PAGES_MAX = 50;
const IDLE_MS = 60_000;

export interface BrowserSettings extends ChromiumSettings {
  pageMemory: number;
}

interface Running {
  chromium: Chromium;
  tabs: Tabs;
  memory: BrowserMemory;
  opened: number;
  open: number;
}

/** One browser for all pages: started on demand, replaced after 50 pages or a crash, closed when idle. */
export class Browser {
  /** Name of the last browser. */
  name: string | undefined;
  readonly #settings: BrowserSettings;
  #current: Promise<Running> | undefined;
  #idle: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(settings: BrowserSettings) {
    this.#settings = settings;
  }

  /** Starts the browser unless it runs. @throws BrowserUnavailableError */
  async start(): Promise<void> {
    const { mine, running } = await this.#open();
    if (running.open === 0) this.#endWhenIdle(mine);
  }

  /**
   * @param work ends the browser with `discard` if it cannot be used any more
   * @throws BrowserUnavailableError, MemoryLimitError, or what `work` throws
   */
  async withTabs<T>(
    work: (tabs: Tabs, chromium: Chromium, discard: () => void) => Promise<T>,
  ): Promise<T> {
    clearTimeout(this.#idle);
    const { mine, running } = await this.#open();
    running.opened += 1;
    running.open += 1;
    if (running.opened >= PAGES_MAX) this.#drop(mine);
    const startedAt = performance.now();
    const { opened } = running;
    const isAlone = () => running.open === 1 && running.opened === opened;
    const startsAlone = isAlone();
    const discard = () => {
      this.#drop(mine);
      void running.chromium.close();
    };
    const excess = () =>
      running.memory.hasKilledSince(startedAt)
        ? new MemoryLimitError(startsAlone && isAlone())
        : undefined;
    try {
      const result = await work(running.tabs, running.chromium, discard);
      // The page may not notice that the process of its worker has ended.
      const unnoticed = startsAlone && isAlone() && excess();
      if (unnoticed) throw unnoticed;
      return result;
    } catch (error) {
      throw excess() ?? error;
    } finally {
      running.open -= 1;
      if (running.open === 0) {
        if (this.#current !== mine) await running.chromium.close();
        else this.#endWhenIdle(mine);
      }
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#idle);
    if (this.#current) await this.#end(this.#current);
  }

  async #open() {
    this.#current ??= this.#start();
    const mine = this.#current;
    const running = await mine.catch((error) => {
      this.#drop(mine);
      throw error;
    });
    return { mine, running };
  }

  #endWhenIdle(running: Promise<Running>): void {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => this.#end(running), IDLE_MS).unref();
  }

  async #start(): Promise<Running> {
    if (this.#closed) throw new Error('The scanner has been closed');
    const chromium = await launchChromium(this.#settings);
    this.name = chromium.name;
    const { pageMemory, log } = this.#settings;
    const limit = () => ({ pageBytes: pageMemory, pages: running.open });
    const memory = new BrowserMemory(chromium.pid, limit, log);
    const running: Running = { chromium, tabs: new Tabs(chromium), memory, opened: 0, open: 0 };
    const started = this.#current;
    chromium.connection.once('close', () => {
      this.#drop(started);
      memory.close();
      void chromium.close();
    });
    return running;
  }

  /** The next page starts another one. */
  #drop(running: Promise<Running> | undefined): void {
    if (this.#current === running) this.#current = undefined;
  }

  async #end(running: Promise<Running>): Promise<void> {
    this.#drop(running);
    const started = await running.catch(() => undefined);
    await started?.chromium.close();
  }
}
