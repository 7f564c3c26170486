export { KEPT_GROUNDS, type KeptGround } from './grounds.ts';
export {
  type Hold,
  insertHold,
  liftHold,
  listHolds,
} from './holds/store.ts';
export {
  type Erasure,
  erasePerson,
  listOfPerson,
  previewErasure,
} from './persons/store.ts';
export {
  type ErasureMoment,
  type Identity,
  PERIOD_UNITS,
  type PeriodUnit,
  RETENTION_ACTIONS,
  type RecordType,
  type RetentionAction,
} from './record-type.ts';
export { countClaim, countHeld, sweep } from './service.ts';
export {
  type Claim,
  firstIds,
  halvesOf,
  hasRecord,
  isHeld,
  placeOf,
} from './store.ts';
