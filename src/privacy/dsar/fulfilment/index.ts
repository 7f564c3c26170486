export { readPackage, removePackageFile } from './package.ts';
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
  deletePackage,
  deletePages,
  findPackage,
  listOldPackages,
  listTasks,
  type StoredPackage,
  type Task,
} from './store.ts';
export { TASK_STATUSES } from './tables.ts';
