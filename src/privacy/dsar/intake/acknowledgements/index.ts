export { acknowledge, sendDueAcknowledgements } from './service.ts';
