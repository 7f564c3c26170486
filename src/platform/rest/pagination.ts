import { Type } from 'typebox';
import type { RestRequest, RestResponse } from './route.ts';

export const paginationArgs = (perPage = 50, most = 100) => ({
  per_page: Type.Integer({
    minimum: 1,
    maximum: most,
    default: perPage,
    description: 'Items per page.',
  }),
  page: Type.Optional(
    Type.Integer({ minimum: 1, description: 'Page number. `offset` takes precedence.' }),
  ),
  offset: Type.Optional(Type.Integer({ minimum: 0, description: 'Number of items to skip.' })),
});

interface PaginationArgs {
  per_page: number;
  page?: number;
  offset?: number;
}

export const toOffsetAndLimit = ({ per_page: limit, page = 1, offset }: PaginationArgs) => ({
  offset: offset ?? (page - 1) * limit,
  limit,
});

/** For lists that are short or read as a whole: most clients get them in one page. */
export const wholeListArgs = Type.Object(paginationArgs(100));

/** A page of a list of which all items were read. */
export function toWholeListResponse(
  request: RestRequest<PaginationArgs>,
  items: readonly unknown[],
): RestResponse {
  const { offset, limit } = toOffsetAndLimit(request.args);
  return toListResponse(request, items.slice(offset, offset + limit), items.length);
}

/** Clients and proxies accept 4 to 16 KiB of headers in all. */
const LINK_MAX_LENGTH = 2_048;

/** A page of a list as an array, with totals and links to neighbouring pages in headers. */
export function toListResponse(
  { args, url }: RestRequest<PaginationArgs>,
  items: unknown[],
  total: number,
): RestResponse {
  const { offset, limit } = toOffsetAndLimit(args);
  const pages = Math.ceil(total / limit);
  const links: string[] = [];
  const link = (rel: string, name: 'page' | 'offset', value: number) => {
    const target = url();
    target.searchParams.set(name, String(value));
    if (target.href.length > LINK_MAX_LENGTH) return;
    links.push(`<${target.href}>; rel="${rel}"`);
  };
  if (args.offset === undefined) {
    const { page = 1 } = args;
    if (page > 1 && pages > 0) link('prev', 'page', Math.min(page - 1, pages));
    if (page < pages) link('next', 'page', page + 1);
  } else {
    // Past the end, the last page with items, as core does for `page`.
    const previous = Math.min(offset - limit, (pages - 1) * limit);
    if (offset > 0 && total > 0) link('prev', 'offset', Math.max(0, previous));
    if (offset + limit < total) link('next', 'offset', offset + limit);
  }
  return {
    body: items,
    headers: {
      'x-wp-total': String(total),
      'x-wp-totalpages': String(pages),
      ...(links.length > 0 ? { link: links.join(', ') } : {}),
    },
  };
}
