export { readOperations, recordBackup } from './service.ts';
