import type { Routes } from '../http/error-format.ts';
import { resolveReferences } from '../http/openapi-schemas.ts';
import { type Chapter, listChapters, type OpenApi } from './document.ts';

export interface DocumentedApi {
  /** Its part of the path. */
  name: string;
  /** Path of its OpenAPI document. */
  document: string;
}

export interface DescribedApi extends DocumentedApi {
  api: OpenApi;
  chapters: Chapter[];
}

/** Reads the OpenAPI document of an API in this process. */
export async function describeApi(app: Routes, documented: DocumentedApi): Promise<DescribedApi> {
  const document = (await app.inject({ url: documented.document })).json<OpenApi>();
  const api = resolveReferences(document);
  return { ...documented, api, chapters: listChapters(api) };
}
