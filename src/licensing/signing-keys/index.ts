export { signingKeyRoutes } from './routes.ts';
export { toPublicKey } from './schemas.ts';
export { listPublicKeys, rotateSigningKey, signToken } from './service.ts';
