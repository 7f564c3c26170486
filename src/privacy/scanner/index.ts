export type { EngineSettings } from './engines.ts';
export { parseConnectTo } from './net/connect-to.ts';
export { listFindings, vendorsOfScan } from './results/store.ts';
export { summarise } from './results/summary.ts';
export { scanFindings } from './retention.ts';
export { scannerRoutes } from './routes.ts';
export { toResults } from './schemas.ts';
export { createScanner } from './service.ts';
export { tryBrowser, trySite } from './try-out.ts';
