export { licenceJob } from './job.ts';
export { mailKey, mailRotatedKey } from './mails.ts';
export { choosePrice, formatPrice, INTERVALS, type Price, parsePrices } from './prices.ts';
export { PAYMENT_TYPES, toPurchaseHistory } from './purchases/history.ts';
export { countRenewals, listCustomerPurchases } from './purchases/store.ts';
export { checkoutOrders, purchaseRecords } from './retention.ts';
export { checkoutRoutes } from './routes.ts';
export { listOffers } from './service.ts';
export { assertPricesKnown, stripeChecks } from './stripe-check.ts';
