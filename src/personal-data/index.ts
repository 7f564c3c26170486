export {
  type ErasureMoment,
  type Identity,
  PERIOD_UNITS,
  type PeriodUnit,
  type PersonalDataDeclaration,
  type PreparedRemoval,
  RETENTION_ACTIONS,
  type RecordRemoval,
  type RetentionAction,
} from './declaration.ts';
export { KEEPING_GROUNDS, type KeepingGround } from './grounds.ts';
export {
  anonymiseLiftedHolds,
  insertLegalHold,
  type LegalHold,
  liftLegalHold,
  listLegalHolds,
} from './legal-holds/store.ts';
export {
  type Erasure,
  erasePerson,
  listPersonRecords,
  previewRecordErasure,
} from './persons/store.ts';
export { countDueRecords, countRecordsUnderLegalHold, processInBatches } from './service.ts';
export {
  type DueRecords,
  findCursor,
  hasRecord,
  isUnderLegalHold,
  listFirstIds,
  lockRecords,
  partition,
} from './store.ts';
