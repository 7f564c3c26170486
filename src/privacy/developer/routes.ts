import { Type } from 'typebox';
import { HOOK_CATALOGUE } from '../../extensions/catalogue.ts';
import type { Platform } from '../../platform/deps.ts';
import { paginationArgs, toWholeListResponse } from '../../platform/rest/pagination.ts';
import type { RestApi } from '../../platform/rest/rest-api.ts';
import { ExtensionListing, Hook, HookType } from './schemas.ts';

/** `/developer/hooks` and `/developer/extensions`. */
export function developerRoutes(api: RestApi, { extensions }: Platform): void {
  api.add({
    method: 'GET',
    path: '/developer/hooks',
    access: 'read_privacy',
    summary: 'List hooks',
    args: Type.Object({ type: Type.Optional(HookType), ...paginationArgs() }),
    answers: { 200: Type.Array(Hook) },
    async handle(request) {
      const { type } = request.args;
      const hooks = HOOK_CATALOGUE.filter((hook) => type === undefined || hook.type === type);
      return toWholeListResponse(request, hooks);
    },
  });
  api.add({
    method: 'GET',
    path: '/developer/extensions',
    access: 'read_privacy',
    summary: 'List registered extensions',
    answers: { 200: ExtensionListing },
    async handle() {
      return { body: { ...extensions.listing(), problems: extensions.problems } };
    },
  });
}
