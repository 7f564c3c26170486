export { authorizePage } from './page.ts';
export { AUTHORIZE_PATH } from './path.ts';
