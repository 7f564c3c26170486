import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  type Cruised,
  complaints,
  cruiseFolder,
  PROJECT,
  RULES,
  sourcesOnDisk,
} from './cruised.ts';

type Tree = Record<string, string>;

/** Files that break one rule, and no other. */
const BREACHES: { rule: string; files: Tree }[] = [
  {
    rule: 'no-circles',
    files: {
      'src/platform/log.ts': "import './clock.ts';",
      'src/platform/clock.ts': "import './log.ts';",
    },
  },
  {
    rule: 'no-circles',
    files: {
      'src/platform/log.ts': "import type { Clock } from './clock.ts';",
      'src/platform/clock.ts': "import type { Log } from './log.ts';",
    },
  },
  ...[
    ['platform/deps', 'personal-data/index'],
    ['platform/deps', 'extensions/index'],
    ['personal-data/service', 'mail/index'],
    ['extensions/registry', 'mail/index'],
    ['mail/service', 'identity/users/index'],
    ['identity/users/service', 'licensing/licences/index'],
    ['identity/users/service', 'privacy/consent/index'],
    ['identity/users/service', 'operations/storage/index'],
    ...[
      'config/index',
      'modules',
      'apis/licence',
      'app',
      'commands/serve',
      'migrations/index',
    ].flatMap((upper) => [
      ['licensing/licences/service', upper],
      ['privacy/consent/service', upper],
      ['operations/storage/watch', upper],
    ]),
    ['modules', 'apis/plugin'],
    ['config/index', 'frontends/console'],
    ['config/index', 'demo/site'],
    ['apis/plugin', 'app'],
    ['app', 'commands/serve'],
  ].map(([lower = '', upper = '']) => ({
    rule: 'no-upward-arrows',
    files: {
      [`src/${lower}.ts`]: `import type { A } from '${'../'.repeat(lower.split('/').length - 1) || './'}${upper}.ts';`,
      [`src/${upper}.ts`]: '',
    },
  })),
  {
    rule: 'client-for-sites-only',
    files: {
      'src/privacy/consent/service.ts': "import '../../../packages/client/index.ts';",
      'packages/client/index.ts': '',
    },
  },
  {
    rule: 'licensing-and-privacy-apart',
    files: {
      'src/licensing/licences/service.ts': "import '../../privacy/consent/index.ts';",
      'src/privacy/consent/index.ts': '',
    },
  },
  {
    rule: 'licensing-and-privacy-apart',
    files: {
      'src/privacy/consent/service.ts':
        "import type { Customer } from '../../licensing/customers/index.ts';",
      'src/licensing/customers/index.ts': '',
    },
  },
  {
    rule: 'slices-by-the-front-door',
    files: {
      'src/licensing/activations/service.ts': "import '../licences/store.ts';",
      'src/licensing/licences/store.ts': '',
    },
  },
  {
    rule: 'slices-by-the-front-door',
    files: {
      'src/privacy/scanner/service.ts': "import '../vendors/match/index.ts';",
      'src/privacy/vendors/match/index.ts': '',
    },
  },
  {
    rule: 'outside-by-the-front-door',
    files: {
      'src/commands/licence.ts': "import '../licensing/licences/service.ts';",
      'src/licensing/licences/service.ts': '',
    },
  },
  {
    rule: 'outside-by-the-front-door',
    files: {
      'src/licensing/common.ts': "import './licences/key.ts';",
      'src/licensing/licences/key.ts': '',
    },
  },
  ...['retention', 'dsar', 'developer'].flatMap((reader) => [
    {
      rule: 'registry-readers-know-no-slices',
      files: {
        [`src/privacy/${reader}/service.ts`]: "import '../consent/index.ts';",
        'src/privacy/consent/index.ts': '',
      },
    },
    {
      rule: 'slices-know-no-registry-readers',
      files: {
        'src/privacy/consent/service.ts': `import '../${reader}/index.ts';`,
        [`src/privacy/${reader}/index.ts`]: '',
      },
    },
  ]),
  ...[
    "import { sql } from 'kysely';",
    "import type { Kysely } from 'kysely';",
    "export type { Kysely } from 'kysely';",
    "export type Db = import('kysely').Kysely<unknown>;",
    "import { Migrator } from 'kysely/migration';",
    "import pg from 'pg';",
    "import type pg from 'pg';",
    "const pg = await import('pg');",
    "import { DatabaseSync } from 'node:sqlite';",
    "import type { DatabaseSync } from 'node:sqlite';",
  ].map((line) => ({
    rule: 'sql-in-stores-only',
    files: { 'src/licensing/licences/service.ts': line },
  })),
  {
    rule: 'sql-in-stores-only',
    files: { 'web/console/store.ts': "import { sql } from 'kysely';" },
  },
  ...['service', 'store', 'rules', 'tables'].map((role) => ({
    rule: 'no-http-in-services-stores-rules',
    files: {
      [`src/licensing/licences/${role}.ts`]: "import type { FastifyRequest } from 'fastify';",
    },
  })),
  {
    rule: 'no-http-in-services-stores-rules',
    files: { 'src/licensing/licences/service.ts': "import swagger from '@fastify/swagger';" },
  },
  {
    rule: 'migrations-are-frozen',
    files: {
      'src/migrations/003-consent.ts': "import '../platform/clock.ts';",
      'src/platform/clock.ts': '',
    },
  },
  ...["import '../platform/clock.ts';", "import { join } from 'node:path';"].map((line) => ({
    rule: 'client-stands-alone',
    files: { 'packages/client/client.ts': line, 'src/platform/clock.ts': '' },
  })),
  {
    rule: 'web-imports-schemas-only',
    files: {
      'web/console/api.ts': "import type { Clock } from '../../src/platform/clock.ts';",
      'src/platform/clock.ts': '',
    },
  },
  {
    rule: 'web-imports-types-only',
    files: {
      'web/console/api.tsx': "import { Consent } from '../../src/privacy/consent/schemas.ts';",
      'src/privacy/consent/schemas.ts': '',
    },
  },
  {
    rule: 'banner-imports-nothing-else',
    files: { 'web/banner/index.ts': "import '../demo/shop.ts';", 'web/demo/shop.ts': '' },
  },
  {
    rule: 'banner-imports-nothing-else',
    files: { 'web/banner/index.ts': "import { LRUCache } from 'lru-cache';" },
  },
  {
    rule: 'banner-imports-nothing-else',
    files: {
      'web/declaration/index.ts': "import '../banner/view.ts';",
      'web/banner/view.ts': '',
    },
  },
  {
    rule: 'banner-imports-nothing-else',
    files: {
      'web/banner/index.ts': "import type { Consent } from '../../src/privacy/consent/schemas.ts';",
      'src/privacy/consent/schemas.ts': '',
    },
  },
  {
    rule: 'nothing-imports-tests',
    files: {
      'src/licensing/licences/key.ts': "import './key.test.ts';",
      'src/licensing/licences/key.test.ts': '',
    },
  },
  ...['test/support/client', 'bench/load'].map((helper) => ({
    rule: 'nothing-imports-tests',
    files: {
      'src/licensing/licences/key.ts': `import '../../../${helper}.ts';`,
      [`${helper}.ts`]: '',
    },
  })),
];

