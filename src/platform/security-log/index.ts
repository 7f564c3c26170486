export type { SecurityEventName } from './events.ts';
export { appendSecurityEvent } from './recorder.ts';
export { securityLog } from './retention.ts';
