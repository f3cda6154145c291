// @vitest-environment happy-dom
// Covers src/ui/form, src/ui/components/form-failure.tsx.
/**
 * Every form of the console, through every way in which its call can fail
 * (docs/rules/console.md#failed-forms).
 */
import { readdirSync, readFileSync } from 'node:fs';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, test, vi } from 'vitest';
import { currentUser, forgetUser, storeUser } from '../../../src/ui/client/session.ts';
import { openDialogs } from '../../../src/ui/components/dialogs.ts';
import { channel } from '../support/channel.ts';
import { entry, forms, others, type ShownForm } from '../support/forms.tsx';
import { onCall, prepareConsole, sent, show, WholeBody } from '../support/render.tsx';

prepareConsole();

const refusal = (code: string, message: string, status = 200) =>
  Response.json({ success: false, code, message }, { status });
/** The reply of the call; `ended` is aborted when its time is over. */
type Failure = (ended: AbortSignal) => Promise<Response>;
const failures: Readonly<Record<string, Failure>> = {
  'a refusal': async () => refusal('conflict', 'Refused'),
  'a row that is gone': async () => refusal('not_found', 'It is gone'),
  'a right that was taken': async () => refusal('forbidden', 'Not allowed'),
  'a row that was changed': async () => refusal('conflict', 'It was changed', 412),
  'too many calls': async () => refusal('rate_limited', '', 429),
  'a crash': async () => Response.json({ error: { message: 'x' } }, { status: 500 }),
  'a gateway that is closing': async () => refusal('shutting_down', 'Closed for lunch', 503),
  'the page of a proxy': async () =>
    new Response('<html>', { status: 502, headers: { 'Content-Type': 'text/html' } }),
  'no network': () => Promise.reject(new TypeError('Failed to fetch')),
  'no reply in time': (ended) =>
    new Promise((_, reject) => {
      ended.addEventListener('abort', () => reject(ended.reason as Error));
      queueMicrotask(endTime);
    }),
};
const isRefused = (name: string) => /^a r(efusal|ow that is gone|ight)/.test(name);
const isLost = (name: string) =>
  ['the page of a proxy', 'no network', 'no reply in time'].includes(name);

/** Ends the time of all calls. */
let endTime = () => {};
let failing: { readonly call: string; readonly failure: Failure } | undefined;
beforeEach(() => {
  failing = undefined;
  vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
    const limit = new AbortController();
    endTime = () => limit.abort(new DOMException('', 'TimeoutError'));
    return limit.signal;
  });
  const usual = globalThis.fetch;
  vi.stubGlobal('fetch', (url: string, request?: RequestInit) => {
    const call = `${request?.method ?? 'GET'} ${url.split('?')[0]}`;
    if (call !== failing?.call) return usual(url, request);
    const { failure } = failing;
    return failure(request?.signal ?? new AbortController().signal);
  });
  onCall('GET /api/status', () => ({
    system_name: 'Turnpike',
    quota_per_unit: 500_000,
    display_in_currency: true,
    setup: true,
    password_login: true,
    phone_login: false,
    register_enabled: true,
    password_register: true,
    price: 7.3,
    min_topup: 1,
    enable_wechat_pay: true,
  }));
  onCall('GET /api/turnpike/channel/types', () => [
    {
      ...{
        type: 1,
        slug: 'openai',
        name: 'OpenAI',
        available: true,
        default_base_url: 'https://a.b',
      },
      ...{ operations: ['chat'], complete_url: false, plan_words: [], key_example: 'sk-…' },
      ...{ key_optional: false, key_json: false, other_label: '', other_required: false },
      ...{ settings: [], lists_models: true, reads_balance: true, models: ['gpt-4o'] },
    },
  ]);
  onCall('GET /api/user/self', () => ({ id: 1, role: 100, setting: '{}' }));
  onCall('POST /api/model_square_management/model_list', () => [entry]);
  onCall('GET /api/channel/3', () => channel);
  onCall('GET /api/turnpike/channel/tag', () => ({ models: [], groups: [], model_mappings: [] }));
  onCall('GET /api/setup', () => ({ status: false, root_init: false, database_type: 'sqlite' }));
  onCall('POST /api/turnpike/setup/check', () => ({ valid: true }));
  onCall('GET /api/turnpike/log/prune', () => ({ state: 'idle', before: 0, total: 0, deleted: 0 }));
  onCall('GET /api/log/', () => ({ items: [], total: 3 }));
  const factors = { quota: 5_000_000, price: 7.3, group_ratio: 1, discount: 1 };
  onCall(
    'POST /api/user/amount',
    () => new WholeBody({ success: true, message: 'success', data: '7.30', ...factors }),
  );
  for (const list of ['GET /api/user/models', 'GET /api/channel/models', 'GET /api/group/'])
    onCall(list, () => []);
  onCall('POST /api/turnpike/unpriced_models', () => []);
  onCall('POST /api/turnpike/channel/model_ends', () => []);
  onCall('GET /api/user/self/groups', () => ({ vip: { ratio: 2, desc: 'VIP' } }));
  onCall('GET /api/turnpike/budgets', () => ({ items: [], total: 0 }));
});
afterEach(() => {
  for (const dialog of openDialogs.current()) act(() => dialog.close());
  forgetUser();
  vi.restoreAllMocks();
});

