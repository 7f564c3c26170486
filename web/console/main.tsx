import './mantine-styles.ts';
import './console.css';
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { createRoot } from 'react-dom/client';
import { queryClient } from './api/queries.ts';
import { provideClipboard } from './components/clipboard.ts';
import { focusFirstErrorOnSubmit, restoreLostFocus } from './components/focus.ts';
import { AUTO_CLOSE_MS } from './components/notify.ts';
import { router } from './router.tsx';
import { cssVariables, theme } from './theme.ts';

// Mantine writes style elements into the page; the content security policy admits those with the page's nonce.
const styleNonce = document.querySelector<HTMLMetaElement>('meta[name=pavis-style]')?.nonce ?? '';
Object.assign(globalThis, { __webpack_nonce__: styleNonce });

const place = document.getElementById('console');
if (place) {
  provideClipboard();
  restoreLostFocus();
  focusFirstErrorOnSubmit();
  createRoot(place).render(
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      cssVariablesResolver={cssVariables}
      getStyleNonce={() => styleNonce}
    >
      <QueryClientProvider client={queryClient}>
        <Notifications position="bottom-right" autoClose={AUTO_CLOSE_MS} />
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>,
  );
}
