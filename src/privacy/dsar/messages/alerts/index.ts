export { findRecipients, sendAlert, sendDueAlerts } from './service.ts';
