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
  const message = error instanceof Error ? explain(error) : 'Something went wrong.';
  const title = 'Action failed';
  notifications.show({ title, message, color: 'red', withBorder: true, ...NAMED });
};

/** The message of the error, or why its parameters are invalid, which the message does not say. */
function explain(error: Error): string {
  const reasons = error instanceof ApiError ? Object.values(error.params) : [];
  return reasons.length > 0 ? reasons.map(capitalise).join(' ') : error.message;
}
