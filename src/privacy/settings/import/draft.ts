import type { TSchema } from 'typebox';
import { URL_MAX_LENGTH } from '../../../platform/http/limits.ts';
import { coerce } from '../../../platform/rest/coerce.ts';
import { bannerTexts, ConsentSettings, type TEXT_NAMES, Translation } from '../banner/schemas.ts';
import { toCategory } from './category-names.ts';
import { type HtmlText, readHtml } from './html-text.ts';
import { formatPath, type Node, toText } from './nodes.ts';
import type { ImportReport } from './report.ts';
import type { ImportProposal } from './schemas.ts';

type TextName = (typeof TEXT_NAMES)[number];

const { position: POSITION, expiry_days: EXPIRY_DAYS } = ConsentSettings.properties;
const CATEGORY = ConsentSettings.properties.categories.items.properties;
/** The settings hold 20. One place is for the necessary category of Pavis, which stays if the file has none. */
const CATEGORIES_MAX = 19;
/** The maximum number of languages in the settings. */
export const LANGUAGES_MAX = 50;
/** Reading HTML takes longer than checking its length; no text of the banner is near this. */
const HTML_MAX_LENGTH = 20_000;

const EMPTY = 'It is empty.';
const NO_HTML = 'HTML was removed. The banner shows plain text.';
const NO_LINKS =
  'HTML and links were removed. The banner shows plain text, and the link to the privacy policy below it.';

export interface DraftCategory {
  id: string;
  /** Its name in the file. */
  name: string;
  isNecessary: boolean;
  label: Map<string, string>;
  description: Map<string, string>;
}

/** The banner settings that were read from a file. Only what fits the settings gets in. */
export class Draft {
  readonly report: ImportReport;
  /** The language of the original texts. */
  readonly first: string;
  readonly siteUrl: string;
  readonly texts = new Map<string, Partial<Record<TextName, string>>>();
  readonly categories: DraftCategory[] = [];
  /** By what makes them equal. */
  readonly proposals = new Map<string, ImportProposal>();
  readonly notes: string[] = [];
  position: string | undefined;
  expiryDays: number | undefined;
  privacyUrl: string | undefined;

  constructor(report: ImportReport, { first, siteUrl }: { first: string; siteUrl: string }) {
    this.report = report;
    this.first = first;
    this.siteUrl = siteUrl;
  }

  /**
   * The language of a place in the file; undefined if it is invalid or one too many, which is reported.
   * @param tag as the file has it, for example `de`, `pt-br` or `pt_BR`
   */
  addLanguage(node: Node, tag: string): string | undefined {
    const language = toLanguage(tag);
    if (language === undefined) {
      const reason = `${tag.slice(0, 40)} is not a language tag such as de or pt-BR.`;
      this.report.reject(node, 'consent.languages', reason);
      return undefined;
    }
    if (!this.texts.has(language)) {
      if (this.texts.size >= LANGUAGES_MAX) {
        const reason = `At most ${LANGUAGES_MAX} languages are imported.`;
        this.report.reject(node, 'consent.languages', reason);
        return undefined;
      }
      this.texts.set(language, {});
    }
    return language;
  }

  /**
   * Sets a text of a language that was added. The accept button comes before the reject button.
   * @param reason why it is changed, if it is for another reason than HTML
   */
  setText(node: Node, language: string, name: TextName, reason?: string): void {
    const field =
      language === this.first ? `consent.${name}` : `consent.translations[${language}].${name}`;
    const texts = this.texts.get(language) ?? {};
    if (name === 'reject_text' && readHtmlAt(node).text === texts.accept_text) {
      this.report.reject(node, field, 'It is the text of the accept button.');
      return;
    }
    const text = this.#readText(node, field, bannerTexts[name], reason);
    if (text !== undefined) texts[name] = text;
  }

  /** @param isAlwaysActive whether visitors could not switch it off */
  addCategory(node: Node, name: string, isAlwaysActive: boolean): DraftCategory | undefined {
    const taken = this.categories.map(({ id }) => id);
    if (taken.length >= CATEGORIES_MAX) {
      const reason = `At most ${CATEGORIES_MAX} categories are imported.`;
      this.report.reject(node, 'consent.categories', reason);
      return undefined;
    }
    const category = {
      ...toCategory(name, isAlwaysActive, taken),
      name,
      label: new Map<string, string>(),
      description: new Map<string, string>(),
    };
    this.categories.push(category);
    this.report.import(node, `consent.categories[${category.id}]`, category.id);
    return category;
  }