const place = () => {
  const dialogs = screen.queryAllByRole('dialog');
  return dialogs.at(-1) ?? document.body;
};
const valuesOf = (form: HTMLElement) =>
  [...form.querySelectorAll<HTMLInputElement>('input, textarea')].map(({ type, value, checked }) =>
    type === 'checkbox' || type === 'radio' ? checked : value,
  );
/** What says that it failed: at the form, or in a toast. */
const alerts = (inside: HTMLElement) =>
  [...inside.querySelectorAll<HTMLElement>('[role="alert"], [aria-invalid="true"]')].map(
    (alert) => alert.textContent ?? '',
  );
const button = (name: string) => {
  const all = within(place()).getAllByRole<HTMLButtonElement>('button');
  const found = all.find((one) => one.textContent?.trim() === name);
  if (found === undefined)
    throw new Error(`no ${name} among ${all.map((one) => one.textContent).join(', ')}`);
  return found;
};
const field = async (label: string) => {
  const all = await within(place()).findAllByLabelText<HTMLInputElement>((text) =>
    text.includes(label),
  );
  const found = all.find((one) => one.matches('input, textarea'));
  if (found === undefined) throw new Error(`no field ${label}`);
  return found;
};

async function openForm(form: ShownForm) {
  if (form.as !== 'visitor') {
    const texts = { username: 'ann', display_name: '', nickname: '', portrait: '' };
    storeUser({ id: 1, role: 100, status: 1, group: 'default', ...texts });
  }
  const router = show(form.show, form.at ?? '/');
  await act(async () => void (await form.open?.()));
  for (const [label, text] of form.fill ?? [])
    fireEvent.change(await field(label), { target: { value: text } });
  await waitFor(() => button(form.submit));
  return router;
}

/** Submits; where a lost reply is asked about, again. */
async function submit(form: ShownForm, isAsked: boolean) {
  fireEvent.click(button(form.submit));
  if (!isAsked) return;
  const question = await screen.findByRole('alertdialog', { name: 'Do it again?' });
  fireEvent.click(within(question).getByRole('button', { name: 'Do it again' }));
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
}

const all = Object.entries(forms).flatMap(([file, shown]) =>
  (Array.isArray(shown) ? (shown as readonly ShownForm[]) : [shown as ShownForm]).map(
    (form) => [file, form] as const,
  ),
);

it.each(all)('%s', async (file, form) => {
  const router = await openForm(form);
  let wasLost = false;
  for (const [name, failure] of Object.entries(failures)) {
    if (form.downloads && name === 'no reply in time') continue;
    const typed = valuesOf(place());
    let isCalled = false;
    failing = {
      call: form.call,
      failure: (ended) => {
        isCalled = true;
        return failure(ended);
      },
    };
    await waitFor(() => expect(button(form.submit).disabled, `${file}: ${name}`).toBe(false));
    await submit(form, wasLost && form.creates === true);
    await waitFor(() =>
      expect(isCalled, `${form.call}, not ${JSON.stringify(sent)} ${alerts(place())}`).toBe(true),
    );
    // It says so, and where.
    await waitFor(() => {
      expect(button(form.submit).hasAttribute('data-loading'), `${file}: ${name}`).toBe(false);
      expect(alerts(form.toasts ? document.body : place()), `${file}: ${name}`).not.toEqual([]);
    });
    // What was typed is there.
    const isKept = !(form.forgets && isRefused(name));
    if (isKept) expect(valuesOf(place()), `${file}: ${name}`).toEqual(typed);
    else
      for (const [label, text] of form.fill ?? [])
        fireEvent.change(await field(label), { target: { value: text } });
    wasLost ||= isLost(name);
    if (isLost(name) && form.creates)
      expect(place().textContent, `${file}: ${name}`).toContain(
        'it may have been done all the same',
      );
  }
  if (form.as === 'visitor') return;
  failing = { call: form.call, failure: async () => refusal('not_signed_in', '', 401) };
  await submit(form, wasLost && form.creates === true);
  await waitFor(() => expect(currentUser()).toBeNull());
  await waitFor(() => expect(router.state.location.pathname).toBe('/login'));
});

test('no form is left out', () => {
  const files = readdirSync('src/ui', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.tsx'))
    .filter((name) => /<form\b|<EntityDrawer\b/.test(readFileSync(`src/ui/${name}`, 'utf8')));
  expect(files.sort()).toEqual([...Object.keys(forms), ...others].sort());
});
