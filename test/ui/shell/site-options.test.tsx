// @vitest-environment happy-dom
/** What options of the site, as the server status carries them, do to the frame of every page. */
import { cleanup, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { optionDefinition } from '../../../src/core/options/index.ts';
import { SiteName } from '../../../src/ui/components/site-name.tsx';
import { useRefetchInterval } from '../../../src/ui/routes/detail/use-usage.ts';
import { Shell } from '../../../src/ui/shell/shell.tsx';
import { TopBar } from '../../../src/ui/shell/top-bar.tsx';
import { onCall, prepareConsole, show } from '../support/render.tsx';

prepareConsole();
beforeEach(() => {
  for (const key of ['status', 'default_collapse_sidebar', 'sidebar-collapsed', 'user'])
    window.localStorage.removeItem(key);
});

/** The site's status with this value of the option, under its name in the status. */
function siteWith(
  key: Parameters<typeof optionDefinition>[0],
  value: unknown,
  others: object = {},
): void {
  const { status } = optionDefinition(key);
  const base = {
    system_name: 'Turnpike',
    quota_per_unit: 500_000,
    display_in_currency: true,
    setup: true,
    ...others,
  };
  onCall('GET /api/status', () => ({ ...base, [status ?? '']: value }));
}

describe('general_setting.docs_link', () => {
  it('is a link in the top bar', async () => {
    siteWith('general_setting.docs_link', 'https://docs.example/start');
    show(<TopBar phone={false} onMenu={() => {}} />);
    expect((await screen.findByRole('link', { name: 'Docs' })).getAttribute('href')).toBe(
      'https://docs.example/start',
    );
  });

  it('empty: there is none', async () => {
    siteWith('general_setting.docs_link', '');
    show(<TopBar phone={false} onMenu={() => {}} />);
    await screen.findByRole('link', { name: 'Console' });
    expect(screen.queryByRole('link', { name: 'Docs' })).toBeNull();
  });
});

describe('DefaultCollapseSidebar', () => {
  it.each([
    [true, true],
    [false, false],
  ])('%s: where the reader has not chosen, the sidebar starts so', async (value, collapsed) => {
    window.localStorage.setItem(
      'user',
      JSON.stringify({ id: 1, username: 'ann', role: 1, group: 'default' }),
    );
    siteWith('DefaultCollapseSidebar', value);
    // Narrow windows start collapsed in any case.
    vi.spyOn(window, 'matchMedia').mockImplementation(
      (query) =>
        Object.assign(new EventTarget(), { matches: false, media: query }) as MediaQueryList,
    );
    // The page before has stored the status, as for a reader who comes back.
    show(<SiteName />);
    await waitFor(() =>
      expect(window.localStorage.getItem('default_collapse_sidebar')).toBe(String(value)),
    );
    cleanup();
    show(<Shell />);
    await waitFor(() => expect(document.querySelector('main')).not.toBeNull());
    expect(document.querySelector('[data-collapsed]') !== null).toBe(collapsed);
  });
});

describe('DataExportInterval', () => {
  function Interval() {
    return <p>every {useRefetchInterval()} ms</p>;
  }
  it('an open dashboard asks again after so many minutes', async () => {
    siteWith('DataExportInterval', 7);
    show(<Interval />);
    await screen.findByText('every 420000 ms');
  });
});

describe('SystemName and Logo', () => {
  it('are shown in place of the product’s', async () => {
    siteWith('Logo', 'https://img.example/logo.svg', { system_name: 'Toll & Co' });
    show(<SiteName />);
    await screen.findByText('Toll & Co');
    expect(document.querySelector('img')?.getAttribute('src')).toBe('https://img.example/logo.svg');
  });

  it('the default logo is the mark itself', async () => {
    siteWith('Logo', '/logo.png');
    show(<SiteName />);
    await screen.findByText('Turnpike');
    expect(document.querySelector('img')).toBeNull();
  });
});

describe('DemoSiteEnabled and SelfUseModeEnabled', () => {
  it.each([
    ['DemoSiteEnabled', 'Demo'],
    ['SelfUseModeEnabled', 'Self-use'],
  ] as const)('%s: a badge beside the name', async (key, badge) => {
    siteWith(key, true);
    show(<SiteName badges />);
    await screen.findByText(new RegExp(badge, 'i'));
  });
});
