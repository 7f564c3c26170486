/** Where the present moment comes from, in milliseconds since the epoch; tests pass a clock they can turn. */
export interface Clock {
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** A moment as the contract writes it: ISO 8601, UTC, with milliseconds. */
export const isoMoment = (milliseconds: number): string => new Date(milliseconds).toISOString();
