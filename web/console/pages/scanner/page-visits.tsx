import { Drawer, SimpleGrid, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getPath } from '../../components/format.ts';
import { QueryResult } from '../../components/states.tsx';
import { CHOICES, describeOutcome } from './outcomes.ts';
import { visitsQuery } from './queries.ts';
import { sortStates } from './states.ts';
import { VisitPicture } from './visit-picture.tsx';

/** The visits of one page in all states, with their pictures. */
export function PageVisits({
  scanId,
  url,
  onClose,
}: {
  scanId: number;
  /** The drawer is closed without one. */
  url: string | undefined;
  onClose: () => void;
}) {
  return (
    <Drawer
      opened={url !== undefined}
      onClose={onClose}
      position="right"
      size="58rem"
      title={url && `Visits of ${getPath(url)}`}
    >
      {url && <Visits scanId={scanId} url={url} />}
    </Drawer>
  );
}

function Visits({ scanId, url }: { scanId: number; url: string }) {
  const visits = useQuery(visitsQuery(String(scanId), url));
  return (
    <QueryResult query={visits} lines={8}>
      {(all) => (
        <SimpleGrid component="ul" role="list" className="plain" cols={{ base: 1, sm: 2 }}>
          {sortStates(all.map(({ state }) => state)).map((state) => {
            const visit = all.find((each) => each.state === state);
            return (
              visit && (
                <li key={state}>
                  <Title order={3}>{CHOICES[state]}</Title>
                  <Text size="sm" c="dimmed" mb="xs" className="break">
                    {describeOutcome(visit)}
                  </Text>
                  {visit.has_picture ? (
                    <VisitPicture visit={visit} alt={`The page: ${CHOICES[state]}`} />
                  ) : (
                    <Text size="sm">No picture</Text>
                  )}
                </li>
              )
            );
          })}
        </SimpleGrid>
      )}
    </QueryResult>
  );
}
