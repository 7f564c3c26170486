import { Card, Stack, Text, Title } from '@mantine/core';
import { LinkButton } from '../../components/link-button.tsx';
import { Fixed } from './environment.tsx';

/** A link to the page of the allowed origins. */
export const OriginsCard = ({ allowed }: { allowed: readonly string[] }) => (
  <Card component="section" maw="44rem" aria-labelledby="origins">
    <Stack>
      <Title order={2} id="origins" tabIndex={-1}>
        Allowed origins
      </Title>
      <Text c="dimmed">
        Pages of these origins may show the banner and record consent. Scheme, host and port, for
        example https://shop.example.com. Up to 100. Default: none beside those of the environment.
      </Text>
      {allowed.length > 0 ? (
        <ul>
          {allowed.map((origin) => (
            <li className="break" key={origin}>
              {origin}
            </li>
          ))}
        </ul>
      ) : (
        <Text>No origins added.</Text>
      )}
      <Fixed names={['PAVIS_ALLOWED_ORIGINS']} />
      <div>
        <LinkButton variant="default" to="/banner/origins">
          Edit allowed origins
        </LinkButton>
      </div>
    </Stack>
  </Card>
);
