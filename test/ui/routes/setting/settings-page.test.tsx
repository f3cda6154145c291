// @vitest-environment happy-dom
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { panelPages, panelsOf } from '../../../../src/core/options/index.ts';
import { searchSettings } from '../../../../src/ui/form/search-settings.ts';
import { SettingScreen } from '../../../../src/ui/routes/setting/index.tsx';
import { onCall, prepareConsole, prepareUser, Refusal, sent, show } from '../../support/render.tsx';

prepareConsole();
prepareUser(100);
beforeAll(async () => {
  await import('../../../../src/ui/form/form-field.tsx');
  await import('../../../../src/ui/form/option-problem.ts');
  await import('../../../../src/ui/routes/setting/change-list.tsx');
});

const stored = new Map<string, { value: string; default?: string }>();
beforeEach(() => {
  stored.clear();
  stored.set('SMTPServer', { value: 'mail.example', default: '' });
  stored.set('SMTPPort', { value: '465', default: '587' });
  stored.set('PasswordLoginEnabled', { value: 'true' });
  stored.set('RegisterEnabled', { value: 'false', default: 'true' });
  onCall('GET /api/option/', () => [...stored].map(([key, row]) => ({ key, ...row })));
  onCall('GET /api/channel/models_enabled', () => []);
  onCall('PUT /api/option/', () => undefined);
});
const writes = () => sent.filter(({ call }) => call.startsWith('PUT'));
const open = async (address: string) => {
  const router = show(<SettingScreen />, address);
  await screen.findByRole('combobox', { name: 'Search settings' });
  await screen.findByRole('navigation', { name: 'Sections of this page' });
  return router;
};
const fieldOf = (key: string) =>
  document.querySelector<HTMLInputElement>(`[id="${key}"] input`) as HTMLInputElement;

describe('the search over all settings', () => {
  const panels = panelPages.flatMap(panelsOf);
  const keysFor = (text: string) =>
    searchSettings(panels, text).map(({ option, panel }) => option ?? panel);

  it.each([
    ['RetryTimes', 'RetryTimes'],
    ['retry times', 'RetryTimes'],
    ['smtp port', 'SMTPPort'],
    ['失败重试', 'RetryTimes'],
    ['发件人', 'SMTPFrom'],
    ['consumed by nobody', undefined],
    ['always uses tls', 'SMTPPort'],
    ['safety', 'gemini.safety_settings'],
    ['ping_interval_seconds', 'general_setting.ping_interval_seconds'],
    ['sensitive words', 'operation.sensitive'],
  ])('finds by key, label and description of either language: %s', (text, key) => {
    expect(keysFor(text)[0]).toBe(key);
  });

  it('does not offer what has no effect in this release', () => {
    expect(keysFor('FileUploadPermission')).toEqual([]);
  });

  it('is used by keys alone, and leads to the option on another tab', async () => {
    const router = await open('/setting');
    fireEvent.keyDown(document.body, { key: '/' });
    const field = screen.getByRole('combobox', { name: 'Search settings' });
    expect(document.activeElement).toBe(field);
    fireEvent.change(field, { target: { value: 'smtp' } });
    const found = await screen.findAllByRole('option');
    expect(found.length).toBeGreaterThan(3);
    const step = (key: string) => fireEvent.keyDown(field, { key });
    step('ArrowDown');
    step('ArrowDown');
    step('ArrowUp');
    expect(field.getAttribute('aria-activedescendant')).toBe(found[1]?.id);
    fireEvent.change(field, { target: { value: 'smtp 端口' } });
    fireEvent.change(field, { target: { value: 'SMTPPort' } });
    step('Enter');
    await waitFor(() =>
      expect(`${router.state.location.search}${router.state.location.hash}`).toBe(
        '?tab=system#SMTPPort',
      ),
    );
    await waitFor(() => expect(document.activeElement).toBe(fieldOf('SMTPPort')));
    expect(screen.queryByRole('listbox', { name: 'Settings found' })).toBeNull();
  });

  it('says so when nothing matches, and is emptied by Escape', async () => {
    await open('/setting');
    const field = screen.getByRole('combobox', { name: 'Search settings' }) as HTMLInputElement;
    act(() => field.focus());
    fireEvent.change(field, { target: { value: 'no such thing' } });
    await screen.findByText('No setting matches');
    fireEvent.keyDown(field, { key: 'Escape' });
    expect(field.value).toBe('');
  });

  it('leaves Enter to an input method that composes', async () => {
    const router = await open('/setting');
    const field = screen.getByRole('combobox', { name: 'Search settings' });
    act(() => field.focus());
    fireEvent.change(field, { target: { value: 'smtp' } });
    await screen.findAllByRole('option');
    fireEvent.keyDown(field, { key: 'Enter', isComposing: true });
    expect(router.state.location.hash).toBe('');
  });
});

