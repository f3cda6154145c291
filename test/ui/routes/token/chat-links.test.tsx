// @vitest-environment happy-dom
import { fireEvent, screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { defaultOptions } from '../../../../src/core/options/index.ts';
import { chatLinks } from '../../../../src/ui/browser/chat-links.ts';
import { TokenScreen } from '../../../../src/ui/routes/token/index.tsx';
import { onCall, prepareConsole, show, WholeBody } from '../../support/render.tsx';

prepareConsole();

describe('chat presets (Chats)', () => {
  const values = { key: 'sk-abc', address: 'https://gw.example' };

  it('get the key and the encoded address', () => {
    const links = chatLinks(defaultOptions().Chats, values);
    expect(links.map(({ name }) => name)).toEqual([
      'NextChat',
      'Lobe Chat',
      'AI as Workspace',
      'AMA',
      'OpenCat',
    ]);
    expect(links[0]?.href).toBe(
      'https://app.nextchat.dev/#/?settings={"key":"sk-abc","url":"https%3A%2F%2Fgw.example"}',
    );
    expect(links[3]?.href).toBe('ama://set-api-key?server=https%3A%2F%2Fgw.example&key=sk-abc');
  });

  it('never run code, even if the server sent such a link', () => {
    const presets = [
      { a: 'javascript:alert(1)' },
      { b: '\u0001 java\nscript:alert(1)' },
      { c: 'data:text/html,x' },
      { d: 'app://x' },
    ];
    expect(chatLinks(presets, values)).toEqual([{ name: 'd', href: 'app://x' }]);
  });
});

describe('the chat action of a token', () => {
  const token = {
    id: 7,
    name: 'laptop',
    key: 'k'.repeat(48),
    status: 1,
    expired_time: -1,
    unlimited_quota: true,
    remain_quota: 0,
    used_quota: 0,
    model_limits_enabled: false,
    model_limits: '',
    group: '',
    accessed_time: 1,
    created_time: 1,
  };
  const status = {
    system_name: 'Turnpike',
    quota_per_unit: 500_000,
    setup: true,
    server_address: 'https://gw.example/',
  };
  beforeEach(() => {
    onCall(
      'GET /api/token/',
      () => new WholeBody({ success: true, message: '', data: [token], total: 1 }),
    );
    onCall('GET /api/user/self/groups', () => ({}));
  });
  const openMenu = async () => {
    show(<TokenScreen />, '/token');
    fireEvent.click(
      (
        await screen.findAllByRole('button', { name: /More.*laptop|laptop.*more/i })
      )[0] as HTMLElement,
    );
    await screen.findByRole('menuitem', { name: 'Delete' });
  };

  it('offers the presets as links to other windows', async () => {
    onCall('GET /api/status', () => ({
      ...status,
      chats: [{ Client: 'https://chat.example/?k={key}&a={address}' }],
    }));
    await openMenu();
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Open in a chat client' }));
    const link = within(await screen.findByRole('dialog')).getByRole('link', { name: 'Client' });
    expect(link.getAttribute('href')).toBe(
      `https://chat.example/?k=sk-${token.key}&a=https%3A%2F%2Fgw.example`,
    );
    expect([link.getAttribute('target'), link.getAttribute('rel')]).toEqual([
      '_blank',
      'noopener noreferrer',
    ]);
  });

  it('says so when none of the presets is a link', async () => {
    onCall('GET /api/status', () => ({ ...status, chats: [{ Client: 'javascript:alert(1)' }] }));
    await openMenu();
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Open in a chat client' }));
    await screen.findByText('Chat link configuration error, contact the administrator');
  });

  it('is left out where the site has no presets', async () => {
    onCall('GET /api/status', () => ({ ...status, chats: [] }));
    await openMenu();
    expect(screen.queryByRole('menuitem', { name: 'Open in a chat client' })).toBeNull();
  });
});
