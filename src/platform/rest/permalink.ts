/**
 * The path that a URL of plain permalinks stands for: `/?rest_route=/svc/v1/…` and `/index.php?…`,
 * for sites whose server rewrites nothing. Any other URL stays as it is.
 */
export function plainPermalink(url: string, prefix: string): string {
  const [path, query] = url.split('?', 2);
  if (query === undefined || (path !== '/' && path !== '/index.php')) return url;
  const params = new URLSearchParams(query);
  const route = params.get('rest_route');
  if (route === null) return url;
  params.delete('rest_route');
  const rest = params.size > 0 ? `?${params}` : '';
  // Without its leading slash a route is none.
  return `${prefix}${route.startsWith('/') ? route : '/-'}${rest}`;
}
