// @vitest-environment happy-dom
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { ChannelEntity } from '../../../../src/core/contract/entities.ts';
import { ChannelDrawer } from '../../../../src/ui/routes/channel/channel-drawer.tsx';
import { loadTag, TagDrawer } from '../../../../src/ui/routes/channel/tag-drawer.tsx';
import { channel } from '../../support/channel.ts';
import { onCall, prepareConsole, Refusal, sent, show } from '../../support/render.tsx';

prepareConsole();

const typeFacts = {
  available: true,
  operations: ['chat'],
  complete_url: false,
  plan_words: [],
  key_example: 'sk-…',
  key_optional: false,
  key_json: false,
  other_label: '',
  other_required: false,
  settings: [{ name: 'force_format', kind: 'flag', choices: [] }],
  lists_models: true,
  reads_balance: true,
  models: ['gpt-4o', 'gpt-4o-mini'],
};
const openai = {
  ...typeFacts,
  type: 1,
  slug: 'openai',
  name: 'OpenAI',
  default_base_url: 'https://api.openai.com',
};
const vertex = {
  ...typeFacts,
  type: 41,
  slug: 'vertex',
  name: 'Vertex AI',
  default_base_url: '',
  other_label: 'Region',
  other_required: true,
};

const onClose = vi.fn();
const write = (name: string, text: string) =>
  fireEvent.change(screen.getByRole('textbox', { name }), { target: { value: text } });
const press = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }));
const unpricedCall = 'POST /api/turnpike/unpriced_models';
const endsCall = 'POST /api/turnpike/channel/model_ends';
const writes = () =>
  sent.filter(({ call }) => !call.startsWith('GET') && call !== unpricedCall && call !== endsCall);

beforeEach(() => {
  onClose.mockClear();
  onCall('GET /api/turnpike/channel/types', () => [openai, vertex]);
  onCall('GET /api/group/', () => ['default', 'vip']);
  onCall(endsCall, () => []);
  onCall(unpricedCall, (body) =>
    (body as { models: string[] }).models.filter((model) => model === 'gpt-5'),
  );
});

async function open(edited: ChannelEntity | null): Promise<void> {
  onCall('GET /api/channel/3', () => edited);
  show(<ChannelDrawer channel={edited} onClose={onClose} />);
  await screen.findByRole('heading', { name: edited === null ? 'New channel' : 'Edit channel' });
  await waitFor(() => expect(sent.some(({ call }) => call.endsWith('/types'))).toBe(true));
}

describe('a pasted key', () => {
  const claude = {
    ...typeFacts,
    type: 14,
    slug: 'anthropic',
    name: 'Claude',
    key_example: 'sk-ant-…',
    default_base_url: 'https://api.anthropic.com',
  };
  const textIn = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name }).value;
  const type = () => screen.getByRole<HTMLInputElement>('combobox', { name: 'Type' });
  beforeEach(() => onCall('GET /api/turnpike/channel/types', () => [openai, claude]));
  const opened = async () => {
    await open(null);
    // The types are there.
    await screen.findByText('Defaults to https://api.openai.com');
  };

  it('chooses type and name of a new channel', async () => {
    await opened();
    write('Key', 'sk-ant-api03-x');
    await waitFor(() => expect(type().value).toBe('Claude'));
    expect(textIn('Name')).toBe('Claude');
    await screen.findByText('Defaults to https://api.anthropic.com');
    // The name follows a type that is chosen after all.
    fireEvent.click(type());
    fireEvent.click(await screen.findByRole('option', { name: 'DeepSeek', hidden: true }));
    await waitFor(() => expect(textIn('Name')).toBe('DeepSeek'));
    press('Use Claude');
    await waitFor(() => expect(textIn('Name')).toBe('Claude'));
    onCall('POST /api/channel/', () => ({ ids: [9] }));
    press('Fill related');
    press('New channel');
    await waitFor(() => expect(writes()).toHaveLength(1));
    expect(writes()[0]?.body).toMatchObject({ type: 14, name: 'Claude', key: 'sk-ant-api03-x' });
  });

  it('leaves a name that is there', async () => {
    await opened();
    write('Name', 'my own');
    write('Key', 'sk-ant-api03-x');
    await waitFor(() => expect(type().value).toBe('Claude'));
    expect(textIn('Name')).toBe('my own');
  });

  it('does not overrule a type that was chosen, but offers its own', async () => {
    await opened();
    fireEvent.click(type());
    fireEvent.click(await screen.findByRole('option', { name: 'DeepSeek', hidden: true }));
    write('Key', 'sk-ant-api03-x');
    await screen.findByText('The key or the address looks like one of Claude.');
    expect(type().value).toBe('DeepSeek');
    press('Use Claude');
    await waitFor(() => expect(type().value).toBe('Claude'));
    expect(screen.queryByText(/looks like one of/)).toBeNull();
  });

  it('that is there twice is named by its lines', async () => {
    await opened();
    write('Key', 'sk-a\nsk-b\n sk-a\n\nsk-b');
    await screen.findByText('Lines that repeat a key above: 3, 5');
    write('Key', 'sk-a\nsk-b');
    await waitFor(() => expect(screen.queryByText(/Lines that repeat/)).toBeNull());
  });

  it('of a stored channel changes nothing by itself', async () => {
    await open(channel);
    await screen.findByText('Defaults to https://api.openai.com');
    fireEvent.change(screen.getByLabelText(/^Key/, { selector: 'input' }), {
      target: { value: 'sk-ant-api03-x' },
    });
    expect(type().value).toBe('OpenAI');
    expect(screen.queryByText(/looks like one of/)).toBeNull();
  });
});

