/**
 * The arrows of the house (ARCHITECTURE.md). `test/check/cruised.ts` holds `src` and `web` to them,
 * `test/check/arrows.test.ts` breaks each rule once and sees it fire.
 */

/** Tests beside the sources may look inside whatever they test; nothing may import them. */
const TESTS = '\\.test\\.tsx?$';
/** In a rule that starts from a slice, `$1` is its domain and `$2` the slice. */
const SLICES = '^src/(licensing|privacy|identity|operations)/([^/]+)/';
const FRONT_DOORS = '^src/[^/]+/[^/]+/index\\.ts$';
/** From the top. A module imports from its own floor and from those below it. */
const FLOORS = [
  ['main', 'commands'],
  ['app'],
  ['apis', 'frontends', 'demo'],
  ['modules', 'config'],
  ['licensing', 'privacy', 'operations'],
  ['webhooks'],
  ['identity'],
  ['mail'],
  ['personal-data', 'extensions'],
  ['platform'],
];
const floorPath = (names) => `^src/(${names.join('|')})(/|\\.ts$)`;
/** They read what slices register in the platform, so no arrow runs between them and the slices. */
const REGISTRY_READERS = '^src/privacy/(retention|dsar|developer)/';

/** @type {import('dependency-cruiser').IConfiguration} */
const config = {
  forbidden: [
    {
      name: 'no-circles',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    ...FLOORS.slice(1).map((floor, index) => ({
      name: 'no-upward-arrows',
      severity: 'error',
      from: { path: floorPath(floor), pathNot: TESTS },
      to: { path: [floorPath(FLOORS.slice(0, index + 1).flat()), '^src/migrations/', '^web/'] },
    })),
    {
      name: 'client-for-sites-only',
      comment: 'The licence of the site is asked about as any site asks.',
      severity: 'error',
      from: { path: '^(src|web)/', pathNot: [TESTS, '^src/privacy/site-licence/'] },
      to: { path: '^packages/' },
    },
    {
      name: 'licensing-and-privacy-apart',
      severity: 'error',
      from: { path: '^src/(licensing|privacy)/', pathNot: TESTS },
      to: { path: '^src/(licensing|privacy)/', pathNot: '^src/$1/' },
    },
    {
      name: 'slices-by-the-front-door',
      severity: 'error',
      from: { path: SLICES, pathNot: TESTS },
      to: { path: SLICES, pathNot: ['^src/$1/$2/', FRONT_DOORS] },
    },
    {
      name: 'outside-by-the-front-door',
      comment: 'app, apis and commands know of a slice what its index.ts shows.',
      severity: 'error',
      from: { path: '^src/', pathNot: [SLICES, TESTS] },
      to: { path: SLICES, pathNot: FRONT_DOORS },
    },
    {
      name: 'registry-readers-know-no-slices',
      severity: 'error',
      from: { path: REGISTRY_READERS, pathNot: TESTS },
      to: { path: '^src/privacy/', pathNot: REGISTRY_READERS },
    },
    {
      name: 'slices-know-no-registry-readers',
      severity: 'error',
      from: { path: '^src/privacy/', pathNot: [REGISTRY_READERS, TESTS] },
      to: { path: REGISTRY_READERS },
    },
    {
      name: 'sql-in-stores-only',
      severity: 'error',
      from: {
        path: '^(src|web)/',
        pathNot: ['^src/.+/(store|tables)\\.ts$', '^src/(platform/db|migrations)/', TESTS],
      },
      // A package that is not installed keeps its bare name.
      to: { path: ['^node:sqlite$', '^(kysely|pg)(/|$)', 'node_modules/(@types/)?(kysely|pg)/'] },
    },
    {
      name: 'no-http-in-services-stores-rules',
      severity: 'error',
      from: { path: '^src/.+/(service|store|rules|tables)\\.ts$' },
      to: { path: ['^@?fastify(/|$)', 'node_modules/@?fastify/'] },
    },
    {
      name: 'migrations-are-frozen',
      comment: 'A migration that leaned on living code would change its meaning with it.',
      severity: 'error',
      from: { path: '^src/migrations/\\d', pathNot: TESTS },
      to: { path: '^(src|web)/', pathNot: '^src/platform/db/columns\\.ts$' },
    },
    {
      name: 'client-stands-alone',
      comment: 'It runs in browsers, and in programs of others.',
      severity: 'error',
      from: { path: '^packages/client/', pathNot: TESTS },
      to: { pathNot: '^packages/client/' },
    },
    {
      name: 'web-imports-schemas-only',
      severity: 'error',
      from: { path: '^web/', pathNot: TESTS },
      to: { path: '^src/', pathNot: '/schemas\\.ts$' },
    },
    {
      name: 'web-imports-types-only',
      severity: 'error',
      from: { path: '^web/', pathNot: TESTS },
      to: { path: '^src/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'banner-imports-nothing-else',
      severity: 'error',
      from: { path: '^web/(banner|declaration|receipt-verifier)/', pathNot: TESTS },
      to: { pathNot: '^web/$1/' },
    },
    {
      name: 'nothing-imports-tests',
      severity: 'error',
      from: { path: '^(src|web)/', pathNot: TESTS },
      to: { path: ['^(test|bench)/', TESTS] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // What is built of the rest.
    exclude: { path: '^web/dist/' },
    // Types are arrows too.
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      conditionNames: ['import', 'node', 'types'],
      exportsFields: ['exports'],
    },
  },
};

// biome-ignore lint/style/noDefaultExport: the tool asks for one
export default config;
