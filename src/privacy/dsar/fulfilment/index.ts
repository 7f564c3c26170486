export { readPackage, removeLeftFiles, removePackageFile } from '../export/files.ts';
export { assertPackageReplaceable } from '../export/legal-hold.ts';
export { findPackage, type StoredPackage, setPackageClosedAt } from '../export/store.ts';
export { approveErasure, type Decision, previewErasure } from './approval.ts';
export { deletePages } from './pages/store.ts';
export { runDueTask, taskRunner } from './runner.ts';
export { openTasks, planTasks, RESERVED_SOURCES, skipOpenTasks } from './service.ts';
export { awaitsApproval, listTasks, reopenTasks, type Task } from './store.ts';
export { isVisitorAccepted } from './visitor-check.ts';
