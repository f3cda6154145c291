// @vitest-environment happy-dom
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { TokenEntity } from '../../../../src/core/contract/entities.ts';
import { TokenDrawer } from '../../../../src/ui/routes/token/token-drawer.tsx';
import { onCall, prepareConsole, Refusal, sent, show } from '../../support/render.tsx';

prepareConsole();

const token: TokenEntity = {
  id: 7,
  user_id: 1,
  name: 'production',
  key: 'k'.repeat(48),
  status: 1,
  remain_quota: 500_000,
  used_quota: 0,
  unlimited_quota: false,
  created_time: 1,
  accessed_time: 1,
  expired_time: -1,
  model_limits_enabled: false,
  model_limits: '',
  allow_ips: '',
  group: '',
};

const onClose = vi.fn();
const onCreated = vi.fn();
const write = (name: string, text: string) =>
  fireEvent.change(screen.getByRole('textbox', { name }), { target: { value: text } });
const save = (name = 'Save') => fireEvent.click(screen.getByRole('button', { name }));
const writes = () => sent.filter(({ call }) => !call.startsWith('GET'));

beforeEach(() => {
  onClose.mockClear();
  onCreated.mockClear();
  onCall('GET /api/user/self/groups', () => ({ vip: { ratio: 2, desc: 'VIP' } }));
  onCall('GET /api/user/models', () => ['gpt-4o']);
  onCall('GET /api/token/7', () => token);
});
const open = (edited: TokenEntity | null) =>
  show(<TokenDrawer token={edited} onClose={onClose} onCreated={onCreated} />);

describe('editing a token', () => {
  it('lists what changed and sends only that', async () => {
    open(token);
    await screen.findByRole('heading', { name: 'Edit token' });
    expect(screen.getByRole('status').textContent).toBe('No changes');
    write('Name', 'staging');
    fireEvent.click(screen.getByRole('switch', { name: 'Unlimited quota' }));
    expect(screen.getByRole('status').textContent).toBe(
      '2 changes: Name production → staging; Unlimited quota',
    );
    save();
    await waitFor(() => expect(onClose).toHaveBeenCalled());
    expect(writes()).toEqual([
      { call: 'PUT /api/token/', body: { id: 7, name: 'staging', unlimited_quota: true } },
    ]);
  });

  it('picks whole quota where a unit is none', async () => {
    onCall('GET /api/status', () => ({
      quota_per_unit: 333_333.333333,
      display_in_currency: true,
      setup: true,
    }));
    open(token);
    fireEvent.click(await screen.findByRole('button', { name: '$10' }));
    save();
    await waitFor(() => expect(onClose).toHaveBeenCalled());
    expect(writes()).toEqual([
      { call: 'PUT /api/token/', body: { id: 7, remain_quota: 3_333_333 } },
    ]);
  });

  it('sends nothing while something is wrong, and says what', async () => {
    open(token);
    await screen.findByRole('heading', { name: 'Edit token' });
    write('Name', 'x'.repeat(51));
    save();
    await screen.findByText('No more than 50 characters');
    expect(writes()).toEqual([]);
  });

  it('shows a refusal of the server at its field and stays open', async () => {
    onCall('PUT /api/token/', () => {
      throw new Refusal('allow_ips_invalid', 'not an address: nowhere');
    });
    open(token);
    await screen.findByRole('heading', { name: 'Edit token' });
    write('IP allow list', 'nowhere');
    save();
    const field = screen.getByRole('textbox', { name: 'IP allow list' });
    await waitFor(() => expect(field.getAttribute('aria-invalid')).toBe('true'));
    within(screen.getByRole('dialog')).getByText('not an address: nowhere');
    expect(onClose).not.toHaveBeenCalled();
  });

  it('asks before changes are thrown away', async () => {
    open(token);
    await screen.findByRole('heading', { name: 'Edit token' });
    write('Name', 'staging');
    fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    const question = await screen.findByRole('alertdialog');
    expect(onClose).not.toHaveBeenCalled();
    fireEvent.click(within(question).getByRole('button', { name: 'Discard changes' }));
    expect(onClose).toHaveBeenCalled();
  });
});

describe('creating tokens', () => {
  it('creates several with one call', async () => {
    onCall('POST /api/turnpike/token/batch', () => [token]);
    open(null);
    await screen.findByRole('heading', { name: 'New token' });
    write('Name', 'batch');
    write('How many', '3');
    save('New token');
    await waitFor(() => expect(onCreated).toHaveBeenCalledWith([token]));
    expect(writes()).toEqual([
      {
        call: 'POST /api/turnpike/token/batch',
        body: {
          name: 'batch',
          count: 3,
          remain_quota: 500_000,
          unlimited_quota: false,
          expired_time: -1,
          group: '',
          model_limits_enabled: false,
          model_limits: '',
          allow_ips: '',
        },
      },
    ]);
  });
});
