import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { PROJECT_ROOT } from '../../../src/platform/project-root.ts';
import { CATEGORIES, TEXTS } from './texts.ts';

/** A banner as its documentation sets it up. `BASE` in markup and files is the address of the files. */
export interface Peer {
  name: string;
  head?: string;
  body?: string;
  files: Record<string, string>;
}

const readPackage = (path: string) =>
  readFileSync(join(PROJECT_ROOT, 'node_modules', path), 'utf8');
const getVersion = (name: string): string =>
  JSON.parse(readPackage(`${name}/package.json`)).version;

const [NECESSARY, ...OPTIONAL] = CATEGORIES;
const policy = `<a href="${TEXTS.privacyUrl}">${TEXTS.privacy}</a>`;

/** https://cookieconsent.orestbida.com/essential/getting-started.html */
function createVanilla(): Peer {
  const config = {
    categories: {
      [NECESSARY.id]: { enabled: true, readOnly: true },
      ...Object.fromEntries(OPTIONAL.map(({ id }) => [id, {}])),
    },
    language: {
      default: 'en',
      translations: {
        en: {
          consentModal: {
            title: TEXTS.title,
            description: TEXTS.message,
            acceptAllBtn: TEXTS.accept,
            acceptNecessaryBtn: TEXTS.reject,
            showPreferencesBtn: TEXTS.manage,
            footer: policy,
          },
          preferencesModal: {
            title: TEXTS.title,
            acceptAllBtn: TEXTS.accept,
            acceptNecessaryBtn: TEXTS.reject,
            savePreferencesBtn: TEXTS.save,
            closeIconLabel: 'Close',
            sections: CATEGORIES.map(({ id, label, description }) => ({
              title: label,
              description,
              linkedCategory: id,
            })),
          },
        },
      },
    },
  };
  return {
    name: `vanilla-cookieconsent ${getVersion('vanilla-cookieconsent')}`,
    head: '<link rel="stylesheet" href="BASE/cookieconsent.css">',
    body: '<script type="module" src="BASE/cookieconsent-config.js"></script>',
    files: {
      'cookieconsent.css': readPackage('vanilla-cookieconsent/dist/cookieconsent.css'),
      'cookieconsent.umd.js': readPackage('vanilla-cookieconsent/dist/cookieconsent.umd.js'),
      'cookieconsent-config.js': `import './cookieconsent.umd.js';CookieConsent.run(${JSON.stringify(config)});`,
    },
  };
}

/** https://klaro.org/docs/getting-started, with `acceptAll` as in its annotated configuration */
function createKlaro(): Peer {
  const config = {
    lang: 'en',
    privacyPolicy: TEXTS.privacyUrl,
    acceptAll: true,
    services: CATEGORIES.map(({ id, label }) => ({
      name: id,
      title: label,
      purposes: [id],
      required: id === NECESSARY.id,
      default: id === NECESSARY.id,
    })),
    translations: {
      en: {
        ok: TEXTS.accept,
        acceptAll: TEXTS.accept,
        decline: TEXTS.reject,
        acceptSelected: TEXTS.save,
        save: TEXTS.save,
        privacyPolicyUrl: TEXTS.privacyUrl,
        privacyPolicy: { name: TEXTS.privacy, text: '{privacyPolicy}' },
        consentNotice: {
          title: TEXTS.title,
          description: `${TEXTS.message} {privacyPolicy}`,
          learnMore: TEXTS.manage,
        },
        consentModal: { title: TEXTS.title, description: TEXTS.message },
        purposes: Object.fromEntries(
          CATEGORIES.map(({ id, label, description }) => [id, { title: label, description }]),
        ),
      },
    },
  };
  return {
    name: `klaro ${getVersion('klaro')}`,
    head: '<script defer src="BASE/config.js"></script><script defer src="BASE/klaro.js"></script>',
    files: {
      'config.js': `var klaroConfig=${JSON.stringify(config)};`,
      'klaro.js': readPackage('klaro/dist/klaro.js'),
    },
  };
}

const OURS_TO_C15T: Record<string, string> = {
  functional: 'necessary',
  analytics: 'measurement',
  marketing: 'marketing',
};

/** https://c15t.com/docs/frameworks/react/quickstart, without the hosted service: choices are stored in the browser only */
async function createC15t(): Promise<Peer> {
  const options = {
    mode: 'offline',
    consentCategories: CATEGORIES.map(({ id }) => OURS_TO_C15T[id]),
    overrides: { country: 'DE' },
    legalLinks: { privacyPolicy: { href: TEXTS.privacyUrl, label: TEXTS.privacy } },
    i18n: {
      locale: 'en',
      detectBrowserLanguage: false,
      messages: {
        en: {
          common: {
            acceptAll: TEXTS.accept,
            rejectAll: TEXTS.reject,
            customize: TEXTS.manage,
            save: TEXTS.save,
          },
          cookieBanner: { title: TEXTS.title, description: TEXTS.message },
          consentManagerDialog: { title: TEXTS.title, description: TEXTS.message },
          consentTypes: Object.fromEntries(
            CATEGORIES.map(({ id, label, description }) => [
              OURS_TO_C15T[id],
              { title: label, description },
            ]),
          ),
        },
      },
    },
  };
  const code = `
    import { createElement as h } from 'react';
    import { createRoot } from 'react-dom/client';
    import { ConsentBanner, ConsentDialog, ConsentManagerProvider } from '@c15t/react';
    createRoot(document.getElementById('root')).render(
      h(ConsentManagerProvider, { options: ${JSON.stringify(options)} },
        h(ConsentBanner, { legalLinks: ['privacyPolicy'] }), h(ConsentDialog)));`;
  return {
    name: `@c15t/react ${getVersion('@c15t/react')}`,
    head: '<link rel="stylesheet" href="BASE/style.css">',
    body: '<div id="root"></div><script type="module" src="BASE/app.js"></script>',
    files: {
      'style.css': readPackage('@c15t/ui/dist/styles.css'),
      'app.js': await bundle(code),
    },
  };
}

/** React alone, of which a site that is built with React has one copy for everything. */
export const bundleReact = (): Promise<string> =>
  bundle(`import { createElement } from 'react';
    import { createRoot } from 'react-dom/client';
    createRoot(document.getElementById('root')).render(createElement('p'));`);

async function bundle(code: string): Promise<string> {
  const entry = join(PROJECT_ROOT, 'entry.js');
  const build = await rolldown({
    input: entry,
    cwd: PROJECT_ROOT,
    transform: { define: { 'process.env.NODE_ENV': '"production"' } },
    logLevel: 'silent',
    plugins: [
      {
        name: 'entry',
        resolveId: (id) => (id === entry ? id : null),
        load: (id) => (id === entry ? code : null),
      },
    ],
  });
  const { output } = await build.generate({ format: 'es', minify: true, codeSplitting: false });
  await build.close();
  return output[0].code;
}

export const createPeers = async (): Promise<Peer[]> => [
  createVanilla(),
  createKlaro(),
  await createC15t(),
];
