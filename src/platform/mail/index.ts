export { type Delivery, deliveryBy, type MailSettings } from './delivery.ts';
export { mailRoutes } from './routes.ts';
export { type Mail, mailSender, queueMail, sendDueMails } from './service.ts';
export { countMails } from './store.ts';
export { escapeHtml, type MailContent, type MailPart, renderMail } from './template.ts';
