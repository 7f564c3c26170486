import { useNavigate } from '@tanstack/react-router';

/** Changes parameters of the page's address; every change but one of `page` returns to the first page. */
export function useUrlState(): (changes: Record<string, string | undefined>) => void {
  const navigate = useNavigate();
  return (changes) => {
    navigate({
      to: '.',
      search: (old: object) => ({ ...old, page: undefined, ...changes }),
      replace: true,
    } as never);
  };
}
