import type { VendorChoice } from './wire.ts';

/** The choice with this vendor accepted. */
export const chooseVendor = (
  { vendors_accepted = [], vendors_rejected = [] }: VendorChoice = {},
  slug: string,
): VendorChoice =>
  toVendorChoice(
    [...vendors_accepted, slug],
    vendors_rejected.filter((each) => each !== slug),
  );

/** Each once, and nothing in place of empty lists, so that most choices have none. */
export const toVendorChoice = (accepted: string[], rejected: string[]): VendorChoice => ({
  vendors_accepted: accepted[0] ? [...new Set(accepted)] : undefined,
  vendors_rejected: rejected[0] ? [...new Set(rejected)] : undefined,
});
