import { describe, expect, it } from 'vitest';
import { applyBlockingRules, type BlockingRule } from './blocking.ts';

const entry = (script_url: string, blocking_method = 'type_attribute'): BlockingRule => ({
  handle: 'it',
  category: 'analytics',
  script_url,
  blocking_method,
});
const heed = (html: string, ...registry: BlockingRule[]) =>
  applyBlockingRules(html, 'http://house.test/rooms/', registry);

describe('a page that heeds the registry', () => {
  it('makes a script wait whose address is registered, whatever its query and however it is written', () => {
    const registered = entry('http://stats.test/s.js');
    expect(heed('<script async src="http://stats.test/s.js?id=7"></script>', registered)).toBe(
      '<script type="text/plain" data-pavis-script="it" async src="http://stats.test/s.js?id=7"></script>',
    );
    const own = entry('http://house.test/s.js');
    expect(heed('<p>Hello<SCRIPT SRC=../s.js type="module"></SCRIPT>', own)).toBe(
      '<p>Hello<script type="text/plain" data-type="module" data-pavis-script="it" SRC=../s.js type="module"></SCRIPT>',
    );
  });

  it('makes a script within the page wait that names the address', () => {
    const html = `<script>load('http://stats.test/s.js?id=' + 7)</script>`;
    expect(heed(html, entry('http://stats.test/s.js'))).toBe(
      `<script type="text/plain" data-category="analytics">load('http://stats.test/s.js?id=' + 7)</script>`,
    );
  });

  it('keeps the address of frames and images where it loads nothing', () => {
    const html = '<iframe src="http://v.test/1" title="A film"></iframe><img src="/p.gif" alt="">';
    const frame = entry('http://v.test/1', 'iframe_placeholder');
    const image = entry('http://house.test/p.gif', 'data_src');
    expect(heed(html, frame, image)).toBe(
      '<iframe data-category="analytics" data-src="http://v.test/1" title="A film"></iframe><img data-category="analytics" data-src="/p.gif" alt="">',
    );
  });

  it('takes out what the banner loads by itself', () => {
    const html = '<main><script src="http://stats.test/s.js"></script><p>And more.</main>';
    expect(heed(html, entry('http://stats.test/s.js', 'dynamic_load'))).toBe(
      '<main><p>And more.</main>',
    );
  });

  it('blocks images within noscript, which browsers without scripts load', () => {
    const html = '<body><noscript><img src="http://stats.test/p.gif" alt=""></noscript>';
    expect(heed(html, entry('http://stats.test/p.gif', 'data_src'))).toBe(
      '<body><noscript><img data-category="analytics" data-src="http://stats.test/p.gif" alt=""></noscript>',
    );
  });

  it('blocks a file of the site that does nothing but load a registered address', () => {
    const html = '<script src="/loaders/chat.js" defer></script><script src="/shop.js"></script>';
    const readLoader = ({ pathname }: URL) =>
      pathname === '/loaders/chat.js' ? `load('http://chat.test/c.js')` : undefined;
    const registry = [entry('http://chat.test/c.js')];
    expect(applyBlockingRules(html, 'http://house.test/', registry, readLoader)).toBe(
      '<script type="text/plain" data-pavis-script="it" src="/loaders/chat.js" defer></script><script src="/shop.js"></script>',
    );
  });

  it('leaves alone what waits already, what is not registered, and what is only spoken of', () => {
    const html = `<script type="text/plain" data-category="marketing" src="http://stats.test/s.js"></script>
      <iframe data-src="http://stats.test/s.js"></iframe><script src="http://stats.test/other.js"></script>
      <p>http://stats.test/s.js</p><a href="http://stats.test/s.js">src="http://stats.test/s.js"</a>`;
    expect(heed(html, entry('http://stats.test/s.js'))).toBe(html);
  });
});
