export { createDelivery } from './delivery.ts';
export { removeMailDrafts, removeMailFiles } from './files.ts';
export { mailRecords } from './retention.ts';
export { mailRoutes } from './routes.ts';
export {
  mailSender,
  queueMail,
  SEALED_PLACE,
  sealForMail,
  sendDueMails,
} from './service.ts';
export { abandonMails, countMails, discardMail, expireMails, findLastFailedMail } from './store.ts';
export {
  type MailBrand,
  type MailPart,
  type RenderedMail,
  renderMail,
} from './template.ts';
