/** The type of scripts that do not run. */
export const PLAIN = 'text/plain';

/** The attribute with the address of what an element loads. */
export const nameAddress = (tag: Element) => (tag.localName === 'link' ? 'href' : 'src');
