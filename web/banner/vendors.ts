import { element } from './element.ts';
import type { Texts } from './wire.ts';

/** `GET /consent/vendors` */
export interface Vendors {
  categories: Record<string, Vendor[] | undefined>;
}

interface Vendor {
  name: string;
  purpose?: string;
  purpose_language?: string;
  privacy_url?: string;
  stored?: { name: string; lifetime?: string; purpose?: string }[];
}

/** Lists the vendors of a category and their cookies, all collapsed. @param category its label */
export function listVendors(vendors: Vendor[], texts: Texts, category: string): HTMLElement {
  const list = element('ul');
  list.append(...vendors.map((vendor) => element('li', {}, describe(vendor, texts))));
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
