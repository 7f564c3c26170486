/**
 * The tags that install the banner. The empty policy keeps browsers from requesting scripts ahead
 * (docs/guides/banner.md).
 * @param language of the pages, if it is not the first language of the site; saves the banner a second request
 */
export const getBannerSnippet = (language?: string): string =>
  `<script src="${location.origin}/banner.js${language ? `?language=${language}` : ''}"></script><meta http-equiv="Content-Security-Policy" content="">`;
