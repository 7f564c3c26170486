import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { html } from './html.ts';

describe('HTML from a template', () => {
  it('shows every text as it is, and lets none of it become markup', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const { text: made } = html`<p title="${text}">${text}</p>`;
        const inner = made.slice('<p title="'.length, -'</p>'.length);
        expect(inner.replace('">', '')).not.toMatch(/[<>"']/);
        const shown = inner.slice(inner.indexOf('">') + 2);
        const back = shown.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(code));
        expect(back).toBe(text);
      }),
    );
  });

  it('puts pieces in as they are, lists one after the other, and leaves out what is nothing', () => {
    const items = ['a', '<b>'].map((item) => html`<li>${item}</li>`);
    const { text } = html`<ul>${items}</ul>${null}${undefined}${false}${0}`;
    expect(text).toBe('<ul><li>a</li><li>&#60;b&#62;</li></ul>0');
  });
});
