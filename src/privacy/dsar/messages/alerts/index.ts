export { alertAdministrators, alertOfWaiting, findRecipients } from './service.ts';
