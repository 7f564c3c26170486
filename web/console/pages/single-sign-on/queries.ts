import { queryOptions } from '@tanstack/react-query';
import { get } from '../../api/client.ts';

/** Sign-in methods besides a password. */
export const signInOptionsQuery = queryOptions({
  queryKey: ['sign-in-options'],
  queryFn: () =>
    get<{ password_reset: boolean; single_sign_on: { name: string } | null }>('/console/sign-in'),
});
