import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { get } from '../../api/client.ts';
import type { ConsentVersion } from '../../api/types.ts';
import { formatMoment } from '../../parts/format.ts';
import { Page } from '../../parts/page.tsx';
import { Empty, Shown } from '../../parts/states.tsx';
import { BannerPreview } from './preview.tsx';

const route = getRouteApi('/inside/banner/versions');

/** Every version of what visitors were asked, as it stood. */
export function Versions() {
  const { version } = route.useSearch();
  const versions = useQuery({
    queryKey: ['consent-versions'],
    queryFn: () => get<ConsentVersion[]>('/settings/consent-versions'),
  });
  return (
    <Page
      title="Versions of the banner"
      intro="A record names the version under which it was made; none is ever changed."
      back={{ to: '/banner', label: 'Banner' }}
    >
      <Shown query={versions}>
        {(all) => {
          const shown = all.find((each) => String(each.version) === version) ?? all[0];
          if (!shown) {
            return (
              <Empty icon="banner" title="Nothing was changed yet">
                Visitors are asked what Pavis came with, which records call version 0.
              </Empty>
            );
          }
          return (
            <div className="wide-narrow">
              <section className="card">
                <h2>Version {shown.version}</h2>
                <dl className="facts">
                  <dt>Since</dt>
                  <dd>{formatMoment(shown.created_at)}</dd>
                  <dt>SHA-256</dt>
                  <dd className="mono">{shown.hash}</dd>
                  <dt>Categories</dt>
                  <dd>{shown.config.categories.map(({ label }) => label).join(', ')}</dd>
                  <dt>A choice holds</dt>
                  <dd>{shown.config.expiry_days} days</dd>
                </dl>
                <div style={{ marginTop: '1.2rem' }}>
                  <BannerPreview consent={shown.config} />
                </div>
              </section>
              <nav className="card" aria-label="Versions">
                <h2>All versions</h2>
                <ol className="timeline" reversed>
                  {all.map((each) => (
                    <li key={each.version}>
                      <Link
                        to="/banner/versions"
                        search={{ version: String(each.version) }}
                        activeProps={{
                          'aria-current': each.version === shown.version ? 'true' : undefined,
                        }}
                      >
                        Version {each.version}
                      </Link>
                      <br />
                      <time dateTime={each.created_at}>{formatMoment(each.created_at)}</time>
                    </li>
                  ))}
                </ol>
              </nav>
            </div>
          );
        }}
      </Shown>
    </Page>
  );
}
