export { licenceJob } from './job.ts';
export { mailKey, mailReroll } from './mails.ts';
export { choosePrice, EVERYTHING, type Interval, type Price, parsePrices } from './prices.ts';
export { checkoutOrders } from './retention.ts';
export { checkoutRoutes } from './routes.ts';
export type { CheckoutSettings } from './service.ts';
export { stripeChecks } from './stripe-check.ts';
