import { queryOptions } from '@tanstack/react-query';
import type { Static } from 'typebox';
import type * as schemas from '../../../../src/licensing/products/schemas.ts';
import { get, getRecord } from '../../api/client.ts';
import { queryClient } from '../../api/queries.ts';
import { ADMIN_PATH } from '../licences/queries.ts';

export type Product = Static<typeof schemas.ProductRecord>;
export type Plan = Static<typeof schemas.PlanRecord>;

export const PRODUCTS = `${ADMIN_PATH}/products`;
export const PLANS = `${ADMIN_PATH}/plans`;

export const productsQuery = queryOptions({
  queryKey: ['desk', 'products'],
  queryFn: () => get<Product[]>(PRODUCTS),
});

export const productQuery = (slug: string) =>
  queryOptions({
    queryKey: ['desk', 'products', slug],
    queryFn: () => getRecord<Product>(`${PRODUCTS}/${encodeURIComponent(slug)}`),
  });

export const planQuery = (id: string) =>
  queryOptions({
    queryKey: ['desk', 'plans', id],
    queryFn: () => getRecord<Plan>(`${PLANS}/${id}`),
  });

/** The plans of which a licence can be issued. */
export const listOnSale = ({ plans }: Pick<Product, 'plans'>): Plan[] =>
  plans.filter(({ archived_at }) => archived_at === null);

/** The plans of a product for a select; an archived one only if it is the current choice. */
export const toPlanChoices = ({ plans }: Pick<Product, 'plans'>, current?: string) =>
  plans
    .filter(({ archived_at, tier }) => archived_at === null || tier === current)
    .map(({ tier, label }) => ({ value: tier, label }));

/**
 * The products and plans of which licences can be issued, and those that are chosen: without a valid choice the first
 * product, and its plan pro or else its first.
 */
export function chooseOnSale(all: readonly Product[], chosen: { product: string; tier: string }) {
  const products = all.filter((each) => listOnSale(each).length > 0);
  const product = products.find(({ slug }) => slug === chosen.product) ?? products[0];
  const plans = product ? listOnSale(product) : [];
  const findPlan = (name: string) => plans.find(({ tier }) => tier === name);
  return { products, product, plan: findPlan(chosen.tier) ?? findPlan('pro') ?? plans[0] };
}

/** As `chooseOnSale`, for forms that are sent before the products have been loaded. */
export const fetchOnSale = async (chosen: { product: string; tier: string }) =>
  chooseOnSale(await queryClient.ensureQueryData(productsQuery), chosen);
