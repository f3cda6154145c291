import './theme/components.css';
import '@mantine/notifications/styles.css';
import './theme/fonts.css';
import './theme/tokens.css';
import './theme/mantine.css';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router';
import { setRouter } from './browser/router-handle.ts';
import { queryClient } from './client/query-client.ts';
import { answerStepUps } from './client/step-up.ts';
import { DialogHost } from './components/dialog-host.tsx';
import { startTexts } from './i18n/index.ts';
import { createConsoleRouter } from './router.tsx';
import { FloatingPlace } from './shell/floating-place.tsx';
import { Toasts } from './shell/toasts.tsx';
import { colorSchemeManager, cssVariablesResolver, theme } from './theme/theme.ts';

async function start(place: HTMLElement): Promise<void> {
  await startTexts();
  const router = createConsoleRouter();
  setRouter(router);
  // Before a form can be submitted, something in it has the focus.
  const follow = () => void import('./browser/submitted-form.ts').catch(() => undefined);
  document.addEventListener('focusin', follow, { once: true });
  answerStepUps(async () =>
    (await import('./components/second-factor/confirm-identity.tsx')).confirmIdentity(),
  );
  createRoot(place).render(
    <StrictMode>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={cssVariablesResolver}
        colorSchemeManager={colorSchemeManager}
        defaultColorScheme="auto"
      >
        <QueryClientProvider client={queryClient}>
          <Toasts />
          <RouterProvider router={router} />
          <DialogHost />
          <FloatingPlace />
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  );
}

const place = document.getElementById('root');
if (place !== null) void start(place);
