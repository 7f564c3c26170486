import { notifications } from '@mantine/notifications';
import { isSessionExpired } from '../api/queries.ts';

const NAMED = { closeButtonProps: { 'aria-label': 'Close this message' } };

export const notifySuccess = (message: string): void => {
  notifications.show({ message, color: 'teal', withBorder: true, ...NAMED });
};

/** Shows an error that has no place of its own on the page. An expired session leads to the sign-in page instead. */
export const notifyError = (error: unknown): void => {
  if (isSessionExpired(error)) return;
  const message = error instanceof Error ? error.message : 'Something went wrong.';
  const title = 'Action failed';
  notifications.show({ title, message, color: 'red', withBorder: true, ...NAMED });
};
