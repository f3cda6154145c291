// Covers src/ui/routes/personal/notifications.
// @vitest-environment happy-dom
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { loadTextPart } from '../../../../src/ui/i18n/index.ts';
import { NotificationSettings } from '../../../../src/ui/routes/personal/notifications/notification-settings.tsx';
import { onCall, prepareConsole, Refusal, sent, show } from '../../support/render.tsx';

prepareConsole();
beforeAll(() => Promise.all([loadTextPart('personal'), loadTextPart('account')]));
beforeEach(() => onCall('PUT /api/user/setting', () => undefined));

const open = (setting: object = {}, email = '') =>
  show(
    <NotificationSettings
      self={{ username: 'ann', email, setting: JSON.stringify(setting) }}
      onSaved={async () => {}}
    />,
    '/personal',
  );
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
const write = (label: string, value: string) =>
  fireEvent.change(screen.getByRole('textbox', { name: label }), { target: { value } });

describe('notification settings', () => {
  it('suggest a threshold where none is set, and say which one applies until then', async () => {
    open();
    screen.getByText(/the site’s own threshold applies/);
    screen.getByText('= $1.00');
    press('Save');
    await screen.findByText('Settings updated');
    expect(sent.at(-1)?.body).toEqual({ quota_warning_threshold: 500_000 });
  });

  it('say where mail goes', () => {
    open({}, 'ann@example.org');
    screen.getByText('Leave empty to use ann@example.org');
  });

  it('send nothing when nothing has changed', async () => {
    open({ quota_warning_threshold: 7 });
    const before = sent.length;
    press('Save');
    await screen.findByText("You don't seem to have changed anything");
    expect(sent).toHaveLength(before);
  });

  it.each([
    ['Warn when the balance is below', '0', 'Enter an integer greater than 0'],
    ['Notification email', 'nowhere', 'Enter a valid email address'],
  ])('refuse a wrong %s', async (label, value, problem) => {
    open();
    const before = sent.length;
    write(label, value);
    press('Save');
    await screen.findByText(problem);
    expect(sent).toHaveLength(before);
  });

  it('show a refusal by the server at the address, and never the stored secret', async () => {
    onCall('PUT /api/user/setting', () => {
      throw new Refusal('webhook_url_invalid', 'The webhook URL must be a public https address');
    });
    open({
      notify_type: 'webhook',
      webhook_url: 'https://a.example/',
      has_webhook_secret: true,
      quota_warning_threshold: 7,
    });
    expect(((await screen.findByLabelText('Webhook secret')) as HTMLInputElement).value).toBe('');
    write('Webhook URL', 'https://10.0.0.1/');
    press('Save');
    await screen.findByText('The webhook URL must be a public https address');
    await waitFor(() =>
      expect(screen.queryByText('A public https address; notices are sent by POST')).toBeNull(),
    );
  });

  it('clear the stored secret and leave what is not saved alone', async () => {
    open({
      notify_type: 'webhook',
      webhook_url: 'https://a.example/',
      has_webhook_secret: true,
      quota_warning_threshold: 7,
    });
    await screen.findByLabelText('Webhook secret');
    write('Webhook URL', 'https://b.example/');
    fireEvent.click(await screen.findByRole('button', { name: 'Clear the secret' }));
    await screen.findByText('Secret cleared');
    expect(sent.at(-1)?.body).toEqual({ webhook_secret: '-' });
    screen.getByDisplayValue('https://b.example/');
  });

  it('show what another tab has saved, and save only what was typed here', async () => {
    let setting = { quota_warning_threshold: 7, notification_email: 'old@example.org' };
    let readAgain = () => {};
    function Page() {
      const [stored, setStored] = useState(setting);
      readAgain = () => setStored(setting);
      return (
        <NotificationSettings
          self={{ username: 'ann', email: '', setting: JSON.stringify(stored) }}
          onSaved={async () => readAgain()}
        />
      );
    }
    show(<Page />, '/personal');
    write('Warn when the balance is below', '9');
    setting = { ...setting, notification_email: 'new@example.org' };
    act(() => readAgain());
    screen.getByDisplayValue('new@example.org');
    press('Save');
    await screen.findByText('Settings updated');
    expect(sent.at(-1)?.body).toEqual({ quota_warning_threshold: 9 });
  });

  it('keep what is typed while they are saved', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    onCall('PUT /api/user/setting', () => promise);
    open({ quota_warning_threshold: 7 });
    write('Notification email', 'a@example.org');
    press('Save');
    await waitFor(() => expect(sent.at(-1)?.body).toEqual({ notification_email: 'a@example.org' }));
    write('Warn when the balance is below', '8');
    resolve();
    await screen.findByText('Settings updated');
    screen.getByDisplayValue('8');
  });

  it('store what is not saved before a test', async () => {
    onCall('POST /api/turnpike/self/notices/test', () => undefined);
    open();
    write('Notification email', 'ops@example.org');
    press('Save and send a test notice');
    await screen.findByText('Test notice sent');
    expect(sent.slice(-2).map(({ call }) => call)).toEqual([
      'PUT /api/user/setting',
      'POST /api/turnpike/self/notices/test',
    ]);
  });
});
