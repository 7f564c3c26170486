export { accountPages } from './pages.ts';