describe('addresses', () => {
  it('of an option open its tab and give it the focus', async () => {
    await open('/setting#SMTPServer');
    await waitFor(() => expect(document.activeElement).toBe(fieldOf('SMTPServer')));
  });

  it('that name nothing open the first tab', async () => {
    await open('/setting?tab=nowhere#%E0%A4%A');
    await screen.findByRole('heading', { name: 'General' });
  });

  it('of sections are links, so they can be copied', async () => {
    const router = await open('/setting?tab=system');
    const sections = screen.getByRole('navigation', { name: 'Sections of this page' });
    fireEvent.click(within(sections).getByRole('link', { name: 'Mail (SMTP)' }));
    await waitFor(() => expect(router.state.location.hash).toBe('#system.smtp'));
  });
});

describe('defaults', () => {
  it('are shown beside changed values only, with a way back', async () => {
    await open('/setting?tab=system');
    const place = document.getElementById('SMTPPort') as HTMLElement;
    within(place).getByText('Default: 587');
    expect(
      within(document.getElementById('SMTPAccount') as HTMLElement).queryByText(/Default/),
    ).toBeNull();
    fireEvent.click(within(place).getByRole('button', { name: 'Use the default of SMTP port' }));
    expect(fieldOf('SMTPPort').value).toBe('587');
    expect(within(place).queryByText('Default: 587')).toBeNull();
    screen.getByText('1 change: SMTP port');
  });

  it('of switches are named', async () => {
    await open('/setting?tab=system');
    within(document.getElementById('RegisterEnabled') as HTMLElement).getByText(/Default: on/);
  });
});

describe('changes', () => {
  it('can be reviewed before they are saved', async () => {
    await open('/setting?tab=system');
    fireEvent.change(fieldOf('SMTPServer'), { target: { value: 'smtp.example' } });
    fireEvent.click(screen.getByRole('button', { name: 'Review changes' }));
    const dialog = await screen.findByRole('dialog');
    await within(dialog).findByText(/− mail\.example/);
    within(dialog).getByText(/\+ smtp\.example/);
  });

  it('that are refused bring their field into view, also from another tab', async () => {
    onCall('PUT /api/turnpike/option', () => {
      throw new Refusal(
        'option_needs',
        'Fill in “Server address” (ServerAddress) first',
        'PayAddress',
      );
    });
    const router = await open('/setting?tab=system');
    fireEvent.change(fieldOf('PayAddress'), { target: { value: 'https://pay.example' } });
    fireEvent.click(screen.getByRole('tab', { name: 'Operation' }));
    await screen.findByRole('heading', { name: 'General' });
    fireEvent.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(router.state.location.hash).toBe('#PayAddress'));
    await screen.findByText('Fill in “Server address” (ServerAddress) first');
  });

  it('marks the sections that have some', async () => {
    await open('/setting?tab=system');
    fireEvent.change(fieldOf('SMTPServer'), { target: { value: 'smtp.example' } });
    const sections = screen.getByRole('navigation', { name: 'Sections of this page' });
    expect(within(sections).getByRole('link', { name: 'Mail (SMTP)' }).dataset['changed']).toBe(
      'true',
    );
    expect(
      within(sections).getByRole('link', { name: 'Server' }).dataset['changed'],
    ).toBeUndefined();
  });
});

describe('turning password login off', () => {
  it('asks first, and does nothing when that is cancelled', async () => {
    await open('/setting?tab=system');
    const toggle = () => fireEvent.click(screen.getByRole('switch', { name: 'Password login' }));
    toggle();
    const question = await screen.findByRole('alertdialog');
    within(question).getByText(/administrators included, can no longer log in/);
    fireEvent.click(within(question).getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
    expect(writes()).toEqual([]);
    toggle();
    fireEvent.click(
      within(await screen.findByRole('alertdialog')).getByRole('button', {
        name: 'Turn off password login',
      }),
    );
    await waitFor(() =>
      expect(writes()).toEqual([
        { call: 'PUT /api/option/', body: { key: 'PasswordLoginEnabled', value: false } },
      ]),
    );
  });
});
