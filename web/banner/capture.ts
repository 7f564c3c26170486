import type { AutoBlocking } from './auto-blocking.ts';
import type { Rule } from './wire.ts';

declare global {
  interface Window {
    pavisNext?: () => unknown;
  }
}

/** The text of a script that takes the rest of the page. What the parser adds is removed before the script runs. */
const CALL = 'pavisNext()//';
const MARK = 'data-pavis-rest';
/** An open element in which a script would be text, would not run or would be no HTML. */
const FOREIGN = /<(svg|math|template|textarea|title|style|noscript)\b(?!.*<\/\1)/is;

/**
 * Blocks frames that stand unchanged below the banner's tag. The browser requests a frame as soon as the parser inserts
 * it, so its tag is changed before it is parsed: the page up to the end of its next script becomes the text of a script
 * of ours, which writes it, blocked, followed by such a script for the rest. See docs/adr/0014-static-tags.md.
 */
export function startCapture(
  { rewrite, blocked }: { rewrite: AutoBlocking['rewrite']; blocked: readonly Rule[] },
  { nonce, async, defer }: HTMLScriptElement,
): void {
  const isParsed = document.readyState === 'loading' && !async && !defer;
  if (!isParsed || !blocked.some(([, , method]) => method === 'frame')) return;
  let rest = '';
  let isAllowed = false;
  const find = () => document.querySelector<HTMLScriptElement>(`[${MARK}]`);
  const write = (html: string) => document.write(html);
  const start = `<script nonce="${nonce}" ${MARK}>`;

  /** Called after the parser has added text, and always before it runs a script. */
  function take(): void {
    const script = find();
    const text = script?.text.slice(CALL.length);
    if (!script || !text) return;
    rest += text;
    script.text = CALL;
  }

  function next(): void {
    find()?.remove();
    const markup = rest.replace(/<!--.*?-->/gs, '').split(/<script/i)[0] as string;
    const html = `${rewrite(rest)}</script>`;
    rest = '';
    write(FOREIGN.test(markup) ? html : html + start + CALL);
  }

  /** The rest after the last script has no end. It is parsed within copies of the elements that are open. */
  function finish(): void {
    observer.disconnect();
    delete window.pavisNext;
    take();
    const open: Element[] = [];
    const last = find();
    if (!last) return;
    for (let each = last.parentElement; each; each = each.parentElement) open.unshift(each);
    last.remove();
    const tags = open.map(({ localName }) => `<${localName}>`).join('');
    const copy = document.createElement('html');
    // Not by a parser of another document, which would parse what stands in `noscript`.
    const html = tags + rewrite(rest);
    // Unlike the other, it attaches declarative shadow roots.
    if (copy.setHTMLUnsafe) copy.setHTMLUnsafe(html);
    else copy.innerHTML = html;
    const [head, body] = copy.children as unknown as [HTMLHeadElement, HTMLBodyElement];
    const inHead = open[1] === document.head;
    append(document.head, head, inHead ? open.slice(2) : []);
    append(document.body, body, inHead ? [] : open.slice(2));
    for (const { name, value } of body.attributes) document.body.setAttribute(name, value);
  }

  const observer = new MutationObserver(take);
  document.addEventListener('readystatechange', finish, { once: true });
  window.pavisNext = () => {
    isAllowed = true;
  };
  try {
    write(`${start}${CALL}</script>`);
  } catch {}
  find()?.remove();
  // A policy of the site can forbid scripts in the page, or texts as HTML.
  if (!isAllowed) return;
  window.pavisNext = next;
  observer.observe(document, { childList: true, subtree: true, characterData: true });
  write(start + CALL);
}

/** Moves the content of a copy into the original; within both, the open elements. */
function append(original: Element, copy: Element, [inner, ...others]: Element[]): void {
  const nodes = [...copy.childNodes];
  if (inner) append(inner, nodes.shift() as Element, others);
  original.append(...nodes);
}
