import { Type } from 'typebox';
import { DomainError } from '../../../../platform/errors.ts';
import { toWholeListResponse, wholeListArgs } from '../../../../platform/rest/pagination.ts';
import type { RestApi } from '../../../../platform/rest/rest-api.ts';
import { findLanguageTexts, listLanguages } from './index.ts';
import { BannerLanguage, BannerLanguageTexts } from './schemas.ts';

/** The texts of the banner that Pavis ships: `/consent/languages`. */
export function languageRoutes(api: RestApi): void {
  api.add({
    method: 'GET',
    path: '/consent/languages',
    access: 'read_settings',
    summary: 'List the languages with banner texts',
    args: wholeListArgs,
    answers: { 200: Type.Array(BannerLanguage) },
    async handle(request) {
      return toWholeListResponse(request, listLanguages());
    },
  });
  api.add({
    method: 'GET',
    path: '/consent/languages/{tag}',
    access: 'read_settings',
    summary: 'Get the banner texts in a language',
    answers: { 200: BannerLanguageTexts },
    refusals: { 404: 'not_found' },
    async handle({ key }) {
      const texts = await findLanguageTexts(key);
      if (!texts) throw new DomainError('not_found', 'not_found', toMessage(key));
      return { body: texts };
    },
  });
}

const toMessage = (tag: string): string =>
  `Pavis has no banner texts in "${tag}". Use a language that GET /consent/languages lists, for example "pt-BR", or add your own texts to consent.translations with PUT /settings.`;
