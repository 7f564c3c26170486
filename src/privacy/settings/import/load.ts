/** Not loaded before it is needed: a start of the server does not wait for what reads files of other banners. */
export const loadImport = () => import('./service.ts');
