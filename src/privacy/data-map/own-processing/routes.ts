import { Type } from 'typebox';
import type { RestApi } from '../../../platform/rest/rest-api.ts';
import { EntryRecord, toEntryRecord } from '../schemas.ts';
import type { DataMapScope } from '../service.ts';
import { addMissingProcessing, countMissingProcessing } from './service.ts';

const OwnProcessingMissing = Type.Object(
  {
    missing: Type.Integer({
      description: 'Number of entries that updates of Pavis include and that were never added.',
    }),
  },
  { title: 'OwnProcessingStatus' },
);

const OwnProcessingAdded = Type.Object(
  { added: Type.Array(EntryRecord, { description: 'Empty if no entry was missing.' }) },
  { title: 'OwnProcessingResult' },
);

/** The processing by Pavis itself: `/data-map/own-processing`. */
export function ownProcessingRoutes(api: RestApi, scope: DataMapScope): void {
  api.add({
    method: 'GET',
    path: '/data-map/own-processing',
    access: 'read_privacy',
    summary: 'Count missing entries for processing by Pavis',
    answers: { 200: OwnProcessingMissing },
    async handle() {
      return { body: { missing: await countMissingProcessing(scope.platform.datastore.db) } };
    },
  });
  api.add({
    method: 'POST',
    path: '/data-map/own-processing',
    summary: 'Add missing entries for processing by Pavis',
    answers: { 200: OwnProcessingAdded },
    async handle() {
      const added = await addMissingProcessing(scope);
      return { body: { added: added.map(toEntryRecord) } };
    },
  });
}
