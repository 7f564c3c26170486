export { toEntryColumns } from './entries/columns.ts';
export { ENTRY_KINDS } from './entries/kinds.ts';
export { recordInLog } from './records/store.ts';
export { logRemoval } from './removals/service.ts';

import './tables.ts';
