import { Button, NativeSelect, Stack } from '@mantine/core';
import { IconCookieOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { settingsQuery } from '../../api/queries.ts';
import { Page } from '../../components/page.tsx';
import { Section } from '../../components/section.tsx';
import { EmptyState, QueryResult } from '../../components/states.tsx';
import { useUrlState } from '../../components/url-state.ts';
import { getLanguageName, listLanguages } from '../consent/banner-texts.ts';
import { DriftList } from './drift-list.tsx';
import { Embed, getPublicPage } from './embed.tsx';
import { Preview } from './preview.tsx';
import { declarationQuery } from './queries.ts';

const route = getRouteApi('/app/declaration');

/** The declaration of cookies and third parties for visitors, and where it differs from the data map. */
export function DeclarationScreen() {
  const { language } = route.useSearch();
  const setUrlState = useUrlState();
  const declaration = useQuery(declarationQuery(language));
  const settings = useQuery(settingsQuery);
  return (
    <Page
      title="Declaration"
      intro="Tells visitors which vendors, cookies and storage your site uses, from the latest scan and the data map."
      actions={
        <Button component="a" variant="default" href={getPublicPage(language)} target="_blank">
          Open public page
        </Button>
      }
    >
      <Stack>
        <DriftList />
        {declaration.data && <Embed language={language} linkText={declaration.data.labels.title} />}
        <Section title="Preview">
          {settings.data && (
            <NativeSelect
              label="Language"
              maw="16rem"
              value={language ?? ''}
              data={listLanguages(settings.data.consent).map((code, index) => ({
                value: index === 0 ? '' : code,
                label: getLanguageName(code),
              }))}
              onChange={({ currentTarget: { value } }) =>
                setUrlState({ language: value || undefined })
              }
            />
          )}
          <QueryResult query={declaration} lines={10}>
            {(found) =>
              found.scanned_at === null ? (
                <EmptyState icon={IconCookieOff} title="Not scanned yet">
                  The declaration lists what the first scan finds.
                </EmptyState>
              ) : (
                <Preview declaration={found} />
              )
            }
          </QueryResult>
        </Section>
      </Stack>
    </Page>
  );
}
