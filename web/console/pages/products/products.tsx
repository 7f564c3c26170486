import { IconPackage, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { LinkButton } from '../../components/link-button.tsx';
import { Page } from '../../components/page.tsx';
import { EmptyState, QueryResult } from '../../components/states.tsx';
import { DataTable } from '../../components/table.tsx';
import { NoLicences } from '../licences/no-licences.tsx';
import { listOnSale, productsQuery } from './queries.ts';

/** The products of the vendor. */
export function Products() {
  const products = useQuery(productsQuery);
  return (
    <Page
      title="Products"
      intro="What you license, and the plans that you sell of it."
      actions={
        products.data && (
          <>
            <LinkButton variant="default" to="/branding">
              Branding
            </LinkButton>
            <LinkButton to="/products/new" leftSection={<IconPlus size={16} aria-hidden />}>
              Create a product
            </LinkButton>
          </>
        )
      }
    >
      <QueryResult query={products} lines={3} absent={<NoLicences />}>
        {(items) =>
          items.length === 0 ? (
            <EmptyState icon={IconPackage} title="No products">
              Products that you create are listed here.
            </EmptyState>
          ) : (
            <DataTable
              label="Products"
              rows={items}
              getKey={({ slug }) => slug}
              columns={[
                {
                  title: 'Name',
                  cell: ({ slug, name }) => (
                    <Link to="/products/$slug" params={{ slug }} className="break">
                      {name}
                    </Link>
                  ),
                  sort: ({ name }) => name,
                },
                { title: 'Slug', cell: ({ slug }) => <span className="mono">{slug}</span> },
                {
                  title: 'Version',
                  cell: ({ current_version }) => current_version ?? '–',
                },
                {
                  title: 'Plans',
                  align: 'end',
                  cell: (product) => listOnSale(product).length,
                },
                { title: 'Licences', align: 'end', cell: ({ licences }) => licences },
              ]}
            />
          )
        }
      </QueryResult>
    </Page>
  );
}