  setCategoryText(
    node: Node,
    category: DraftCategory,
    language: string,
    name: 'label' | 'description',
  ): void {
    const { id } = category;
    const within = `categories[${id}].${name}`;
    const field =
      language === this.first ? `consent.${within}` : `consent.translations[${language}].${within}`;
    const text = this.#readText(node, field, CATEGORY[name]);
    if (text !== undefined && text !== '') category[name].set(language, text);
  }

  /** @param reason why it is another position than that of the file */
  setPosition(node: Node, position: string, reason?: string): void {
    const field = 'consent.position';
    const result = coerce('position', position, POSITION as TSchema);
    if ('error' in result) {
      this.report.reject(node, field, result.error.message);
      return;
    }
    this.position = position;
    if (reason) this.report.change(node, field, position, reason);
    else this.report.import(node, field, position);
  }

  setExpiryDays(node: Node): void {
    const field = 'consent.expiry_days';
    const text = toText(node);
    const given = text === '' ? Number.NaN : Number(text);
    const days = Math.floor(given);
    const result = coerce('The consent lifetime', days, EXPIRY_DAYS as TSchema);
    if ('error' in result) {
      this.report.reject(node, field, result.error.message);
      return;
    }
    this.expiryDays = days;
    if (days === given) this.report.import(node, field, String(days));
    else this.report.change(node, field, String(days), 'Only whole days are counted.');
  }

  /**
   * @param address as a page of the site has it
   * @returns whether it is the address of a page
   */
  setPrivacyUrl(node: Node, address: string): boolean {
    const field = 'consent.privacy_url';
    const url = URL.parse(address, this.siteUrl);
    const isWeb = url !== null && /^https?:$/.test(url.protocol);
    // `#` is what templates have where the address is to be entered.
    if (!isWeb || address === '' || address.startsWith('#') || url.href.length > URL_MAX_LENGTH) {
      this.report.reject(node, field, 'It is not the address of a page.');
      return false;
    }
    if (this.privacyUrl !== undefined && this.privacyUrl !== url.href) {
      const reason = `The banner has one address for all languages: ${this.privacyUrl}`;
      this.report.change(node, field, this.privacyUrl, reason);
      return true;
    }
    this.privacyUrl = url.href;
    if (url.href === address) this.report.import(node, field, url.href);
    else this.report.change(node, field, url.href, 'The full address is needed.');
    return true;
  }

  propose(node: Node, proposal: Pick<ImportProposal, 'kind' | 'name'> & Partial<ImportProposal>) {
    const found = {
      category: null,
      vendor: null,
      script_url: null,
      ...proposal,
      source: formatPath(node.path),
    };
    const key = JSON.stringify([found.kind, found.name, found.category]);
    if (!this.proposals.has(key)) this.proposals.set(key, found);
    this.report.ignore(node, 'It is listed as a proposal, and not added.');
  }

  /** The text of a place in the file; reports it as missing, empty or too long. */
  #readText(node: Node, field: string, schema: TSchema, why?: string): string | undefined {
    const { value } = node;
    if (value === undefined) return undefined;
    if (typeof value !== 'string') {
      this.report.reject(node, field, 'It is not a text.');
      return undefined;
    }
    if (value.length > HTML_MAX_LENGTH) {
      this.report.reject(node, field, `It is longer than ${HTML_MAX_LENGTH} characters.`);
      return undefined;
    }
    const html = readHtml(value);
    const text = isLong(schema) ? html.text : html.text.replaceAll('\n', ' ');
    if (text === '') {
      this.report.ignore(node, EMPTY);
      return undefined;
    }
    const result = coerce('It', text, schema);
    if ('error' in result) {
      this.report.reject(node, field, result.error.message);
      return undefined;
    }
    const markup = html.links.length > 0 ? NO_LINKS : NO_HTML;
    const reason = why ?? (html.hadMarkup ? markup : undefined);
    if (reason) this.report.change(node, field, text, reason);
    else this.report.import(node, field, text);
    return text;
  }
}

/** Texts with paragraphs. */
const isLong = (schema: TSchema): boolean =>
  ((schema as { maxLength?: number }).maxLength ?? 0) > 500;

/** The canonical tag; undefined if it is not one. WordPress writes `pt_BR`. */
export function toLanguage(tag: string): string | undefined {
  try {
    const [found] = Intl.getCanonicalLocales(tag.trim().replaceAll('_', '-'));
    const result = coerce('language', found, Translation.properties.language as TSchema);
    return 'error' in result ? undefined : found;
  } catch {
    return undefined;
  }
}

/** The HTML of a place, where it is a text of a sensible length. */
export const readHtmlAt = ({ value }: Node): HtmlText =>
  readHtml(typeof value === 'string' && value.length <= HTML_MAX_LENGTH ? value : '');
