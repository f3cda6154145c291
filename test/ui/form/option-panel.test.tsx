// @vitest-environment happy-dom
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { loadTextPart } from '../../../src/ui/i18n/index.ts';
import { SettingScreen } from '../../../src/ui/routes/setting/index.tsx';
import { onCall, prepareConsole, prepareUser, Refusal, sent, show } from '../support/render.tsx';

prepareConsole();
prepareUser(100);
// Loaded on demand: compiling them takes longer than a test waits.
beforeAll(async () => {
  await import('../../../src/ui/form/form-field.tsx');
  await import('../../../src/ui/form/option-problem.ts');
});
beforeAll(() => loadTextPart('prices'));

const stored = new Map<string, string>();
const writes = () => sent.filter(({ call }) => !call.startsWith('GET'));
const write = (name: string, text: string) =>
  fireEvent.change(screen.getByLabelText(name), { target: { value: text } });
const save = () => fireEvent.click(screen.getByRole('button', { name: 'Save' }));

beforeEach(() => {
  stored.clear();
  for (const [key, value] of [
    ['SMTPServer', 'mail.example'],
    ['SMTPPort', '587'],
    ['SMTPSSLEnabled', 'false'],
  ] as const)
    stored.set(key, value);
  onCall('GET /api/option/', () => [
    ...[...stored].map(([key, value]) => ({ key, value })),
    { key: 'SMTPToken', value: '', configured: true },
  ]);
  onCall('PUT /api/turnpike/option', (body) => {
    for (const { key, value } of (body as { values: { key: string; value: string }[] }).values)
      stored.set(key, value);
  });
});
const open = async () => {
  show(<SettingScreen />, '/setting?tab=system');
  await screen.findByRole('heading', { name: 'Mail (SMTP)' });
};

describe('a settings panel', () => {
  it('shows what is stored, and no save bar while nothing changed', async () => {
    await open();
    expect((screen.getByLabelText('SMTP server') as HTMLInputElement).value).toBe('mail.example');
    expect(screen.queryByRole('button', { name: 'Save' })).toBeNull();
  });

  it.each([
    ['en', 'English'],
    ['zh', 'Chinese'],
  ])('names the chosen language: %s', async (value, name) => {
    stored.set('SiteLanguage', value);
    await open();
    await screen.findByDisplayValue(name);
    expect((screen.getAllByLabelText('Site language')[0] as HTMLInputElement).value).toBe(name);
  });

  it('saves only what changed, in one call, also when it is clicked twice', async () => {
    await open();
    write('SMTP server', 'smtp.example');
    write('SMTP port', '465');
    write('SMTP port', '587');
    screen.getByText('1 change: SMTP server');
    save();
    save();
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Save' })).toBeNull());
    expect(writes()).toEqual([
      {
        call: 'PUT /api/turnpike/option',
        body: { values: [{ key: 'SMTPServer', value: 'smtp.example' }] },
      },
    ]);
    expect((screen.getByLabelText('SMTP server') as HTMLInputElement).value).toBe('smtp.example');
  });

  it('checks by the registry before anything is sent', async () => {
    await open();
    write('SMTP port', '70000');
    save();
    await screen.findByText('Must not be above 65535');
    expect(writes()).toEqual([]);
    fireEvent.click(screen.getByRole('button', { name: 'Discard changes' }));
    expect((screen.getByLabelText('SMTP port') as HTMLInputElement).value).toBe('587');
  });

  it('shows a refusal of the server at the option it names', async () => {
    onCall('PUT /api/turnpike/option', () => {
      throw new Refusal('option_invalid', 'SMTP server cannot be reached', 'SMTPServer');
    });
    await open();
    write('SMTP server', 'nowhere');
    save();
    await waitFor(() =>
      expect(screen.getByLabelText('SMTP server').getAttribute('aria-invalid')).toBe('true'),
    );
  });

  it('never shows a secret, keeps it unless typed over, and clears it when asked', async () => {
    await open();
    const secret = screen.getByLabelText('SMTP password') as HTMLInputElement;
    expect(secret.value).toBe('');
    expect(secret.placeholder).toBe('Saved; leave empty to keep it');
    fireEvent.click(screen.getByRole('button', { name: 'Clear SMTP password' }));
    screen.getByText('SMTP password is cleared when you save');
    save();
    await waitFor(() => expect(writes()).toHaveLength(1));
    expect(writes()[0]?.body).toEqual({ values: [{ key: 'SMTPToken', value: '-' }] });
  });

  it('saves a switch at once', async () => {
    onCall('PUT /api/option/', () => void stored.set('SMTPSSLEnabled', 'true'));
    await open();
    fireEvent.click(screen.getByRole('switch', { name: 'SMTP over TLS' }));
    await waitFor(() =>
      expect(writes()).toEqual([
        { call: 'PUT /api/option/', body: { key: 'SMTPSSLEnabled', value: true } },
      ]),
    );
    await waitFor(() =>
      expect(screen.getByRole('switch', { name: 'SMTP over TLS', checked: true })).toBeTruthy(),
    );
  });

  it('flips a switch back that the server refuses, and says why', async () => {
    onCall('PUT /api/option/', () => {
      throw new Refusal('option_needs', 'Set the SMTP server first');
    });
    await open();
    fireEvent.click(screen.getByRole('switch', { name: 'SMTP over TLS' }));
    await screen.findByText('Set the SMTP server first');
    await waitFor(() =>
      expect(screen.getByRole('switch', { name: 'SMTP over TLS', checked: false })).toBeTruthy(),
    );
  });
});
