import { describe, expect, it } from 'vitest';
import { applyBlockingRules, type BlockingRule } from './blocking.ts';

const entry = (script_url: string, blocking_method = 'type_attribute'): BlockingRule => ({
  handle: 'it',
  category: 'analytics',
  script_url,
  blocking_method,
});
const apply = (html: string, ...registry: BlockingRule[]) =>
  applyBlockingRules(html, 'http://house.test/rooms/', registry);

describe('applyBlockingRules', () => {
  it('blocks a script with a registered URL, whatever its query and spelling', () => {
    const registered = entry('http://stats.test/s.js');
    expect(apply('<script async src="http://stats.test/s.js?id=7"></script>', registered)).toBe(
      '<script type="text/plain" data-pavis-script="it" async src="http://stats.test/s.js?id=7"></script>',
    );
    const own = entry('http://house.test/s.js');
    expect(apply('<p>Hello<SCRIPT SRC=../s.js type="module"></SCRIPT>', own)).toBe(
      '<p>Hello<script type="text/plain" data-type="module" data-pavis-script="it" SRC=../s.js type="module"></SCRIPT>',
    );
  });

  it('blocks an inline script that mentions a registered URL', () => {
    const html = `<script>load('http://stats.test/s.js?id=' + 7)</script>`;
    expect(apply(html, entry('http://stats.test/s.js'))).toBe(
      `<script type="text/plain" data-category="analytics">load('http://stats.test/s.js?id=' + 7)</script>`,
    );
  });

  it('moves the URL of frames and images to data-src', () => {
    const html = '<iframe src="http://v.test/1" title="A film"></iframe><img src="/p.gif" alt="">';
    const frame = entry('http://v.test/1', 'iframe_placeholder');
    const image = entry('http://house.test/p.gif', 'data_src');
    expect(apply(html, frame, image)).toBe(
      '<iframe data-category="analytics" data-src="http://v.test/1" title="A film"></iframe><img data-category="analytics" data-src="/p.gif" alt="">',
    );
  });

  it('removes scripts that the banner loads', () => {
    const html = '<main><script src="http://stats.test/s.js"></script><p>And more.</main>';
    expect(apply(html, entry('http://stats.test/s.js', 'dynamic_load'))).toBe(
      '<main><p>And more.</main>',
    );
  });

  it('blocks images within noscript, which browsers without scripts load', () => {
    const html = '<body><noscript><img src="http://stats.test/p.gif" alt=""></noscript>';
    expect(apply(html, entry('http://stats.test/p.gif', 'data_src'))).toBe(
      '<body><noscript><img data-category="analytics" data-src="http://stats.test/p.gif" alt=""></noscript>',
    );
  });

  it('blocks a first-party file that only loads a registered URL', () => {
    const html = '<script src="/loaders/chat.js" defer></script><script src="/shop.js"></script>';
    const readLoader = ({ pathname }: URL) =>
      pathname === '/loaders/chat.js' ? `load('http://chat.test/c.js')` : undefined;
    const registry = [entry('http://chat.test/c.js')];
    expect(applyBlockingRules(html, 'http://house.test/', registry, readLoader)).toBe(
      '<script type="text/plain" data-pavis-script="it" src="/loaders/chat.js" defer></script><script src="/shop.js"></script>',
    );
  });

  it('leaves blocked, unregistered and merely mentioned URLs unchanged', () => {
    const html = `<script type="text/plain" data-category="marketing" src="http://stats.test/s.js"></script>
      <iframe data-src="http://stats.test/s.js"></iframe><script src="http://stats.test/other.js"></script>
      <p>http://stats.test/s.js</p><a href="http://stats.test/s.js">src="http://stats.test/s.js"</a>`;
    expect(apply(html, entry('http://stats.test/s.js'))).toBe(html);
  });
});
