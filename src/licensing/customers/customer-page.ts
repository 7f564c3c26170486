import type { Html } from '../../platform/html.ts';
import type { ViewDocument } from '../../platform/http/view-document.ts';

/** A page for customers. */
export const toCustomerPage = (
  title: string,
  main: Html,
  more: Partial<ViewDocument> = {},
): ViewDocument => ({
  language: 'en',
  dir: 'ltr',
  title: `${title} – Licences`,
  brand: 'Your licences',
  home: './',
  skip: 'Skip to the content',
  main,
  ...more,
});