/** The arrows that are allowed, and tests that look wherever they like. */
const CLEAN: Tree = {
  'src/main.ts': "import './commands/serve.ts';",
  'src/config/index.ts': '',
  'src/commands/serve.ts': "import '../app.ts'; import '../config/index.ts';",
  'src/app.ts': "import './apis/licence.ts'; import './apis/plugin.ts';",
  'src/apis/licence.ts': "import Fastify from 'fastify'; import '../licensing/licences/index.ts';",
  'src/apis/plugin.ts': "import '../privacy/scanner/index.ts'; import '../privacy/dsar/index.ts';",
  'src/migrations/index.ts': "import './001-installation.ts';",
  'src/migrations/001-installation.ts':
    "import { sql } from 'kysely'; import '../platform/db/columns.ts';",
  'src/platform/db/columns.ts': "import type { Kysely } from 'kysely';",
  'src/platform/db/datastore.ts':
    "import 'kysely/migration'; import 'pg'; import 'node:sqlite'; import '../clock.ts';",
  'src/platform/clock.ts': '',
  'src/platform/http/error-format.ts': "import type { FastifyInstance } from 'fastify';",
  'src/platform/hooks/index.ts': '',
  'src/licensing/licences/index.ts': "export * from './routes.ts';",
  'src/licensing/licences/routes.ts':
    "import type { FastifyInstance } from 'fastify'; import './key-header.ts'; import './service.ts';",
  'src/licensing/licences/key-header.ts': "import type { FastifyRequest } from 'fastify';",
  'src/licensing/licences/service.ts': "import './store.ts'; import '../customers/index.ts';",
  'src/licensing/licences/store.ts': "import { sql } from 'kysely'; import './tables.ts';",
  'src/licensing/licences/tables.ts':
    "import type { Generated } from 'kysely'; import '../../platform/db/columns.ts';",
  'src/licensing/customers/index.ts': '',
  'src/licensing/customers/rules.ts': '',
  'src/licensing/licences/service.test.ts': `
    import 'vitest';
    import 'kysely';
    import '../../../test/support/client.ts';
    import '../../app.ts';
    import '../../privacy/scanner/routes.ts';
    import '../customers/rules.ts';`,
  'src/platform/clock.test.ts': "import '../licensing/customers/rules.ts';",
  'src/privacy/scanner/index.ts': "export * from './routes.ts';",
  'src/privacy/scanner/routes.ts': "import './schemas.ts'; import '../vendors/index.ts';",
  'src/privacy/scanner/schemas.ts': '',
  'src/privacy/vendors/index.ts': '',
  'src/privacy/site-licence/service.ts': "import '../../../packages/client/index.ts';",
  'packages/client/index.ts': '',
  'src/privacy/dsar/index.ts': "import '../../platform/hooks/index.ts';",
  'src/privacy/scanner/scanner.test.ts': "import '../dsar/index.ts';",
  'src/privacy/dsar/dsar.test.ts': "import '../scanner/index.ts';",
  'src/migrations/001-installation.test.ts': "import '../platform/clock.ts';",
  'test/support/client.ts': '',
  'web/console/api.ts': "import type { Scan } from '../../src/privacy/scanner/schemas.ts';",
  'web/banner/index.ts': "import './view.ts';",
  'web/banner/view.ts': '',
  'web/banner/view.test.ts': "import 'vitest'; import '../../src/platform/clock.ts';",
};

