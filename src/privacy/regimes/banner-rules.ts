import type { ExemptPurpose, RuleValues } from './model.ts';

/** `Rules` of web/banner/decision.ts. */
export interface BannerRules {
  opt_out?: boolean;
  opt_out_link?: boolean;
  confirm_opt_out?: boolean;
  /** Ids of the categories that are on with notice until the visitor objects. */
  exempt?: string[];
  /** Lifetime of a refusal. */
  refusal_days: number;
}

interface Settings {
  categories: readonly { id: string; required: boolean; own_use?: ExemptPurpose | undefined }[];
  refused_until_days: number;
}

/**
 * What the banner needs to know of the rules for a visitor. It honours Global Privacy Control under all of them, so
 * `gpc_is_opt_out` is not among them.
 */
export function toBannerRules(rules: RuleValues, settings: Settings): BannerRules {
  const exempt = settings.categories
    .filter(
      ({ own_use, required }) => own_use && !required && rules.exempt_purposes.includes(own_use),
    )
    .map(({ id }) => id);
  return {
    ...(!rules.must_ask && { opt_out: true }),
    ...(rules.show_opt_out_link && { opt_out_link: true }),
    ...(rules.confirm_opt_out && { confirm_opt_out: true }),
    ...(rules.must_ask && exempt.length > 0 && { exempt }),
    refusal_days: Math.max(settings.refused_until_days, rules.refused_until_days),
  };
}

/** Whether the banner has more to do than to ask first. */
export const isMoreThanOptIn = ({ refusal_days, ...others }: BannerRules): boolean =>
  Object.keys(others).length > 0;
