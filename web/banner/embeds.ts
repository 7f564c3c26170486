/** Outlines of 24 × 24, one for each kind of embedded content in the vendor library. */
const SYMBOLS: Record<string, string> = {
  video:
    'M5.5 4h13a2.5 2.5 0 0 1 2.5 2.5v11a2.5 2.5 0 0 1-2.5 2.5h-13a2.5 2.5 0 0 1-2.5-2.5v-11a2.5 2.5 0 0 1 2.5-2.5zM10 8.5v7l6-3.5z',
  map: 'M12 21s-7-6.2-7-11a7 7 0 0 1 14 0c0 4.8-7 11-7 11zm0-8.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z',
  post: 'M4 5h16v11h-9l-5 4v-4H4zM8 9h8M8 12h5',
  music: 'M9 18V5l11-2v13M9 18a3 3 0 1 1-6 0 3 3 0 0 1 6 0zm11-2a3 3 0 1 1-6 0 3 3 0 0 1 6 0z',
  form: 'M5 3h14v18H5zM9 8h6M9 12h6M9 16h3',
};

/** By kind and name, the domains or beginnings of addresses. The server inserts those of the vendor library. */
const EMBEDS = Object('#embeds') as Record<string, Record<string, string>>;

/** What a frame embeds: the name and the kind of the content; undefined if the library does not know its address. */
export function findEmbed({ host, pathname }: HTMLAnchorElement) {
  const fits = (place: string) => {
    const [domain, ...path] = place.split('/');
    return `.${host}`.endsWith(`.${domain}`) && pathname.startsWith(`/${path.join('/')}`);
  };
  for (const [kind, names] of Object.entries(EMBEDS))
    for (const [name, places] of Object.entries(names))
      if (places.split(' ').some(fits)) return { name, kind };
  return undefined;
}

/** A symbol without a request to the third party, which a preview of the content would need. */
export function drawSymbol(kind: string): SVGElement {
  const create = (name: string) => document.createElementNS('http://www.w3.org/2000/svg', name);
  const [symbol, path] = [create('svg') as SVGElement, create('path')];
  symbol.setAttribute('viewBox', '0 0 24 24');
  symbol.setAttribute('aria-hidden', 'true');
  path.setAttribute('d', SYMBOLS[kind] ?? '');
  symbol.append(path);
  return symbol;
}