/** Lays the files into a folder of their own, with the project's packages, and cruises it. */
async function cruiseTree(files: Tree): Promise<{ folder: string; cruised: Cruised }> {
  const folder = mkdtempSync(join(tmpdir(), 'pavis-arrows-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  symlinkSync(join(PROJECT, 'node_modules'), join(folder, 'node_modules'), 'junction');
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return { folder, cruised: await cruiseFolder(folder) };
}

describe('the arrows of the project', () => {
  it('break no rule, and every file was read', async () => {
    const cruised = await cruiseFolder(PROJECT);
    expect(complaints(PROJECT, cruised)).toEqual([]);
    expect(cruised.modules.toSorted()).toEqual(sourcesOnDisk(PROJECT).toSorted());
    expect(cruised.modules).toContain('src/app.ts');
    expect(cruised.arrows).toContain('src/app.ts → src/apis/licence.ts');
    expect(cruised.arrows).toContain('src/platform/db/sqlite-driver.ts → node:sqlite');
  });
});

describe('each rule', () => {
  for (const { rule, files } of BREACHES) {
    const [breach] = Object.entries(files);
    it(`${rule} fires on ${breach?.join(': ')}`, async () => {
      const { cruised } = await cruiseTree(files);
      const fired = new Set(cruised.violations.map((violation) => violation.rule));
      expect([...fired]).toEqual([rule]);
    });
  }

  it('is broken here at least once', () => {
    expect(new Set(BREACHES.map(({ rule }) => rule))).toEqual(new Set(RULES));
  });

  it('leaves the allowed arrows alone', async () => {
    const { folder, cruised } = await cruiseTree(CLEAN);
    expect(complaints(folder, cruised)).toEqual([]);
    expect(cruised.modules).toHaveLength(sourcesOnDisk(folder).length);
  });
});

describe('what is complained of', () => {
  it('names a breach, and a file that was not read', async () => {
    const { folder, cruised } = await cruiseTree({
      'src/platform/deps.ts': "import '../app.ts';",
      'src/app.ts': '',
    });
    writeFileSync(join(folder, 'src/late.ts'), '');
    expect(complaints(folder, cruised)).toEqual([
      'no-upward-arrows: src/platform/deps.ts → src/app.ts',
      'not read: src/late.ts',
    ]);
  });

  it('is not silent on a folder without files', async () => {
    const { folder, cruised } = await cruiseTree({});
    expect(complaints(folder, cruised)).toEqual(['there are no files to read']);
  });
});
