/** The type of scripts that do not run. */
export const PLAIN = 'text/plain';

/** The attribute with the address of what an element loads. */
export const nameAddress = (tag: Element) => (tag.localName === 'link' ? 'href' : 'src');

// Before it is replaced.
const { setAttribute } = Element.prototype;

/** Sets an attribute even if its address is blocked. */
export const setNatively = (tag: Element, name: string, value: string): void =>
  setAttribute.call(tag, name, value);
