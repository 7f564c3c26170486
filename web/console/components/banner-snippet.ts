/**
 * The tags that install the banner. The empty policy keeps browsers from requesting scripts ahead
 * (docs/guides/banner.md).
 * @param language for pages in one language other than the first of the site, which then need no second request
 */
export const getBannerSnippet = (language?: string): string =>
  `<script src="${location.origin}/banner.js${language ? `?language=${language}` : ''}"></script><meta http-equiv="Content-Security-Policy" content="">`;