describe('models without a price', () => {
  it('are named before the channel is saved', async () => {
    await open({ ...channel, models: 'gpt-4o,gpt-5' });
    await screen.findByText(/^1 of 2 models without a price: gpt-5\./);
  });
});

describe('models that end', () => {
  it('are named with their day, and mapped to the successor by a button', async () => {
    onCall(endsCall, (body) =>
      (body as { model_mapping: string }).model_mapping.includes('gpt-5')
        ? []
        : [
            { model: 'gpt-4o', ends: '2026-12-20', successor: 'gpt-5' },
            { model: 'gpt-4', ends: '2026-10-23', successor: '' },
          ],
    );
    await open({ ...channel, models: 'gpt-4o,gpt-4', model_mapping: '{"a":"b"}' });
    await screen.findByText(/^gpt-4o ends at its vendor on 2026-12-20/);
    expect(screen.getByText(/^gpt-4 ends at its vendor on 2026-10-23/)).toBeTruthy();
    press('Map to gpt-5');
    await waitFor(() => expect(screen.queryByText(/ends at its vendor/)).toBeNull());
    onCall('PUT /api/channel/', () => channel);
    press('Save');
    await waitFor(() => expect(writes()).toHaveLength(1));
    const body = writes()[0]?.body as { model_mapping: string } | undefined;
    expect(JSON.parse(body?.model_mapping ?? '')).toEqual({ a: 'b', 'gpt-4o': 'gpt-5' });
  });
});

describe('editing a channel', () => {
  it('sends only what changed, and keeps the stored key', async () => {
    await open(channel);
    expect(screen.getByRole('status').textContent).toBe('No changes');
    write('Weight', '25');
    fireEvent.click(screen.getByRole('switch', { name: 'Disable on failure' }));
    expect(screen.getByRole('status').textContent).toBe(
      '2 changes: Weight 20 → 25; Disable on failure',
    );
    screen.getByText('was 20; Share among channels of equal priority');
    press('Save');
    await waitFor(() => expect(onClose).toHaveBeenCalled());
    expect(writes()).toEqual([
      { call: 'PUT /api/channel/', body: { id: 3, weight: 25, auto_ban: 0 } },
    ]);
  });

  it('opens the group of a refused field and shows the refusal there only', async () => {
    onCall('PUT /api/channel/', () => {
      throw new Refusal('channel_rule_invalid', 'not a proxy', 'setting.proxy');
    });
    await open({ ...channel, setting: '{"proxy":"http://a","mystery":1}' });
    write('Name', 'secondary');
    expect(screen.queryByRole('textbox', { name: 'Proxy' })).toBeNull();
    press('Save');
    const proxy = await screen.findByRole('textbox', { name: 'Proxy' });
    expect(proxy.getAttribute('aria-invalid')).toBe('true');
    expect(screen.getAllByText('not a proxy')).toHaveLength(1);
    await waitFor(() => expect(document.activeElement).toBe(proxy));
    fireEvent.change(proxy, { target: { value: 'http://b' } });
    expect(screen.queryByText('not a proxy')).toBeNull();
    onCall('PUT /api/channel/', () => null);
    press('Save');
    await waitFor(() => expect(onClose).toHaveBeenCalled());
    const body = writes().at(-1)?.body as { setting: string };
    expect(JSON.parse(body.setting)).toEqual({ proxy: 'http://b', mystery: 1 });
  });

  it('switches what a channel does with tools and limits in its settings', async () => {
    await open({ ...channel, setting: '{"leave_out_tools":true,"mystery":1}' });
    press(/Requests and replies/);
    const flip = async (name: string) =>
      fireEvent.click(await screen.findByRole('switch', { name }));
    await flip('Leave out tools that the vendor lacks');
    await flip("Pass on the vendor's rate limits");
    onCall('PUT /api/channel/', () => null);
    press('Save');
    await waitFor(() => expect(onClose).toHaveBeenCalled());
    const body = writes().at(-1)?.body as { setting: string };
    expect(JSON.parse(body.setting)).toEqual({ forward_rate_limits: true, mystery: 1 });
  });

  it('shows no setting fields while the raw settings are broken', async () => {
    await open({ ...channel, setting: '{"proxy":' });
    press(/Requests and replies/);
    await screen.findByText('The raw settings are not a JSON object. Fix them to use this form');
    expect(screen.queryByRole('textbox', { name: 'Proxy' })).toBeNull();
  });
});

