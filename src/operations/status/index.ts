export { type OperationsScope, readOperations, recordBackup } from './service.ts';
