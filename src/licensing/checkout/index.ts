export { formatAmount, formatPriceParts } from './format-price.ts';
export { licenceJob } from './job.ts';
export { mailKey, mailRotatedKey } from './mails.ts';
export type { WasErased } from './missed-events.ts';
export {
  type CanRenew,
  createRenewalCheck,
  getTrialMode,
  listPrices,
  type SaleSettings,
} from './on-sale.ts';
export {
  choosePrice,
  findUnknownTier,
  formatPriceName,
  parsePrices,
} from './prices.ts';
export { PAYMENT_TYPES, toPurchaseHistory } from './purchases/history.ts';
export { countRenewals, listBought, listCustomerPurchases } from './purchases/store.ts';
export { LIFETIME_LICENCE, RENEWS_AUTOMATICALLY } from './renewal-plan.ts';
export type { RenewalOptions } from './renewal-schemas.ts';
export { LIFETIME_AFTER_SUBSCRIPTION, SUSPENDED_BY_PAYMENT, TEST_LICENCE } from './renewals.ts';
export { checkoutOrders, purchaseRecords } from './retention.ts';
export { checkoutRoutes } from './routes.ts';
export type { ShownPrice, ShownPrices } from './schemas.ts';
export { assertPricesKnown, listCheckedPrices, listStripeChecks } from './stripe-check.ts';
export { CANNOT_PAY, NO_PORTAL } from './stripe-client.ts';
