import { Box, Center } from '@mantine/core';
import type { ReactNode } from 'react';

/** A page without navigation, in the middle of the screen. */
export const SignInLayout = ({ children }: { children: ReactNode }) => (
  <Center mih="100vh" p="lg">
    <Box component="main" w="min(26rem, 100%)">
      {children}
    </Box>
  </Center>
);
