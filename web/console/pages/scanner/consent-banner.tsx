import { List, Stack, Text } from '@mantine/core';
import { IconCircleCheck, IconCookieOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ScanResults, Visit } from '../../api/types.ts';
import { Facts } from '../../components/facts.tsx';
import { formatCount, formatNumber, formatShare, getPath } from '../../components/format.ts';
import { Item, ItemList } from '../../components/item-list.tsx';
import { Section } from '../../components/section.tsx';
import { EmptyState, QueryResult } from '../../components/states.tsx';
import { ConsentSignals } from './consent-signals.tsx';
import { CHOICES, describeOutcomes } from './outcomes.ts';
import { visitsQuery } from './queries.ts';
import { sortStates } from './states.ts';
import { VisitPicture } from './visit-picture.tsx';

type Banner = NonNullable<Visit['banner']>;

/** The consent banner of the site as the scan met it: its shortcomings, its picture, and what its choices did. */
export function ConsentBanner({ results }: { results: ScanResults }) {
  const visits = useQuery(visitsQuery(String(results.scan_id)));
  return (
    <QueryResult query={visits} lines={8}>
      {(all) =>
        all.length === 0 ? (
          <EmptyState icon={IconCookieOff} title="Not checked">
            Only scans with a browser check the consent banner.
          </EmptyState>
        ) : (
          <Stack>
            <Shortcomings results={results} />
            <div className="wide-narrow">
              <MeasuredBanner visits={all} />
              <Choices visits={all} />
            </div>
            <ConsentSignals visits={all} />
          </Stack>
        )
      }
    </QueryResult>
  );
}

function Shortcomings({ results: { shortcomings, pages } }: { results: ScanResults }) {
  if (shortcomings.length === 0) {
    return (
      <EmptyState icon={IconCircleCheck} title="No shortcomings found">
        The scan measures clicks, buttons, ticked boxes and consent signals. It does not read the
        texts of the banner.
      </EmptyState>
    );
  }
  return (
    <Section title={`Shortcomings (${formatNumber(shortcomings.length)})`}>
      <ItemList label="Shortcomings">
        {shortcomings.map(({ code, title, explanation, source, pages: count, page_urls }) => (
          <Item key={`${code} ${explanation}`} title={title} text={explanation}>
            <Text size="xs" c="dimmed">
              Source: {source}
            </Text>
            <details open={count === 1}>
              <Text component="summary" size="sm" py={{ base: 'sm', md: 0 }}>
                On {formatNumber(count)} of {formatCount(pages, 'page')}
              </Text>
              <List size="sm" className="break">
                {page_urls.map((url) => (
                  <List.Item key={url}>{getPath(url)}</List.Item>
                ))}
                {count > page_urls.length && (
                  <List.Item>and {formatNumber(count - page_urls.length)} more</List.Item>
                )}
              </List>
            </details>
          </Item>
        ))}
      </ItemList>
    </Section>
  );
}

const formatClicks = (clicks: number | null): string =>
  clicks === null ? 'No way found' : formatCount(clicks, 'click');

/** Of the first page that has a banner, if possible one with a picture. */
function MeasuredBanner({ visits }: { visits: readonly Visit[] }) {
  const measured = visits.filter(({ banner }) => banner);
  const visit = measured.find(({ has_picture }) => has_picture) ?? measured[0];
  const banner = visit?.banner;
  if (!visit || !banner) {
    return (
      <Section title="Banner">
        <Text c="dimmed">No consent banner was found before a choice.</Text>
      </Section>
    );
  }
  return (
    <Section title={`Banner on ${getPath(visit.page_url)}`}>
      {visit.has_picture ? (
        <VisitPicture visit={visit} isMarked alt={describeBanner(banner)} />
      ) : (
        <Text size="sm">No picture</Text>
      )}
      <Facts
        items={[
          ['Accept all', formatClicks(banner.clicks_to_accept)],
          ['Reject all', formatClicks(banner.clicks_to_reject)],
          ['Ticked in advance', banner.pre_ticked.join(', ') || 'Nothing'],
          ['Covers', banner.coverage > 0 && `${formatShare(banner.coverage)} of the window`],
          ['Before a choice', banner.blocks_page ? 'The page is blocked' : 'The page is usable'],
        ]}
      />
    </Section>
  );
}

const describeBanner = ({ controls }: Banner): string =>
  `Picture of the banner. Its buttons: ${
    controls
      .filter(({ layer }) => layer === 1)
      .map(({ label }) => label)
      .join(', ') || 'none'
  }.`;

function Choices({ visits }: { visits: readonly Visit[] }) {
  const byState = Map.groupBy(visits, ({ state }) => state);
  return (
    <Section title="Choices">
      <ItemList label="Choices">
        {sortStates([...byState.keys()]).map((state) => (
          <Item
            key={state}
            title={CHOICES[state]}
            text={describeOutcomes(state, byState.get(state) ?? [])}
          />
        ))}
      </ItemList>
    </Section>
  );
}
