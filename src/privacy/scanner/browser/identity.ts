/** Matches `--lang` of the browser. */
const ACCEPT_LANGUAGE = 'en-GB,en';

/**
 * User agent and client hints: the real ones without "Headless", followed by the name of the scanner.
 * @param version of the browser, for example `153.0.7871.2`
 */
export function createIdentity(userAgent: string, version: string) {
  const major = version.split('.')[0] ?? version;
  const platform = /Windows/.test(userAgent)
    ? 'Windows'
    : /Mac OS/.test(userAgent)
      ? 'macOS'
      : 'Linux';
  const brands = (of: string, other: string) => [
    { brand: 'Chromium', version: of },
    { brand: 'Not)A;Brand', version: other },
  ];
  return {
    userAgent,
    acceptLanguage: ACCEPT_LANGUAGE,
    userAgentMetadata: {
      brands: brands(major, '24'),
      fullVersionList: brands(version, '24.0.0.0'),
      platform,
      platformVersion: '',
      architecture: 'x86',
      bitness: '64',
      model: '',
      mobile: false,
    },
  };
}

export type Identity = ReturnType<typeof createIdentity>;

const GIVE_GETTER = `
  const giveGetter = (owner, name, get) => {
    const found = owner && Object.getOwnPropertyDescriptor(owner, name);
    if (!found?.get || !found.configurable) return;
    Object.defineProperty(owner, name, { ...found, get: new Proxy(found.get, {
      apply: (getter, self, args) => get(Reflect.apply(getter, self, args)),
    }) });
  };`;

/** Runs in workers before their script, because shared and service workers ignore the user agent override. */
export const identityScript = ({ userAgent, userAgentMetadata }: Identity): string => `
  Object.defineProperty(globalThis, 'navigator', { configurable: true, get() {
    delete globalThis.navigator;
    if (!globalThis.navigator.userAgent.includes('Headless')) return globalThis.navigator;
    ${GIVE_GETTER}
    const agent = ${JSON.stringify(userAgent)};
    const { brands, ...rest } = ${JSON.stringify(userAgentMetadata)};
    const { platform, mobile } = rest;
    giveGetter(WorkerNavigator.prototype, 'userAgent', () => agent);
    giveGetter(WorkerNavigator.prototype, 'appVersion', () => agent.replace('Mozilla/', ''));
    const data = globalThis.NavigatorUAData?.prototype;
    giveGetter(data, 'brands', () => brands);
    giveGetter(data, 'platform', () => platform);
    if (data) {
      data.getHighEntropyValues = new Proxy(data.getHighEntropyValues, {
        apply: async (_get, _self, [hints = []]) => ({ brands, mobile, platform,
          ...Object.fromEntries(hints.filter((hint) => hint in rest).map((hint) => [hint, rest[hint]])) }),
      });
    }
    return globalThis.navigator;
  } });`;

/** Runs in the page before its scripts. Adds what headless browsers lack and banners check. Getters look native. */
export const WINDOW_SCRIPT = `${GIVE_GETTER}
  if (navigator.plugins.length === 0) {
    const make = (type, own) => Object.create(type.prototype,
      Object.fromEntries(Object.entries(own).map(([name, value]) => [name, { value }])));
    const list = (type, items, key) => make(type, {
      length: items.length,
      ...items,
      ...Object.fromEntries(items.map((item) => [item[key], item])),
      item: (at) => items[at] ?? null,
      namedItem: (name) => items.find((item) => item[key] === name) ?? null,
      [Symbol.iterator]: () => items.values(),
    });
    const description = 'Portable Document Format';
    const mimeTypes = ['application/pdf', 'text/pdf']
      .map((type) => make(MimeType, { type, suffixes: 'pdf', description }));
    const plugins = ['PDF Viewer', 'Chrome PDF Viewer', 'Chromium PDF Viewer',
      'Microsoft Edge PDF Viewer', 'WebKit built-in PDF']
      .map((name) => make(Plugin, { name, description, filename: 'internal-pdf-viewer', length: 2, ...mimeTypes }));
    const pluginList = list(PluginArray, plugins, 'name');
    const mimeTypeList = list(MimeTypeArray, mimeTypes, 'type');
    giveGetter(Navigator.prototype, 'plugins', () => pluginList);
    giveGetter(Navigator.prototype, 'mimeTypes', () => mimeTypeList);
    giveGetter(Navigator.prototype, 'pdfViewerEnabled', () => true);
  }
  giveGetter(globalThis, 'outerWidth', (width) => Math.max(width, innerWidth));
  giveGetter(globalThis, 'outerHeight', (height) => height > innerHeight ? height : innerHeight + 85);
  if (!('chrome' in globalThis)) {
    Object.defineProperty(globalThis, 'chrome', {
      value: { app: { isInstalled: false } }, writable: true, enumerable: true,
    });
  }
`;
