import { Box, Button, Card, Group, NativeSelect, Text } from '@mantine/core';
import { useDebouncedValue, useElementSize } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { ConsentSettings, ShownAppearance } from '../../api/types.ts';
import { useCan } from '../../components/access.tsx';
import { getLanguageName, listLanguages } from './banner-texts.ts';
import { PAGE, prepare, type Shown, showBanner } from './preview-frame.ts';
import { type Appearance, appearanceQuery } from './studio/appearance.ts';
import { sitePageQuery } from './studio/site-page.ts';

/** In pixels of the page that is shown. */
const SCREENS = {
  desktop: { width: 1024, height: 720 },
  phone: { width: 360, height: 640 },
} as const;
const SETTLED_MS = 150;

/** The banner as visitors see it, with settings that are not saved yet. */
export function BannerPreview({
  consent,
  language,
  onLanguage,
}: {
  consent: ConsentSettings;
  language: string;
  onLanguage: (language: string) => void;
}) {
  const [screen, setScreen] = useState<keyof typeof SCREENS>(() =>
    matchMedia('(max-width: 48rem)').matches ? 'phone' : 'desktop',
  );
  const [layer, setLayer] = useState<Shown['layer']>('first');
  const [theme, setTheme] = useState<Shown['theme']>('light');
  const [background, setBackground] = useState<'site' | 'sample'>('site');
  const languages = listLanguages(consent);
  const canScan = useCan('read_privacy');
  const site = useQuery({ ...sitePageQuery, enabled: canScan }).data ?? {};
  const shownAppearance = useShownAppearance(consent, site.url);
  return (
    <Card component="section" padding="sm" aria-label="Preview of the banner">
      <Group gap={6} mb="sm">
        <Switcher
          label="Layer"
          options={{ first: 'First layer', preferences: 'Preferences' }}
          value={layer}
          onChange={setLayer}
        />
        <Switcher
          label="Screen"
          options={{ desktop: 'Desktop', phone: 'Phone' }}
          value={screen}
          onChange={setScreen}
        />
        <Switcher
          label="Colours"
          options={{ light: 'Light', dark: 'Dark' }}
          value={theme}
          onChange={setTheme}
        />
        {site.picture && (
          <Switcher
            label="Page"
            options={{ site: 'Your page', sample: 'Sample' }}
            value={background}
            onChange={setBackground}
          />
        )}
        {languages.length > 1 && (
          <NativeSelect
            size="xs"
            aria-label="Language of the preview"
            value={language}
            data={languages.map((tag) => ({ value: tag, label: getLanguageName(tag) }))}
            onChange={({ currentTarget }) => onLanguage(currentTarget.value)}
          />
        )}
      </Group>
      <Card.Section>
        {shownAppearance && (
          <Frame
            screen={screen}
            shown={{
              ...{ consent, language, theme, layer },
              appearance: shownAppearance,
              picture: background === 'site' ? site.picture : undefined,
            }}
          />
        )}
      </Card.Section>
      {canScan && !site.picture && (
        <Text mt="sm" size="sm" c="dimmed">
          To see the banner on your own page, scan your site with the state “rejected”.
        </Text>
      )}
      {!consent.enabled && (
        <Text mt="sm">The banner is off. Resources that need consent stay blocked.</Text>
      )}
    </Card>
  );
}

/** What the banner needs to know of the appearance; undefined until the server has said so. */
function useShownAppearance(
  consent: ConsentSettings,
  site: string | undefined,
): ShownAppearance | undefined {
  // Versions from before this setting do not have it.
  const { appearance }: Partial<ConsentSettings> = consent;
  const [settled] = useDebouncedValue(appearance, SETTLED_MS);
  const checked = useQuery({
    ...appearanceQuery(withAbsoluteLogo(settled as Appearance, site)),
    enabled: settled !== undefined,
  });
  return appearance === undefined || checked.isError ? {} : checked.data?.shown;
}

/** The page of the preview has no address from which a path could start. */
function withAbsoluteLogo(appearance: Appearance, site: string | undefined): Appearance {
  const logo = appearance?.logo;
  if (!logo) return appearance;
  const url = URL.parse(logo.url, site ?? location.href)?.href ?? logo.url;
  return { ...appearance, logo: { ...logo, url } };
}

function Frame({ screen, shown }: { screen: keyof typeof SCREENS; shown: Shown }) {
  const place = useElementSize();
  const frame = useRef<HTMLIFrameElement>(null);
  const turn = useRef<Promise<void>>(Promise.resolve());
  const [isReady, setIsReady] = useState(0);
  const [settled] = useDebouncedValue(JSON.stringify(shown), SETTLED_MS);
  const { width, height } = SCREENS[screen];
  const scale = Math.min(1, place.width / width);
  useEffect(() => {
    const page = frame.current;
    if (!isReady || !page) return;
    turn.current = turn.current.then(() => showBanner(page, JSON.parse(settled)));
  }, [isReady, settled]);
  return (
    <Box
      className="preview-place"
      ref={place.ref}
      h={height * scale}
      bg="var(--neutral-wash)"
      style={{ overflow: 'hidden' }}
    >
      <iframe
        ref={frame}
        title="A page with the banner"
        srcDoc={PAGE}
        width={width}
        height={height}
        style={{
          display: 'block',
          border: 0,
          transform: `scale(${scale})`,
          transformOrigin: '0 0',
          marginInlineStart: (place.width - width * scale) / 2,
        }}
        onLoad={({ currentTarget }) => {
          prepare(currentTarget);
          turn.current = Promise.resolve();
          setIsReady((times) => times + 1);
        }}
      />
    </Box>
  );
}

function Switcher<T extends string>({
  label,
  options,
  value,
  onChange,
}: {
  label: string;
  options: Record<T, ReactNode>;
  value: T;
  onChange: (value: T) => void;
}) {
  return (
    <Button.Group aria-label={label} style={{ flexWrap: 'wrap' }}>
      {(Object.keys(options) as T[]).map((each) => (
        <Button
          key={each}
          size="xs"
          px={8}
          variant={each === value ? 'light' : 'default'}
          aria-pressed={each === value}
          onClick={() => onChange(each)}
        >
          {options[each]}
        </Button>
      ))}
    </Button.Group>
  );
}
