import { Type } from 'typebox';
import { toWholeListResponse, wholeListArgs } from '../../../../platform/rest/pagination.ts';
import type { RestApi } from '../../../../platform/rest/rest-api.ts';
import type { Dsar } from '../../context.ts';
import { addNote } from '../../service.ts';
import { getCase } from '../../store.ts';
import { CaseEventRecord, NoteArgs, toEventRecord } from './schemas.ts';
import { listEvents } from './store.ts';

export function eventRoutes(api: RestApi, dsar: Dsar): void {
  const { db } = dsar.platform.datastore;
  api.add({
    method: 'GET',
    path: '/dsar/cases/{id}/events',
    access: 'manage_privacy_requests',
    summary: 'List the activity of a request, oldest first',
    args: wholeListArgs,
    answers: { 200: Type.Array(CaseEventRecord) },
    async handle(request) {
      const { id } = request;
      await getCase(db, id);
      return toWholeListResponse(request, (await listEvents(db, id)).map(toEventRecord));
    },
  });
  api.add({
    method: 'POST',
    path: '/dsar/cases/{id}/events',
    access: 'manage_privacy_requests',
    summary: 'Add a note to a request',
    args: NoteArgs,
    answers: { 201: CaseEventRecord },
    refusals: { 409: { invalid_transition: 'The request is anonymised and cannot be changed.' } },
    async handle({ id, args, user }) {
      const event = await addNote(dsar, id, args.note, user?.login ?? '');
      return { status: 201, body: toEventRecord(event) };
    },
  });
}
