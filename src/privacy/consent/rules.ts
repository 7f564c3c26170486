export const CONSENT_ACTIONS = ['accept_all', 'reject_all', 'manage'] as const;
export type ConsentAction = (typeof CONSENT_ACTIONS)[number];

export interface AskedCategory {
  id: string;
  required: boolean;
}

export interface Choice {
  accepted: string[];
  rejected: string[];
}

/** A decision that contradicts itself or the configuration: which parameter, and why. */
export class InvalidChoice extends Error {
  override readonly name = 'InvalidChoice';
  readonly parameter: string;

  constructor(parameter: string, message: string) {
    super(message);
    this.parameter = parameter;
  }
}

/**
 * What a decision says of each category that was asked. What is required is accepted always;
 * `accept_all` and `reject_all` decide on all, also on those their lists leave out; `manage` decides
 * on those it names and on no others (decision 26).
 * @throws InvalidChoice for unknown categories, one in both lists, and lists against the action
 */
export function completeChoice(
  action: ConsentAction,
  { accepted, rejected }: Choice,
  categories: readonly AskedCategory[],
): Choice {
  const known = new Set(categories.map(({ id }) => id));
  for (const [parameter, ids] of [
    ['categories_accepted', accepted],
    ['categories_rejected', rejected],
  ] as const) {
    const unknown = ids.find((id) => !known.has(id));
    if (unknown !== undefined)
      throw new InvalidChoice(parameter, `There is no category ${unknown}.`);
  }
  const both = accepted.find((id) => rejected.includes(id));
  if (both !== undefined) {
    throw new InvalidChoice('categories_rejected', `${both} is both accepted and rejected.`);
  }
  const required = categories.filter((category) => category.required).map(({ id }) => id);
  const optional = categories.filter((category) => !category.required).map(({ id }) => id);
  const yes = optional.filter((id) => accepted.includes(id));
  const no = optional.filter((id) => rejected.includes(id));
  if (action === 'accept_all' && no.length > 0) {
    throw new InvalidChoice('categories_rejected', `accept_all cannot reject ${no[0]}.`);
  }
  if (action === 'reject_all' && yes.length > 0) {
    throw new InvalidChoice('categories_accepted', `reject_all cannot accept ${yes[0]}.`);
  }
  if (action === 'accept_all') return { accepted: [...required, ...optional], rejected: [] };
  if (action === 'reject_all') return { accepted: required, rejected: optional };
  return { accepted: [...required, ...yes], rejected: no };
}

/** A rate between 0 and 1 of those who decided; 0 when nobody did. */
export const acceptanceRate = (accepted: number, rejected: number): number =>
  accepted + rejected === 0 ? 0 : accepted / (accepted + rejected);
