import { DomainError } from '../../../platform/errors.ts';

/** The log lacks entries or hashes, or its entries do not lead to its checkpoint. */
export class LogDamagedError extends DomainError {
  /** What is wrong with the log, as a part of a sentence. */
  readonly fault: string;

  constructor(fault: string) {
    super(
      'unavailable',
      'log_damaged',
      `The consent log is damaged: ${fault}. Put its newest copy back. "pavis log verify" lists what is damaged.`,
    );
    this.fault = fault;
  }
}

/** The response of routes that read entries or hashes. */
export const LOG_DAMAGED = {
  log_damaged: new LogDamagedError('it does not have entry 50').message,
};
