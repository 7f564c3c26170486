import { Button, type ButtonProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, Ref } from 'react';
import { getRequiredCapability, useCan } from './access.tsx';

type Props = ButtonProps &
  Omit<AnchorHTMLAttributes<HTMLAnchorElement>, keyof ButtonProps> & {
    ref?: Ref<HTMLAnchorElement>;
  };

/** A link to another page that looks like a button, hidden from users who cannot open that page. */
export const LinkButton = createLink((props: Props) =>
  useCan(getRequiredCapability(props.href ?? '/')) ? <Button component="a" {...props} /> : null,
);