describe('creating a channel', () => {
  it('shows the fields that the type declares', async () => {
    await open(null);
    expect(screen.queryByRole('textbox', { name: 'Region' })).toBeNull();
    fireEvent.click(screen.getByRole('combobox', { name: 'Type' }));
    fireEvent.click(await screen.findByText('Vertex AI'));
    await screen.findByRole('textbox', { name: 'Region' });
    press('New channel');
    await screen.findByText('Enter a value');
    expect(writes()).toEqual([]);
  });
});

describe('models fetched from the upstream', () => {
  it('are chosen from a list that marks new ones and those the upstream no longer has', async () => {
    onCall('GET /api/channel/fetch_models/3', () => ['gpt-4o', 'gpt-5', 'o4']);
    await open(channel);
    press('Fetch from upstream');
    const list = await screen.findByRole('dialog', { name: 'Choose upstream models' });
    await within(list).findByText(
      /offers 3 models; 2 are new.*1 model of the channel is no longer offered/,
    );
    const box = (name: RegExp) => within(list).getByRole<HTMLInputElement>('checkbox', { name });
    expect(box(/gpt-4o/).checked).toBe(true);
    expect(box(/retired.*no longer upstream/).checked).toBe(true);
    expect(box(/gpt-5.*new/).checked).toBe(false);
    fireEvent.click(box(/retired/));
    fireEvent.change(within(list).getByRole('textbox', { name: 'Find a model' }), {
      target: { value: 'GPT' },
    });
    expect(within(list).queryByRole('checkbox', { name: /o4.*new/ })).toBeNull();
    fireEvent.click(within(list).getByRole('button', { name: 'Select new' }));
    fireEvent.click(within(list).getByRole('button', { name: 'Use 2 models' }));
    press('Save');
    await waitFor(() => expect(onClose).toHaveBeenCalled());
    expect(writes()).toEqual([
      { call: 'PUT /api/channel/', body: { id: 3, models: 'gpt-4o,gpt-5' } },
    ]);
  });

  it('are not asked for without a key', async () => {
    await open(null);
    press('Fetch from upstream');
    await screen.findByText('Enter the key first');
    expect(sent.filter(({ call }) => call.includes('fetch_models'))).toEqual([]);
  });
});

describe('editing a tag', () => {
  const stored = { models: ['gpt-4o'], groups: ['default'], model_mappings: [''] };
  const reply = (values: typeof stored) => onCall('GET /api/turnpike/channel/tag', () => values);
  const open = async () => {
    reply(stored);
    show(<TagDrawer row={await loadTag({ tag: 'eu', channels: 1 })} onClose={onClose} />);
    await screen.findByRole('heading', { name: 'Edit tag eu' });
  };

  it('asks before it replaces a value that others have set meanwhile', async () => {
    await open();
    write('Model mapping JSON', '{"a":"b"}');
    reply({ ...stored, models: ['others'], model_mappings: ['{"theirs":"x"}'] });
    press('Save');
    const dialog = await screen.findByRole('alertdialog');
    within(dialog).getByText('Now: {"theirs":"x"}');
    expect(dialog.textContent).not.toContain('others');
    expect(writes()).toEqual([]);
    fireEvent.click(within(dialog).getByRole('button', { name: 'Save anyway' }));
    await waitFor(() => expect(onClose).toHaveBeenCalled());
    expect(writes()).toEqual([
      { call: 'PUT /api/channel/tag', body: { tag: 'eu', model_mapping: '{"a":"b"}' } },
    ]);
  });

  it('sends what was entered, and an empty name to remove the tag', async () => {
    await open();
    press('Save');
    await screen.findByText('No changes!');
    write('Tag name', '');
    press('Save');
    await waitFor(() => expect(onClose).toHaveBeenCalled());
    expect(writes()).toEqual([{ call: 'PUT /api/channel/tag', body: { tag: 'eu', new_tag: '' } }]);
  });
});
