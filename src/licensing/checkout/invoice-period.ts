import { get, list, number, text } from './event-fields.ts';

/** Billing reasons of invoices that begin a period. A proration on them is the period itself, cut short. */
const BEGINS_PERIOD = ['subscription_create', 'subscription_cycle'];

/**
 * The latest period and the cost of an invoice. Lines with a negative amount are credits, whose periods do not count, and
 * neither do those of items that the vendor adds by hand, which begin and end at one moment.
 */
export function getPaidPeriod(invoice: unknown) {
  const lines = list(invoice, 'lines', 'data').filter((line) => (number(line, 'amount') ?? 0) >= 0);
  const periods = lines.flatMap((line) => {
    const [start, end] = [number(line, 'period', 'start'), number(line, 'period', 'end')];
    return end === undefined || start === end ? [] : [{ start, end }];
  });
  const latest = periods.toSorted((a, b) => a.end - b.end).at(-1);
  const begins = BEGINS_PERIOD.includes(text(invoice, 'billing_reason') ?? '');
  const paid = number(invoice, 'amount_paid');
  return {
    until: latest ? latest.end * 1_000 : null,
    from: latest?.start === undefined ? null : latest.start * 1_000,
    isDifference: !begins && lines.length > 0 && lines.every(isProration),
    charged: lines.reduce<number>((sum, line) => sum + (number(line, 'amount') ?? 0), 0),
    ...(paid !== undefined && { paid }),
  };
}

/** In the formats of Stripe's API before and since 2025. */
const isProration = (line: unknown): boolean =>
  get(line, 'proration') === true ||
  get(line, 'parent', 'subscription_item_details', 'proration') === true ||
  get(line, 'parent', 'invoice_item_details', 'proration') === true;
