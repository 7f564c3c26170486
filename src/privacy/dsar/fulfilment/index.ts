export {
  approveErasure,
  type Decision,
  type ErasurePreview,
  previewErasure,
} from './approval.ts';
export { readPackage, removeLeftFiles, removePackageFile } from './packages/files.ts';
export { datePackage, findPackage, type StoredPackage } from './packages/store.ts';
export { deletePages } from './pages/store.ts';
export { runDueTask, taskRunner } from './runner.ts';
export {
  changeTask,
  openTasks,
  planTasks,
  skipOpenTasks,
} from './service.ts';
export {
  awaitsApproval,
  type Kept,
  listTasks,
  reopenTasks,
  type Task,
} from './store.ts';
export { TASK_STATUSES } from './tables.ts';
