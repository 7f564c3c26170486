import { queryOptions } from '@tanstack/react-query';
import type { Static } from 'typebox';
import type * as schemas from '../../../../src/licensing/products/schemas.ts';
import { get, getTagged } from '../../api/client.ts';

export type Product = Static<typeof schemas.ProductRecord>;
export type Plan = Static<typeof schemas.PlanRecord>;

const DESK = '/console/licences';
export const PRODUCTS = `${DESK}/products`;
export const PLANS = `${DESK}/plans`;
/** What is no longer as it was once a product or plan was changed. */
export const STALE = [['desk']];

export const productsQuery = queryOptions({
  queryKey: ['desk', 'products'],
  queryFn: () => get<Product[]>(PRODUCTS),
});

export const productQuery = (slug: string) =>
  queryOptions({
    queryKey: ['desk', 'products', slug],
    async queryFn() {
      const { value, etag } = await getTagged<Product>(`${PRODUCTS}/${encodeURIComponent(slug)}`);
      return { ...value, etag };
    },
  });

export const planQuery = (id: string) =>
  queryOptions({
    queryKey: ['desk', 'plans', id],
    async queryFn() {
      const { value, etag } = await getTagged<Plan>(`${PLANS}/${id}`);
      return { ...value, etag };
    },
  });

/** The plans of which a licence can be issued. */
export const listOnSale = ({ plans }: Pick<Product, 'plans'>): Plan[] =>
  plans.filter(({ archived_at }) => archived_at === null);

/** The plans of a product for a select; an archived one only if it is the current choice. */
export const toPlanChoices = ({ plans }: Pick<Product, 'plans'>, current?: string) =>
  plans
    .filter(({ archived_at, tier }) => archived_at === null || tier === current)
    .map(({ tier, label }) => ({ value: tier, label }));
