export { readPackage, removeLeftFiles, removePackageFile } from './packages/files.ts';
export { datePackage, findPackage, type StoredPackage } from './packages/store.ts';
export {
  changeTask,
  openTasks,
  planTasks,
  runDueTask,
  skipOpenTasks,
  taskRunner,
} from './service.ts';
export {
  collectAnew,
  deletePages,
  listTasks,
  type Task,
} from './store.ts';
export { TASK_STATUSES } from './tables.ts';
