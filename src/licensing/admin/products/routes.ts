import { Type } from 'typebox';
import type { Platform } from '../../../platform/deps.ts';
import { NotFoundError } from '../../../platform/errors.ts';
import type { RestApi } from '../../../platform/rest/rest-api.ts';
import {
  countLicences,
  createPlan,
  createProduct,
  findPlan,
  findProduct,
  getPlanTag,
  getProductTag,
  type Plan,
  PlanCreate,
  PlanRecord,
  PlanUpdate,
  type Product,
  ProductCreate,
  ProductRecord,
  ProductUpdate,
  readCatalogue,
  toPlanRecord,
  toProductRecord,
  updatePlan,
  updateProduct,
} from '../../products/index.ts';

const CHANGED = { 412: 'rest_precondition_failed' } as const;

/** Products and their plans. A plan is archived, not deleted. */
export function productRoutes(api: RestApi, platform: Platform): void {
  const { db } = platform.datastore;
  const getActor = ({ user }: { user: { login: string } | null }): string => user?.login ?? '';
  const showProduct = async (product: Product) => ({
    body: toProductRecord(product, await countLicences(db)),
    headers: { etag: getProductTag(product) },
  });
  const showPlan = async ({ product, plan }: { product: Product; plan: Plan }) => ({
    body: toPlanRecord(product, plan, await countLicences(db)),
    headers: { etag: getPlanTag(plan) },
  });
  const created = (path: string, { body, headers }: { body: object; headers: object }) => ({
    status: 201,
    body,
    headers: { ...headers, location: api.getUrl(path) },
  });

  api.add({
    method: 'GET',
    path: '/products',
    summary: 'List products and their plans',
    answers: { 200: Type.Array(ProductRecord) },
    async handle() {
      const [catalogue, count] = await Promise.all([readCatalogue(db), countLicences(db)]);
      return { body: catalogue.map((product) => toProductRecord(product, count)) };
    },
  });
  api.add({
    method: 'POST',
    path: '/products',
    summary: 'Create a product',
    args: ProductCreate,
    answers: { 201: ProductRecord },
    async handle(request) {
      const product = await createProduct(platform, request.args, getActor(request));
      return created(`/products/${product.slug}`, await showProduct(product));
    },
  });
  api.add({
    method: 'GET',
    path: '/products/{product}',
    summary: 'Get a product and its plans',
    answers: { 200: ProductRecord },
    async handle({ key }) {
      const product = findProduct(await readCatalogue(db), key);
      if (!product) throw new NotFoundError('The product');
      return showProduct(product);
    },
  });
  api.add({
    method: 'PUT',
    path: '/products/{product}',
    summary: 'Update a product',
    args: ProductUpdate,
    answers: { 200: ProductRecord },
    refusals: CHANGED,
    async handle(request) {
      const change = { edits: request.args, ifMatch: request.headers['if-match'] };
      return showProduct(await updateProduct(platform, request.key, change, getActor(request)));
    },
  });
  api.add({
    method: 'POST',
    path: '/products/{product}/plans',
    summary: 'Create a plan of a product',
    args: PlanCreate,
    answers: { 201: PlanRecord },
    async handle(request) {
      const made = await createPlan(platform, request.key, request.args, getActor(request));
      return created(`/plans/${made.plan.id}`, await showPlan(made));
    },
  });
  api.add({
    method: 'GET',
    path: '/plans/{id}',
    summary: 'Get a plan',
    answers: { 200: PlanRecord },
    handle: async ({ id }) => showPlan(findPlan(await readCatalogue(db), id)),
  });
  api.add({
    method: 'PUT',
    path: '/plans/{id}',
    summary: 'Update or archive a plan',
    args: PlanUpdate,
    answers: { 200: PlanRecord },
    refusals: CHANGED,
    async handle(request) {
      const change = { edits: request.args, ifMatch: request.headers['if-match'] };
      return showPlan(await updatePlan(platform, request.id, change, getActor(request)));
    },
  });
}
