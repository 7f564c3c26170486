import { NativeSelect } from '@mantine/core';
import { IconCookie } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { ConsentVersion } from '../../api/types.ts';
import { StatusBadge } from '../../components/badges.tsx';
import { formatCount, formatMoment } from '../../components/format.ts';
import { Page } from '../../components/page.tsx';
import { EmptyState, QueryResult } from '../../components/states.tsx';
import { useUrlState } from '../../components/table.tsx';
import { type Change, changesBetween, wordChanges } from './changes.ts';
import { BannerPreview } from './preview.tsx';
import { versionsQuery } from './queries.ts';
import { firstLanguage } from './wording.ts';

const route = getRouteApi('/app/banner/versions');

/** Every version of what visitors were asked, as it stood, and what it changed. */
export function Versions() {
  const { version } = route.useSearch();
  const versions = useQuery(versionsQuery);
  return (
    <Page
      title="Versions of the banner"
      intro="A record names the version under which it was made; none is ever changed."
      back={{ to: '/banner', label: 'Banner' }}
    >
      <QueryResult query={versions}>
        {(all) => {
          const shown = all.find((each) => String(each.version) === version) ?? all[0];
          if (!shown) {
            return (
              <EmptyState icon={IconCookie} title="Nothing was changed yet">
                Visitors are asked what Pavis came with, which records call version 0.
              </EmptyState>
            );
          }
          return (
            <div className="wide-narrow">
              <div className="stack">
                <Comparison key={shown.version} all={all} shown={shown} />
                <AsItStood key={`stood-${shown.version}`} all={all} shown={shown} />
              </div>
              <nav className="card" aria-label="Versions">
                <h2>All versions</h2>
                <ol className="timeline" reversed>
                  {all.map((each) => (
                    <li key={each.version}>
                      <Link
                        to="/banner/versions"
                        search={{ version: String(each.version) }}
                        activeProps={{}}
                        aria-current={each.version === shown.version ? 'true' : undefined}
                      >
                        Version {each.version}
                      </Link>{' '}
                      {askedAgain(all, each) && <StatusBadge tone="info">Asked again</StatusBadge>}
                      <br />
                      <time dateTime={each.created_at}>{formatMoment(each.created_at)}</time>
                    </li>
                  ))}
                </ol>
              </nav>
            </div>
          );
        }}
      </QueryResult>
    </Page>
  );
}

/** Whether visitors with a choice had to choose again; under the first version nobody had one. */
const askedAgain = (all: readonly ConsentVersion[], { version, asked_since }: ConsentVersion) =>
  asked_since === version && all.some((each) => each.version < version);

interface ShownVersion {
  /** Newest first. */
  all: readonly ConsentVersion[];
  shown: ConsentVersion;
}

function AsItStood({ all, shown }: ShownVersion) {
  const { version, created_at, hash, config, vendors, purposes, asked_since } = shown;
  const [language, setLanguage] = useState(firstLanguage(config));
  return (
    <section className="card stack">
      <h2 style={{ margin: 0 }}>Version {version} as it stood</h2>
      <dl className="facts">
        <dt>Since</dt>
        <dd>{formatMoment(created_at)}</dd>
        <dt>Visitors were asked again</dt>
        <dd>
          {asked_since < version
            ? `No. Choices made since version ${asked_since} stay valid.`
            : askedAgain(all, shown)
              ? 'Yes'
              : 'No. This is the first version.'}
        </dd>
        <dt>Vendors that need consent</dt>
        <dd className="break lines">{listed(vendors?.map(({ name }) => name))}</dd>
        <dt>Purposes that need consent</dt>
        <dd className="break lines">{listed(purposes)}</dd>
        <dt>SHA-256</dt>
        <dd className="mono">{hash}</dd>
      </dl>
      <BannerPreview consent={config} language={language} onLanguage={setLanguage} />
    </section>
  );
}

const listed = (items: readonly string[] | null | undefined): string =>
  items ? items.join('\n') || 'None' : 'Not recorded';

/** What a version changed, against the one before it or any other. */
function Comparison({ all, shown }: ShownVersion) {
  const change = useUrlState();
  const { with: chosen } = route.useSearch();
  const others = all.filter(({ version }) => version !== shown.version);
  const other =
    others.find(({ version }) => String(version) === chosen) ??
    others.find(({ version }) => version < shown.version);
  if (!other) {
    return (
      <section className="card">
        <h2>What version {shown.version} changed</h2>
        <p className="soft" style={{ margin: 0 }}>
          It is the first: there was nothing to change.
        </p>
      </section>
    );
  }
  const changes = changesBetween(other, shown);
  return (
    <section className="card stack">
      <div className="card-head wraps">
        <h2>What is different in version {shown.version}</h2>
        <NativeSelect
          label="Compared with"
          value={String(other.version)}
          data={others.map(({ version }) => ({
            value: String(version),
            label: `Version ${version}`,
          }))}
          onChange={({ currentTarget }) => change({ with: currentTarget.value })}
        />
      </div>
      <p className="soft small" role="status" style={{ margin: 0 }}>
        {formatCount(changes.length, 'difference')}
      </p>
      <dl className="changes">
        {changes.map((each) => (
          <div key={each.what}>
            <dt>{each.what}</dt>
            <dd className="lines">
              <Difference change={each} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Difference({ change: { before, after } }: { change: Change }) {
  return wordChanges(before, after).map(({ kind, text }, index) => {
    // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text have nothing but their place
    if (kind === 'gone') return <del key={index}>{text}</del>;
    // biome-ignore lint/suspicious/noArrayIndexKey: see above
    if (kind === 'new') return <ins key={index}>{text}</ins>;
    return text;
  });
}
