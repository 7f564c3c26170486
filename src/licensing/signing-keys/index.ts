export { signingKeyRoutes } from './routes.ts';
export { toPublicKey } from './schemas.ts';
export { listPublicKeys, type PublicKey, rotateSigningKey, signToken } from './service.ts';
