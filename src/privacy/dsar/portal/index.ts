export { privacyPages } from './routes.ts';
