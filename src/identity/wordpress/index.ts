export { assertWordPress } from './ask.ts';
export { withWordPress } from './authenticate.ts';
export { createAuthorizationUrl } from './authorization-page.ts';
