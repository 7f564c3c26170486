import {
  Anchor,
  Button,
  Image,
  Modal,
  SimpleGrid,
  Stack,
  Text,
  UnstyledButton,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { getDownloadUrl } from '../../api/downloads.ts';
import type { BannerPicture, ConsentRecord } from '../../api/types.ts';
import { Facts } from '../../components/facts.tsx';
import { formatMoment } from '../../components/format.ts';
import { QueryResult } from '../../components/states.tsx';
import { getLanguageName } from './banner-texts.ts';
import { picturesQuery } from './queries.ts';

const LAYERS = { banner: 'Banner', preferences: 'Preferences' };

const getName = ({ layer, viewport, scheme }: BannerPicture): string =>
  `${LAYERS[layer]}, ${viewport}, ${scheme}`;
const getImageUrl = ({ id }: BannerPicture): string =>
  getDownloadUrl(`/consent/banner/pictures/${id}`);

/** The pictures of a banner version in a language, each of which opens in full. */
export function BannerPictures({
  version,
  language,
}: {
  version: number;
  language: string | undefined;
}) {
  const pictures = useQuery(picturesQuery(version, language));
  const [shown, setShown] = useState<BannerPicture>();
  return (
    <QueryResult query={pictures} lines={3}>
      {({ pictures: taken, message }) => (
        <>
          {taken.length === 0 ? (
            <Text c="dimmed">{message}</Text>
          ) : (
            <SimpleGrid cols={{ base: 2, sm: 4 }}>
              {taken.map((picture) => (
                <UnstyledButton key={picture.id} onClick={() => setShown(picture)}>
                  <Image
                    src={getImageUrl(picture)}
                    alt=""
                    h={140}
                    fit="contain"
                    loading="lazy"
                    bd="1px solid var(--mantine-color-default-border)"
                  />
                  <Text size="sm" mt={4}>
                    {getName(picture)}
                  </Text>
                </UnstyledButton>
              ))}
            </SimpleGrid>
          )}
          <Modal
            opened={shown !== undefined}
            onClose={() => setShown(undefined)}
            size="xl"
            title={shown && getName(shown)}
          >
            {shown && <FullPicture picture={shown} />}
          </Modal>
        </>
      )}
    </QueryResult>
  );
}

function FullPicture({ picture }: { picture: BannerPicture }) {
  const { version, language, sha256, build_hash, taken_at } = picture;
  const mono = (text: string) => <span className="mono">{text}</span>;
  return (
    <Stack>
      <Image
        src={getImageUrl(picture)}
        alt={`${getName(picture)}: version ${version} in ${getLanguageName(language)}`}
        mah="70vh"
        fit="contain"
      />
      <Facts
        items={[
          ['Taken', formatMoment(taken_at)],
          ['SHA-256 of the picture', mono(sha256)],
          ['SHA-256 of banner.js', mono(build_hash)],
        ]}
      />
      <Anchor href={getImageUrl(picture)} target="_blank" rel="noreferrer">
        Open in full size
      </Anchor>
    </Stack>
  );
}

/** Opens the pictures of what the visitor of a consent record saw; nothing if there are none. */
export function ShownBanner({ record }: { record: ConsentRecord }) {
  const [isOpen, { open, close }] = useDisclosure(false);
  const { banner_pictures: url, config_version: version } = record;
  if (url === null || version === null) return null;
  return (
    <>
      <Button
        variant="subtle"
        size="compact-sm"
        style={{ justifySelf: 'start' }}
        aria-label={`Show banner of record ${record.id}`}
        onClick={open}
      >
        Show banner
      </Button>
      <Modal opened={isOpen} onClose={close} size="xl" title={`Banner version ${version}`}>
        <BannerPictures
          version={version}
          language={new URL(url).searchParams.get('language') ?? undefined}
        />
      </Modal>
    </>
  );
}
