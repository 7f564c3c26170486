import { notifications } from '@mantine/notifications';
import { ApiError } from '../api/client.ts';
import { isSessionExpired } from '../api/queries.ts';
import { capitalise } from './format.ts';

const NAMED = { closeButtonProps: { 'aria-label': 'Close this message' } };

export const notifySuccess = (message: string): void => {
  notifications.show({ message, color: 'teal', withBorder: true, ...NAMED });
};

/** Shows an error that has no place of its own on the page. An expired session leads to the sign-in page instead. */
export const notifyError = (error: unknown): void => {
  if (isSessionExpired(error)) return;
  const title = 'Action failed';
  const message = explainError(error);
  notifications.show({ title, message, color: 'red', withBorder: true, ...NAMED });
};

/** The message of the error, or why its parameters are invalid, which the message does not say. */
export function explainError(error: unknown): string {
  const reasons = error instanceof ApiError ? Object.values(error.params) : [];
  if (reasons.length > 0) return reasons.map(capitalise).join(' ');
  return error instanceof Error ? error.message : 'Something went wrong.';
}
