export { SECURITY_EVENTS, type SecurityEventName } from './events.ts';
export { exportEvents } from './export.ts';
export { processSecurityEvents, securityEventWorker } from './processing.ts';
export { appendSecurityEvent, SecurityLog } from './recorder.ts';
export { securityLog } from './retention.ts';
export { securityLogRoutes } from './routes.ts';
export { toEventFilter, toSecurityEventRecord } from './schemas.ts';
export { type EventFilter, listEvents } from './store.ts';
