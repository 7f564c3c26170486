import type { Chromium } from './chromium.ts';
import { AUTO_ATTACH, Tab, type TabOptions } from './tab.ts';

/** Passes new targets of one browser to their tabs. */
export class Tabs {
  readonly #chromium: Chromium;
  readonly #tabs = new Map<string, Tab>();

  constructor(chromium: Chromium) {
    this.#chromium = chromium;
    const { browser } = chromium.connection;
    browser.on('Target.attachedToTarget', (event) => {
      const tab = this.#tabs.get(event.targetInfo.browserContextId ?? '');
      if (tab) tab.attach(event);
      else
        chromium.connection
          .session(event.sessionId)
          .sendAndForget('Runtime.runIfWaitingForDebugger');
    });
    browser.sendAndForget('Target.setAutoAttach', AUTO_ATTACH);
  }

  /** Opens a tab in its own browser context. @throws CdpError */
  async open(options: TabOptions): Promise<Tab> {
    const { browser } = this.#chromium.connection;
    const { browserContextId } = await browser.send('Target.createBrowserContext', {
      disposeOnDetach: true,
      proxyServer: options.proxy.server,
      proxyBypassList: '<-loopback>',
    });
    browser.sendAndForget('Browser.setDownloadBehavior', { behavior: 'deny', browserContextId });
    // An empty grant denies all other permissions.
    browser.sendAndForget('Browser.grantPermissions', { permissions: [], browserContextId });
    const tab = new Tab(this.#chromium, browserContextId, options);
    this.#tabs.set(browserContextId, tab);
    tab.onClose = () => this.#tabs.delete(browserContextId);
    await browser.send('Target.createTarget', {
      url: 'about:blank',
      browserContextId,
      // In one window, only one page at a time would be visible and render.
      newWindow: true,
    });
    return tab;
  }
}
