export { acknowledge, mailDueAcknowledgements } from './service.ts';
