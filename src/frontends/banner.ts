import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { FindCountry } from '../platform/http/client-country.ts';
import type { Routes } from '../platform/http/error-format.ts';
import type {
  BannerBuild,
  BannerConfiguration,
  BannerConfigurations,
} from '../privacy/consent/index.ts';
import { listEmbeds } from '../privacy/vendors/index.ts';
import { ASSET_ROUTE, Asset, readBuiltFile } from './asset.ts';
import { readSignals } from './signals.ts';
import { insertRestRoot, SITE_SCRIPT_HEADERS } from './site-script.ts';

/** The builds that show the banner contain its configuration. */
const CONFIGURED = ['banner.js', 'banner.esm.js'];
const DETAILS = 'banner.details.js';
const PREFERENCES = 'banner.preferences.js';
const OTHERS = ['banner.headless.js', 'banner.sharing.js', DETAILS, PREFERENCES];
/** Those that another file of the banner loads with the hash of their content: `?v=`. */
const VERSIONED = [DETAILS, PREFERENCES];
/** The placeholders of web/banner/served.ts. */
const CONFIGURATION = /(["'`])#banner-configuration\1/;
const DETAILS_HASH = '#details-hash';
/** The placeholders of web/banner/details.ts and web/banner/embeds.ts. */
const PREFERENCES_HASH = '#preferences-hash';
const EMBEDS = /(["'`])#embeds\1/;
const LANGUAGE_MAX_LENGTH = 35;

/** The built banner, and the files that it loads when visitors need more. @throws HttpError 503 while there is no build */
export const readBanner = (): BannerBuild => ({
  banner: readBuiltFile('banner/banner.js'),
  details: readBuiltFile(`banner/${DETAILS}`),
  preferences: readBuiltFile(`banner/${PREFERENCES}`),
});

const hash = (file: string): string =>
  createHash('sha256').update(file).digest('base64url').slice(0, 8);

/**
 * The banner for sites, and the resource that declares support of Global Privacy Control.
 * @param restRoot a URL, or a path at the banner's own origin
 * @param findCountry absent: the country of all visitors is unknown
 */
export function serveBanner(
  app: Routes,
  restRoot: string,
  configurations: BannerConfigurations,
  findCountry?: FindCountry,
): void {
  const read = (file: string): string =>
    insertRestRoot(readBuiltFile(`banner/${file}`), restRoot)
      .replace(DETAILS_HASH, () => hash(read(DETAILS)))
      .replace(PREFERENCES_HASH, () => hash(read(PREFERENCES)))
      .replace(EMBEDS, () => JSON.stringify(listEmbeds()));
  for (const file of CONFIGURED) {
    serveConfigured(app, file, { read: () => read(file), configurations, findCountry });
  }
  for (const file of OTHERS) {
    const load = () => {
      const text = read(file);
      const bytes = Buffer.from(text);
      const uncached = new Asset(bytes, { ...SITE_SCRIPT_HEADERS, 'cache-control': 'no-store' });
      return { version: hash(text), asset: new Asset(bytes, SITE_SCRIPT_HEADERS), uncached };
    };
    let loaded: ReturnType<typeof load> | undefined;
    app.get(`/${file}`, ASSET_ROUTE, async (request, reply) => {
      loaded ??= load();
      const { version, asset, uncached } = loaded;
      const { v = version } = request.query as { v?: unknown };
      // A page from before an update needs the file, but caches must not keep it as that of another version.
      const isOther = VERSIONED.includes(file) && v !== version;
      return (isOther ? uncached : asset).send(request, reply);
    });
  }
  // https://www.w3.org/TR/gpc/#gpc-support-resource
  app.get('/.well-known/gpc.json', ASSET_ROUTE, async (_request, reply) => {
    reply.headers({ 'cache-control': 'public, max-age=86400', 'access-control-allow-origin': '*' });
    return { gpc: true, lastUpdate: '2026-11-21' };
  });
}

/** The configuration as JavaScript. */
function toExpression({ json, parts }: BannerConfiguration, hasSignal: boolean): string {
  // Each file is a statement `var part=…;`, whose value has the functions of the part.
  const functions = parts.map(
    (name) => /=(.*);/s.exec(readBuiltFile(`banner/part.${name}.js`).toString())?.[1],
  );
  const gpc = hasSignal ? 'gpc:true,' : '';
  // Without its closing brace.
  return `${json.slice(0, -1)},${gpc}parts:{${functions.map((each) => `...${each}`).join()}}}`;
}

interface Configured {
  read: () => string;
  configurations: BannerConfigurations;
  findCountry: FindCountry | undefined;
}

function serveConfigured(
  app: Routes,
  file: string,
  { read, configurations, findCountry }: Configured,
): void {
  const headers = {
    ...SITE_SCRIPT_HEADERS,
    // Browsers ask each time, so that a change that an owner publishes applies to the next page view. A shared cache
    // would mix countries.
    'cache-control': findCountry ? 'private, no-cache' : 'public, no-cache',
    vary: 'Sec-GPC',
  };
  let source: string | undefined;
  /** By what differs between them. */
  const sent = new Map<string, { configuration: BannerConfiguration; asset: Asset }>();

  async function find(request: FastifyRequest, hasSignal: boolean): Promise<Asset> {
    const country = findCountry?.(request.raw);
    return toAsset(await configurations.read(readLanguage(request), country), hasSignal);
  }

  function toAsset(configuration: BannerConfiguration, hasSignal: boolean): Asset {
    const key = `${configuration.key} ${hasSignal}`;
    const last = sent.get(key);
    if (last?.configuration === configuration) return last.asset;
    source ??= read();
    const expression = toExpression(configuration, hasSignal);
    const script = source.replace(CONFIGURATION, () => expression);
    const font = configuration.inheritsFont ? readBuiltFile('banner/body-font.js').toString() : '';
    const bytes = Buffer.from(readSignals(configuration.signals) + font + script);
    const asset = new Asset(bytes, headers);
    sent.set(key, { configuration, asset });
    return asset;
  }

  app.get(`/${file}`, ASSET_ROUTE, async (request, reply) => {
    // https://www.w3.org/TR/gpc/#the-sec-gpc-header-field-for-http-requests
    const hasSignal = request.headers['sec-gpc'] === '1';
    const asset = await find(request, hasSignal).catch((error) => {
      // A database that is away must not take the banner with it.
      const safe = [...sent.values()]
        .map(({ configuration }) => configuration)
        .filter(({ isOptIn }) => isOptIn);
      const asked = readLanguage(request)?.toLowerCase();
      const last = safe.find(({ language }) => language.toLowerCase() === asked) ?? safe[0];
      if (!last) throw error;
      // It can have been sent to visitors with another signal only.
      return toAsset(last, hasSignal);
    });
    return asset.send(request, reply);
  });
}

/** The language of the page, if it is not the first of the site: `?language=fr`. */
function readLanguage({ query }: FastifyRequest): string | undefined {
  const { language } = query as { language?: unknown };
  return typeof language === 'string' && language.length <= LANGUAGE_MAX_LENGTH
    ? language
    : undefined;
}
