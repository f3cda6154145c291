// @vitest-environment happy-dom
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { loadTextPart } from '../../../../src/ui/i18n/index.ts';
import { PriceSettings } from '../../../../src/ui/routes/personal/price-settings.tsx';
import { onCall, prepareConsole, Refusal, sent, show } from '../../support/render.tsx';

prepareConsole();
beforeAll(() => loadTextPart('personal'));

beforeEach(() => onCall('PUT /api/user/setting', () => undefined));

const stored = {
  notify_type: 'webhook',
  quota_warning_threshold: 7,
  webhook_url: 'https://a.example/',
  webhook_secret: 's',
};
const open = (setting: object | undefined) =>
  show(
    <PriceSettings
      setting={setting === undefined ? '' : JSON.stringify(setting)}
      onSaved={async () => {}}
    />,
    '/personal',
  );
const accept = () => screen.getByRole('switch', { name: 'Accept models without a price' });

describe('price settings', () => {
  it('says what a model without a price costs', () => {
    open(undefined);
    expect(document.body.textContent).toMatch(/ratio 37\.5: \$75\.00 per 1M input tokens/);
    expect((accept() as HTMLInputElement).checked).toBe(false);
  });

  it('saves at once and leaves the other settings as they are', async () => {
    open(stored);
    fireEvent.click(accept());
    await screen.findByText('Settings updated');
    expect(sent.at(-1)).toEqual({
      call: 'PUT /api/user/setting',
      body: { accept_unset_model_ratio_model: true },
    });
  });

  it('flips back when the server refuses', async () => {
    onCall('PUT /api/user/setting', () => {
      throw new Refusal('webhook_url_invalid', 'Invalid webhook URL');
    });
    open(stored);
    fireEvent.click(accept());
    await screen.findByText('Invalid webhook URL');
    await waitFor(() => expect((accept() as HTMLInputElement).checked).toBe(false));
  });
});
