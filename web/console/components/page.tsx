import { Anchor, Box, Group, Text, Title } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { createLink, type LinkProps } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';

/** A link within text or a card. */
export const TextLink = createLink(Anchor<'a'>);

/** Screen readers announce the first page after a load themselves. On later pages the heading gets the focus. */
let isFirst = true;

interface PageProps {
  title: string;
  intro?: ReactNode;
  /** The page one level up. */
  back?: { to: NonNullable<LinkProps['to']>; params?: Record<string, string>; label: string };
  actions?: ReactNode;
  children: ReactNode;
}

/** A page: its title, its actions and its content. */
export function Page({ title, intro, back, actions, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (!isFirst) heading.current?.focus();
    isFirst = false;
  }, []);
  useEffect(() => {
    document.title = `${title} · Pavis`;
  }, [title]);
  return (
    <>
      <Group justify="space-between" align="flex-end" mb="lg">
        <Box flex="1 1 20rem" miw={0}>
          {back && (
            <nav aria-label="Breadcrumb">
              <TextLink to={back.to} {...(back.params && { params: back.params })} size="sm">
                <IconArrowLeft size={14} aria-hidden /> {back.label}
              </TextLink>
            </nav>
          )}
          <Title order={1} ref={heading} tabIndex={-1}>
            {title}
          </Title>
          {intro && (
            <Text c="dimmed" mt={4} maw="42rem">
              {intro}
            </Text>
          )}
        </Box>
        {actions && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </>
  );
}
