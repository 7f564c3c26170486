export { type OperationsScope, readOperations } from './service.ts';
