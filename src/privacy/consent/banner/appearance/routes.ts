import type { RestApi } from '../../../../platform/rest/rest-api.ts';
import {
  DEFAULT_APPEARANCE,
  DEFAULT_COLORS,
  measureContrasts,
  updateAppearance,
} from '../../../settings/index.ts';
import { AppearanceCheck, CheckedAppearance } from './schemas.ts';
import { toShownAppearance } from './styles.ts';

/** `/consent/banner/appearance`: what a form needs before it saves an appearance. */
export function appearanceRoutes(api: RestApi): void {
  api.add({
    method: 'POST',
    path: '/consent/banner/appearance',
    access: 'read_settings',
    scope: 'consent:read',
    summary: 'Check an appearance of the banner without saving it',
    args: AppearanceCheck,
    answers: { 200: CheckedAppearance },
    async handle({ args }) {
      const appearance = updateAppearance(DEFAULT_APPEARANCE, args.appearance);
      return {
        body: {
          shown: toShownAppearance(appearance) ?? {},
          defaults: DEFAULT_COLORS,
          contrasts: measureContrasts(appearance),
        },
      };
    },
  });
}
