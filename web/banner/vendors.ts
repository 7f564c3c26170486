import { element } from './element.ts';
import type { Texts } from './wire.ts';

/** `GET /consent/vendors` */
export interface Vendors {
  categories: Record<string, Vendor[] | undefined>;
}

interface Vendor {
  slug?: string;
  name: string;
  /** Whether visitors can choose it by itself. */
  choice?: true;
  purpose?: string;
  purpose_language?: string;
  privacy_url?: string;
  stored?: { name: string; lifetime?: string; purpose?: string }[];
}

/**
 * Lists the vendors of a category and their cookies, all collapsed.
 * @param category its label
 * @param addSwitch called for each vendor that visitors can choose
 */
export function listVendors(
  vendors: Vendor[],
  texts: Texts,
  category: string,
  addSwitch: (slug: string) => HTMLInputElement,
): HTMLElement {
  const list = element('ul');
  for (const vendor of vendors) {
    const item = element('li', {}, describe(vendor, texts));
    list.append(item);
    if (!vendor.choice || !vendor.slug) continue;
    const input = addSwitch(vendor.slug);
    input.setAttribute('aria-label', vendor.name);
    item.append(element('label', {}, input));
  }
  const name = `${texts.vendors_text} (${vendors.length})`;
  const details = disclose(name, list);
  // The names of all categories would be the same without it.
  details.firstElementChild?.setAttribute('aria-label', `${category}: ${name}`);
  return details;
}

function describe(vendor: Vendor, { privacy_text }: Texts): HTMLElement {
  const { name, purpose = '', purpose_language, privacy_url, stored = [] } = vendor;
  const items = element('dl');
  for (const { name, lifetime, purpose } of stored) {
    const item = element('div', {}, element('dt', {}, element('bdi', {}, name)));
    for (const text of [lifetime, purpose]) if (text) item.append(element('dd', {}, text));
    items.append(item);
  }
  const about = element(
    'p',
    purpose_language ? { lang: purpose_language, dir: 'auto' } : {},
    purpose,
  );
  const parts: Node[] = purpose ? [about] : [];
  if (privacy_url)
    parts.push(
      element(
        'a',
        {
          href: privacy_url,
          // The visitor has not chosen yet.
          target: '_blank',
          rel: 'noreferrer',
          'aria-label': `${privacy_text}: ${name}`,
        },
        privacy_text,
      ),
    );
  if (stored[0]) parts.push(items);
  return parts[0] ? disclose(name, ...parts) : element('p', {}, name);
}

const disclose = (summary: string, ...content: Node[]): HTMLElement =>
  element('details', {}, element('summary', {}, element('bdi', {}, summary)), ...content);
