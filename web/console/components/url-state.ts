import { useNavigate } from '@tanstack/react-router';

/** Updates parameters of the address. All changes except of `page` return to the first page of the list. */
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
