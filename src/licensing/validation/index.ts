export { COUNTED_RESULTS, type CountedResult } from './counts/rules.ts';
export { deleteOldCounts, listCounts } from './counts/store.ts';
export { ValidationCounts } from './counts/validation-counts.ts';
export { validationRoutes } from './routes.ts';
export { readSnapshot } from './service.ts';
