export { createTokenAuthenticator, getToken, type SentToken } from './authenticate.ts';
export { type ApiToken, formatTokenActor, TOKEN_SCOPES } from './rules.ts';
export { NewToken, TokenCreation, TokenRecord } from './schemas.ts';
export { createToken, listTokenRecords, revokeToken } from './service.ts';
