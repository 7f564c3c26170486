export { assertWordPress, toAuthorizationUrl } from './ask.ts';
export { withWordPress } from './authenticate.ts';
