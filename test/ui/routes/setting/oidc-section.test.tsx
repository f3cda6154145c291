// @vitest-environment happy-dom
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SettingScreen } from '../../../../src/ui/routes/setting/index.tsx';
import { onCall, prepareConsole, prepareUser, sent, show } from '../../support/render.tsx';

prepareConsole();
prepareUser(100);
beforeAll(async () => {
  await import('../../../../src/ui/form/option-problem.ts');
});

const found = {
  issuer: 'https://id.example',
  authorization_endpoint: 'https://id.example/authorize',
  token_endpoint: 'https://id.example/token',
  userinfo_endpoint: 'https://id.example/userinfo',
};
const fieldOf = (key: string) =>
  document.querySelector<HTMLInputElement>(`[id="${key}"] input`) as HTMLInputElement;
const asked = () => sent.filter(({ call }) => call === 'POST /api/option/oidc_discovery');

describe('OIDC discovery', () => {
  beforeEach(() => {
    onCall('GET /api/option/', () => []);
    onCall('POST /api/option/oidc_discovery', () => found);
  });
  const open = async () => {
    show(<SettingScreen />, '/setting#oidc.well_known');
    return screen.findByRole('button', { name: 'Read the endpoints' });
  };

  it('fills the endpoints into the form, to be saved with it', async () => {
    const button = (await open()) as HTMLButtonElement;
    expect(button.disabled).toBe(true);
    fireEvent.change(fieldOf('oidc.well_known'), {
      target: { value: 'https://id.example/.well-known/openid-configuration' },
    });
    fireEvent.click(button);
    await waitFor(() =>
      expect(fieldOf('oidc.user_info_endpoint').value).toBe(found.userinfo_endpoint),
    );
    expect(fieldOf('oidc.authorization_endpoint').value).toBe(found.authorization_endpoint);
    expect(fieldOf('oidc.token_endpoint').value).toBe(found.token_endpoint);
    expect(asked()[0]?.body).toEqual({
      well_known: 'https://id.example/.well-known/openid-configuration',
    });
    expect(sent.some(({ call }) => call.startsWith('PUT'))).toBe(false);
  });

  it('leaves the form as it is when another address was typed before the reply', async () => {
    const reply = Promise.withResolvers<typeof found>();
    onCall('POST /api/option/oidc_discovery', () => reply.promise);
    const button = (await open()) as HTMLButtonElement;
    const type = (value: string) =>
      fireEvent.change(fieldOf('oidc.well_known'), { target: { value } });
    type('https://id.example/.well-known/openid-configuration');
    fireEvent.click(button);
    await waitFor(() => expect(asked()).toHaveLength(1));
    type('https://other.example/.well-known/openid-configuration');
    reply.resolve(found);
    await waitFor(() => expect(button.dataset['loading']).toBeUndefined());
    expect(fieldOf('oidc.token_endpoint').value).toBe('');
  });

  it('refuses what is no http address before anything is sent', async () => {
    const button = await open();
    fireEvent.change(fieldOf('oidc.well_known'), { target: { value: 'id.example' } });
    fireEvent.click(button);
    await screen.findByText('The discovery URL must start with http:// or https://');
    expect(asked()).toEqual([]);
  });
});
