import { formatNumber } from './format.ts';

/** A check of a form: what is wrong with a typed number; null for a whole number within the limits. */
export const isWithin = (least: number, most: number) => (value: number | string) => {
  const isFine = Number.isInteger(value) && Number(value) >= least && Number(value) <= most;
  return isFine ? null : `Enter a whole number from ${least} to ${formatNumber(most)}.`;
};
