export { declarationPage } from './page/routes.ts';
export { declarationRoutes } from './routes.ts';
export { createDeclarations, readDeclaration } from './service.ts';
