import { createRoute } from '@tanstack/react-router';
import { app } from './layout.ts';
import { page, pageOfRecord } from './page.ts';

const products = createRoute({
  getParentRoute: () => app,
  path: '/products',
  component: page(() => import('../pages/products/products.tsx'), 'Products'),
});
const newProduct = createRoute({
  getParentRoute: () => app,
  path: '/products/new',
  component: page(() => import('../pages/products/product.tsx'), 'NewProduct'),
});
const product = createRoute({
  getParentRoute: () => app,
  path: '/products/$slug',
  component: page(() => import('../pages/products/product.tsx'), 'ProductScreen'),
});
const newPlan = createRoute({
  getParentRoute: () => app,
  path: '/products/$slug/plans/new',
  component: page(() => import('../pages/products/plan.tsx'), 'NewPlan'),
});
const plan = createRoute({
  getParentRoute: () => app,
  path: '/products/$slug/plans/$id',
  ...pageOfRecord,
  beforeLoad: ({ params }) => pageOfRecord.beforeLoad({ params }),
  component: page(() => import('../pages/products/plan.tsx'), 'PlanScreen'),
});
const releases = createRoute({
  getParentRoute: () => app,
  path: '/products/$slug/releases',
  component: page(() => import('../pages/releases/releases.tsx'), 'Releases'),
});
const newRelease = createRoute({
  getParentRoute: () => app,
  path: '/products/$slug/releases/new',
  component: page(() => import('../pages/releases/new-release.tsx'), 'NewRelease'),
});
const release = createRoute({
  getParentRoute: () => app,
  path: '/products/$slug/releases/$id',
  ...pageOfRecord,
  beforeLoad: ({ params }) => pageOfRecord.beforeLoad({ params }),
  component: page(() => import('../pages/releases/release.tsx'), 'ReleaseScreen'),
});

const branding = createRoute({
  getParentRoute: () => app,
  path: '/branding',
  component: page(() => import('../pages/branding/branding.tsx'), 'Branding'),
});

/** The routes of products, plans, releases and branding. */
export const productsRoutes = [
  products,
  newProduct,
  product,
  newPlan,
  plan,
  releases,
  newRelease,
  release,
  branding,
] as const;
