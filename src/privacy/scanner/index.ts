export type { EngineSettings } from './engines.ts';
export { parseConnectTo } from './net/connect-to.ts';
export { type ScanSummary, summarise } from './results.ts';
export { scannerRoutes } from './routes.ts';
export { toResults } from './schemas.ts';
export { createScanner } from './service.ts';
export { vendorsOfScan } from './store.ts';
