/**
 * The arrows of the house (ARCHITECTURE.md). `test/check/arrows.test.ts` breaks each rule once and
 * sees it fire.
 * @type {import('dependency-cruiser').IConfiguration}
 */
const SLICE = '^src/(licensing|privacy)/([^/]+)/';

// biome-ignore lint/style/noDefaultExport: the tool asks for one
export default {
  forbidden: [
    {
      name: 'no-circles',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'platform-imports-platform-only',
      severity: 'error',
      from: { path: '^src/platform/' },
      to: { path: '^(src|web|test|bench)/', pathNot: '^src/platform/' },
    },
    {
      name: 'licensing-and-privacy-apart',
      severity: 'error',
      from: { path: '^src/(licensing|privacy)/' },
      to: { path: '^src/(licensing|privacy)/', pathNot: '^src/$1/' },
    },
    {
      name: 'slices-by-the-front-door',
      severity: 'error',
      from: { path: SLICE },
      to: { path: SLICE, pathNot: '^src/$1/$2/|/index\\.ts$' },
    },
    {
      name: 'outside-by-the-front-door',
      comment: 'app, apis and commands know of a slice what its index.ts shows.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(licensing|privacy)/' },
      to: { path: SLICE, pathNot: '/index\\.ts$' },
    },
    {
      name: 'slices-know-no-outside',
      severity: 'error',
      from: { path: '^src/(licensing|privacy)/' },
      to: { path: '^src/(app|main|config|version)\\.ts$|^src/(apis|commands|migrations)/' },
    },
    {
      name: 'registries-have-no-arrows-to-slices',
      comment: 'Retention, DSAR and developer read what slices register; the slices come to them.',
      severity: 'error',
      from: { path: '^src/privacy/(retention|dsar|developer)/' },
      to: { path: SLICE, pathNot: '^src/privacy/(retention|dsar|developer)/' },
    },
    {
      name: 'sql-in-stores-only',
      severity: 'error',
      from: { path: '^src/', pathNot: '/(store|tables)\\.ts$|^src/platform/db/|^src/migrations/' },
      to: { path: '^(kysely|pg|node:sqlite)(/|$)|node_modules/(kysely|pg|@types/pg)/' },
    },
    {
      name: 'no-http-in-services-stores-rules',
      severity: 'error',
      from: { path: '/(service|store|rules|tables)\\.ts$' },
      to: { path: 'node_modules/fastify/' },
    },
    {
      name: 'migrations-are-frozen',
      comment: 'A migration that leaned on living code would change its meaning with it.',
      severity: 'error',
      from: { path: '^src/migrations/\\d' },
      to: { path: '^src/', pathNot: '^src/platform/db/columns\\.ts$' },
    },
    {
      name: 'web-imports-types-of-schemas-only',
      severity: 'error',
      from: { path: '^web/' },
      to: { path: '^src/', pathNot: '/schemas\\.ts$' },
    },
    {
      name: 'web-imports-types-only',
      severity: 'error',
      from: { path: '^web/' },
      to: { path: '^src/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'banner-imports-nothing-else',
      severity: 'error',
      from: { path: '^web/banner/' },
      to: { pathNot: '^web/banner/' },
    },
    {
      name: 'nothing-imports-tests',
      severity: 'error',
      from: { path: '^(src|web)/', pathNot: '\\.test\\.ts$' },
      to: { path: '^(test|bench)/|\\.test\\.ts$' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '\\.test\\.ts$' },
    tsPreCompilationDeps: true,
    detectJSDocImports: false,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      conditionNames: ['import', 'node', 'types'],
      exportsFields: ['exports'],
    },
  },
};
