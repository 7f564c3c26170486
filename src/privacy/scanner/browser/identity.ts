/** The languages that a visitor's browser asks for, as `--lang` in the browser's flags. */
const ACCEPT_LANGUAGE = 'en-GB,en';

/**
 * How the scanner's browser introduces itself, in headers and to scripts alike: as the Chromium that
 * it is, without the word for the missing window, and with the scanner's own name at the end.
 * @param version of the browser, as `153.0.7871.2`
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

/** What {@link createIdentity} gives. */
export type Identity = ReturnType<typeof createIdentity>;

const GIVE_GETTER = `
  const giveGetter = (owner, name, get) => {
    const found = owner && Object.getOwnPropertyDescriptor(owner, name);
    if (!found?.get || !found.configurable) return;
    Object.defineProperty(owner, name, { ...found, get: new Proxy(found.get, {
      apply: (getter, self, args) => get(Reflect.apply(getter, self, args)),
    }) });
  };`;

/**
 * Runs in a worker before its script: shared and service workers do not take the identity that the
 * browser is told to have.
 */
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

/**
 * Runs in the page's world, before any script of a document: what a browser without a window lacks,
 * and by which banners and analytics tell it from a visitor's. Getters stay native to who reads them.
 */
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
