import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const SOURCES = join(import.meta.dirname, 'receipt-verifier');
const PAGE = 'receipt-verifier.html';

/** Makes one page of script and style, which works from a disk and may load nothing. */
export function packReceiptVerifier(folder: string): void {
  const built = join(folder, 'verifier.js');
  const script = readFileSync(built, 'utf8').trim().replaceAll('</script', '<\\/script');
  const style = readFileSync(join(SOURCES, 'page.css'), 'utf8').trim();
  const shield = readFileSync(join(SOURCES, '../pages/shield.svg'), 'utf8').trim();
  const icon = `data:image/svg+xml,${encodeURIComponent(shield)}`;
  const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  const policy = `default-src 'none'; script-src ${hash(script)}; style-src ${hash(style)}; img-src data:; base-uri 'none'; form-action 'none'`;
  const page = readFileSync(join(SOURCES, 'page.html'), 'utf8')
    .replace('#policy', () => policy)
    .replace('#icon', () => icon)
    .replace('<style>', () => `<style>${style}`)
    .replace('<script>', () => `<script>${script}`);
  writeFileSync(join(folder, PAGE), page);
  rmSync(built);
}
