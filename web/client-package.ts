import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { isolatedDeclarationSync } from 'rolldown/experimental';
import { transformWithOxc } from 'vite';

const ROOT = join(import.meta.dirname, '..');
const SOURCES = join(ROOT, 'packages/client');
/** A build's bytes depend on nothing but its sources, so each file has the date that npm gives packed files. */
const PACKED_AT_S = Date.parse('1985-10-26T08:15:00.000Z') / 1000;
const BLOCK = 512;

/**
 * Packs the client as `client.tgz` into a folder: JavaScript and declarations of each source, as npm installs it.
 * @throws Error if a declaration needs types of other files
 */
export async function packClient(folder: string): Promise<void> {
  const files: [path: string, content: string][] = [
    ['package.json', readFileSync(join(SOURCES, 'package.json'), 'utf8')],
    ['README.md', readFileSync(join(SOURCES, 'README.md'), 'utf8')],
    ['LICENSE', readFileSync(join(ROOT, 'LICENSE'), 'utf8')],
  ];
  const sources = readdirSync(SOURCES).filter((name) => /(?<!\.test)\.ts$/.test(name));
  for (const file of sources.sort()) {
    const source = readFileSync(join(SOURCES, file), 'utf8');
    const { code } = await transformWithOxc(source, file, { target: 'es2022', sourcemap: false });
    const declarations = isolatedDeclarationSync(file, source, { sourcemap: false });
    const [fault] = declarations.errors;
    if (fault) throw new Error(`${file}: ${fault.message}`);
    const path = `client/${file.slice(0, -'.ts'.length)}`;
    files.push([`${path}.d.ts`, withScriptImports(declarations.code)]);
    // A file of types only is imported by declarations only.
    if (code.trim() && code.trim() !== 'export {};')
      files.push([`${path}.js`, withScriptImports(code)]);
  }
  const archive = [...files.map(([path, content]) => entry(`package/${path}`, content)), END];
  const packed = gzipSync(Buffer.concat(archive), { level: 9 });
  // The operating system, which a header of gzip names: 255 is none in particular (RFC 1952).
  packed[9] = 255;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'client.tgz'), packed);
}

const withScriptImports = (code: string): string =>
  code.replace(/(\bfrom\s*["']\.\/[\w-]+)\.ts(["'])/g, '$1.js$2');

/** An archive of tar ends with two empty blocks. */
const END = Buffer.alloc(2 * BLOCK);

/** One file as POSIX ustar has it: a header, and the content in whole blocks. */
function entry(path: string, content: string): Buffer {
  const bytes = Buffer.from(content);
  const header = Buffer.alloc(BLOCK);
  const octal = (value: number, length: number) =>
    `${value.toString(8).padStart(length - 1, '0')}\0`;
  header.write(path, 0, 100);
  header.write(octal(0o644, 8), 100);
  header.write(octal(0, 8), 108);
  header.write(octal(0, 8), 116);
  header.write(octal(bytes.length, 12), 124);
  header.write(octal(PACKED_AT_S, 12), 136);
  // The checksum is counted with spaces in its own place.
  header.write('        ', 148);
  header.write('0', 156);
  header.write('ustar\u000000', 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return Buffer.concat([header, bytes, Buffer.alloc((BLOCK - (bytes.length % BLOCK)) % BLOCK)]);
}
