// @vitest-environment happy-dom
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { TokenEntity } from '../../../../src/core/contract/entities.ts';
import { storeUser } from '../../../../src/ui/client/session.ts';
import { BaseUrl } from '../../../../src/ui/routes/detail/base-url.tsx';
import { TokenTicket } from '../../../../src/ui/routes/token/token-ticket.tsx';
import { onCall, prepareConsole, show } from '../../support/render.tsx';

prepareConsole();

const token = {
  id: 1,
  name: 'production',
  key: 'k'.repeat(48),
  model_limits_enabled: false,
  model_limits: '',
} as TokenEntity;
const copied = vi.fn(async (_text: string) => {});

const code = () =>
  within(screen.getByRole('region', { name: 'Example request' })).getByText(/"?model/, {
    selector: 'pre',
  });

beforeEach(() => {
  copied.mockClear();
  vi.stubGlobal('navigator', { ...window.navigator, clipboard: { writeText: copied } });
  storeUser({
    id: 1,
    role: 1,
    status: 1,
    username: 'a',
    display_name: '',
    nickname: '',
    portrait: '',
    group: 'default',
  });
  onCall('GET /api/turnpike/overview', () => ({ base_url: 'https://ai.example.com' }));
  onCall('GET /api/user/models', () => ['claude-sonnet-4-5', 'gpt-4o']);
});

describe('the ticket of a new token', () => {
  it('copies a sample call for the kind of client and language, with the key, the address and a model of the site', async () => {
    show(<TokenTicket tokens={[token]} onClose={() => {}} />);
    fireEvent.click(await screen.findByRole('radio', { name: 'Anthropic' }));
    fireEvent.click(screen.getByRole('radio', { name: 'Python' }));
    await waitFor(() => expect(code().textContent).toContain('claude-sonnet'));
    fireEvent.click(screen.getByRole('button', { name: 'Copy the example request' }));
    const [text] = copied.mock.calls[0] ?? [];
    expect(text).toContain('from anthropic import Anthropic');
    expect(text).toContain('base_url="https://ai.example.com"');
    expect(text).toContain(`api_key="sk-${token.key}"`);
    expect(text).toContain('model="claude-sonnet-4-5"');
  });

  it('uses only models that the token may call', async () => {
    show(
      <TokenTicket
        tokens={[{ ...token, model_limits_enabled: true, model_limits: 'qwen-max' }]}
        onClose={() => {}}
      />,
    );
    await screen.findByRole('region', { name: 'Example request' });
    expect(code().textContent).toContain('"model":"qwen-max"');
  });

  it('copies the base URL with /v1 for OpenAI clients', async () => {
    show(<TokenTicket tokens={[token]} onClose={() => {}} />);
    fireEvent.click(
      await screen.findByRole('button', { name: 'Copy the base URL for OpenAI clients' }),
    );
    expect(copied).toHaveBeenCalledWith('https://ai.example.com/v1');
  });
});

describe('the base URL on the dashboard', () => {
  it.each([
    ['OpenAI', 'https://ai.example.com/v1'],
    ['Anthropic', 'https://ai.example.com'],
    ['Gemini', 'https://ai.example.com'],
  ])('is copied for %s clients as %s', (client, url) => {
    show(<BaseUrl url="https://ai.example.com" />);
    fireEvent.click(
      screen.getByRole('button', { name: `Copy the base URL for ${client} clients` }),
    );
    expect(copied).toHaveBeenCalledWith(url);
  });
});
