/** The guides as `web/dist/docs/guides.json` holds them, made of `docs/**` by `web/guides.ts`. */
export interface BuiltGuides {
  groups: { title: string; pages: BuiltPage[]; isForEngineers?: boolean }[];
  /** For pages of the console, by the beginning of their path, the path of the guide. */
  console: Record<string, string>;
}

export interface BuiltPage {
  /** Below `/docs/`, as `guides/banner`. */
  path: string;
  title: string;
  /** The first sentence, as plain text. */
  description: string;
  /** The content with its `h1`; links are relative to the path. */
  html: string;
  /** The headings of the second level. */
  headings: { id: string; text: string }[];
  sections: BuiltSection[];
}

/** What the search finds: a heading with the text up to the next one. */
interface BuiltSection {
  /** Empty at the start of the page. */
  id: string;
  title: string;
  text: string;
}

/** An entry of `/docs/search.json`. */
export interface SearchRecord {
  /** A factor of how well it matches: guides come before the reference. */
  weight: number;
  /** Below `/docs/`, with a fragment. */
  path: string;
  /** The group and the page that it is part of. */
  group: string;
  page: string;
  title: string;
  text: string;
}
