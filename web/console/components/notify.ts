import { type NotificationData, notifications } from '@mantine/notifications';
import { ApiError } from '../api/client.ts';
import { isSessionExpired } from '../api/queries.ts';
import { capitalise } from './format.ts';

export const AUTO_CLOSE_MS = 6_000;

/** Shows a message that stays while the focus or the pointer is within it (WCAG 2.2.1). */
function show(data: NotificationData): void {
  // Mantine keeps a message for the pointer, not for the focus.
  const closeAfter = (autoClose: number | false) => () =>
    notifications.update({ ...data, id, autoClose });
  const id = notifications.show({
    ...data,
    withBorder: true,
    closeButtonProps: { 'aria-label': 'Close this message' },
    onFocusCapture: closeAfter(false),
    onBlurCapture: closeAfter(AUTO_CLOSE_MS),
  });
}

export const notifySuccess = (message: string): void => show({ message, color: 'teal' });

/** Shows an error that has no place of its own on the page. An expired session leads to the sign-in page instead. */
export const notifyError = (error: unknown): void => {
  if (isSessionExpired(error)) return;
  const title = 'Action failed';
  const message = explainError(error);
  show({ title, message, color: 'red' });
};

/** The message of the error, or why its parameters are invalid, which the message does not say. */
export function explainError(error: unknown): string {
  const reasons = error instanceof ApiError ? Object.values(error.params) : [];
  if (reasons.length > 0) return reasons.map(capitalise).join(' ');
  return error instanceof Error ? error.message : 'Something went wrong.';
}
