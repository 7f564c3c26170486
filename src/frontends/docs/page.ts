import type { Html } from '../../platform/html.ts';

/** A page of the documentation. */
export interface Page {
  /** Below `/docs/`. */
  path: string;
  title: string;
  description: string;
  main: Html;
  /** For the search: its parts, each with a fragment or none. */
  sections: { id: string; title: string; text: string }[];
}

/** A group of pages in the menu; the one without a title is the start. */
export interface Group {
  title: string;
  pages: Page[];
  /** For the search, see `SearchRecord`. */
  weight: number;
  /** The start lists its pages without their descriptions. */
  isForEngineers?: boolean;
}
