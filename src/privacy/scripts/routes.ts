import { Type } from 'typebox';
import type { Platform } from '../../platform/deps.ts';
import { InvalidFieldError } from '../../platform/errors.ts';
import { addItemRoutes } from '../../platform/rest/items.ts';
import {
  paginationArgs,
  toListResponse,
  toOffsetAndLimit,
} from '../../platform/rest/pagination.ts';
import { prebuildBody, respondPrebuilt } from '../../platform/rest/prebuilt.ts';
import type { RestApi } from '../../platform/rest/rest-api.ts';
import { assertCategory, type SettingsCache } from '../settings/index.ts';
import { readBannerScripts } from './banner-scripts.ts';
import { getScriptUrlProblem } from './rules.ts';
import {
  PublicScript,
  ScriptCreation,
  ScriptFilterArgs,
  ScriptRecord,
  ScriptUpdate,
  toScriptFields,
  toScriptRecord,
} from './schemas.ts';
import { changeScript, createScript, removeScript } from './service.ts';
import { findScript, listScripts } from './store.ts';

/** The script registry: `/scripts`, and `/consent/scripts` for the banner. */
export function scriptRoutes(api: RestApi, platform: Platform, settings: SettingsCache): void {
  const { db } = platform.datastore;

  api.add({
    method: 'GET',
    path: '/scripts',
    access: 'read_privacy',
    summary: 'List scripts',
    args: Type.Object({ ...ScriptFilterArgs, ...paginationArgs() }),
    answers: { 200: Type.Array(ScriptRecord) },
    async handle(request) {
      const { category, is_active, search } = request.args;
      const isActive = is_active === undefined ? undefined : Boolean(is_active);
      const filter = { category, isActive, search };
      const { scripts, total } = await listScripts(db, filter, toOffsetAndLimit(request.args));
      return toListResponse(request, scripts.map(toScriptRecord), total);
    },
  });
  api.add({
    method: 'POST',
    path: '/scripts',
    summary: 'Register a script',
    args: ScriptCreation,
    answers: { 201: ScriptRecord },
    answerHeaders: ['Location'],
    async handle({ args }) {
      assertScriptUrl(args.script_url);
      assertCategory(args.category, await settings.read());
      const script = await createScript(platform, toScriptFields(args));
      const location = api.getUrl(`/scripts/${script.id}`);
      return { status: 201, body: toScriptRecord(script), headers: { location } };
    },
  });
  addItemRoutes(api, {
    path: '/scripts',
    noun: 'script',
    record: ScriptRecord,
    toRecord: toScriptRecord,
    update: ScriptUpdate,
    refusals: {
      change: {
        403: { rest_cannot_edit: 'Ada is registered by the extension ada-tools. Change it there.' },
      },
      remove: {
        403: { delete_failed: 'Ada is registered by the extension ada-tools. Change it there.' },
      },
    },
    find: (id) => findScript(db, id),
    async change(id, args, _, assertUnchanged) {
      assertScriptUrl(args.script_url);
      assertCategory(args.category, await settings.read());
      const { script_url: scriptUrl, blocking_method: blockingMethod, is_active, ...rest } = args;
      const isActive = is_active === undefined ? undefined : Boolean(is_active);
      const fields = { ...rest, scriptUrl, blockingMethod, isActive };
      return changeScript(platform, id, fields, assertUnchanged);
    },
    remove: (id) => removeScript(platform, id),
  });
  api.add({
    method: 'GET',
    path: '/consent/scripts',
    access: 'public',
    summary: 'List the active scripts for the banner',
    answers: { 200: Type.Array(PublicScript), 304: null },
    async handle({ headers }) {
      const { consent } = (await settings.read()).settings;
      const { scripts } = await readBannerScripts(db, consent);
      return respondPrebuilt(prebuildBody(scripts), headers);
    },
  });
}

function assertScriptUrl(url: string | undefined): void {
  const problem = url === undefined ? undefined : getScriptUrlProblem(url);
  if (problem) throw new InvalidFieldError('script_url', problem);
}
