import './kit.css';
import './console.css';
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { createRoot } from 'react-dom/client';
import { queryClient } from './api/queries.ts';
import { router } from './router.tsx';
import { theme } from './theme.ts';

const place = document.getElementById('console');
if (place) {
  createRoot(place).render(
    <MantineProvider theme={theme} defaultColorScheme="auto">
      <QueryClientProvider client={queryClient}>
        <Notifications position="bottom-right" autoClose={6_000} />
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>,
  );
}
