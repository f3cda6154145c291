// @vitest-environment happy-dom
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { dateText } from '../../../../src/ui/hooks/use-time-text.ts';
import { openActivity } from '../../../../src/ui/routes/log/activity-dialog.tsx';
import { prepareConsole, show } from '../../support/render.tsx';

prepareConsole();

const sent: URLSearchParams[] = [];
let refuses = false;
beforeEach(() => {
  sent.length = 0;
  refuses = false;
  const others = fetch;
  vi.stubGlobal('fetch', (url: string, request?: RequestInit) => {
    if (!url.startsWith('/api/turnpike/data/usage/export')) return others(url, request);
    sent.push(new URLSearchParams(url.split('?')[1]));
    if (refuses)
      return Promise.resolve(
        Response.json({ success: false, message: 'Too long', code: 'range_too_long' }),
      );
    const headers = {
      'content-type': 'text/csv',
      'content-disposition': 'attachment; filename="activity.csv"',
    };
    return Promise.resolve(new Response('date\r\n', { headers }));
  });
});
afterEach(() => vi.unstubAllGlobals());

const open = async (props: Parameters<typeof openActivity>[0]) => {
  show(<p>log</p>);
  openActivity(props);
  return screen.findByRole('dialog', { name: 'Export activity' });
};
const enter = (dialog: HTMLElement, label: string, value: string) =>
  fireEvent.change(within(dialog).getByLabelText(label), { target: { value } });
const save = (dialog: HTMLElement) =>
  fireEvent.click(within(dialog).getByRole('button', { name: 'Export' }));
const at = (text: string) => new Date(text).getTime() / 1000;

describe('the export of activity', () => {
  it('asks for whole days where the reader is, by default the month so far', async () => {
    const dialog = await open({ forAdmin: false, username: '' });
    expect(within(dialog).queryByLabelText('User')).toBeNull();
    const today = dateText(Date.now() / 1000);
    expect(within(dialog).getByLabelText<HTMLInputElement>('From').value).toBe(
      today.replace(/\d\d$/, '01'),
    );
    enter(dialog, 'From', '2026-02-27');
    enter(dialog, 'To', '2026-02-28');
    save(dialog);
    await screen.findByText('Saved activity.csv');
    const [query] = sent;
    expect(Number(query?.get('start_timestamp'))).toBe(at('2026-02-27T00:00:00'));
    expect(Number(query?.get('end_timestamp'))).toBe(at('2026-03-01T00:00:00') - 1);
    expect(query?.get('zone')).toBe(Intl.DateTimeFormat().resolvedOptions().timeZone);
    expect(query?.get('username')).toBeNull();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('is of the user whom the filters name, for administrators', async () => {
    const dialog = await open({ forAdmin: true, username: 'ann' });
    within(dialog).getByDisplayValue('ann');
    save(dialog);
    await screen.findByText('Saved activity.csv');
    expect(sent[0]?.get('username')).toBe('ann');
  });

  it('says what is wrong with the dates, and what the server refuses', async () => {
    const dialog = await open({ forAdmin: false, username: '' });
    enter(dialog, 'From', '');
    save(dialog);
    await within(dialog).findByText('Select a date');
    enter(dialog, 'From', '2026-03-01');
    enter(dialog, 'To', '2026-02-28');
    await within(dialog).findByText('Must not be before the first day');
    expect(sent).toHaveLength(0);
    refuses = true;
    enter(dialog, 'To', '2026-03-02');
    save(dialog);
    await screen.findByText(/Too long/);
    screen.getByRole('dialog', { name: 'Export activity' });
  });
});
