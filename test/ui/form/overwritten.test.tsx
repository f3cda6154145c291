// @vitest-environment happy-dom
// Covers src/ui/form.
/** Saving over what others have saved meanwhile (docs/rules/console.md#overwriting). */
import { readdirSync, readFileSync } from 'node:fs';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, describe, expect, it, test, vi } from 'vitest';
import { openDialogs } from '../../../src/ui/components/dialogs.ts';
import { EntityDrawer } from '../../../src/ui/form/entity-drawer.tsx';
import type { FieldPart, FormField } from '../../../src/ui/form/fields.ts';
import { useEntityForm } from '../../../src/ui/form/use-entity-form.ts';
import { useOptionForm } from '../../../src/ui/form/use-option-form.ts';
import { useOptions } from '../../../src/ui/queries/use-options.ts';
import { onCall, prepareConsole, sent, show } from '../support/render.tsx';

prepareConsole();
// Loaded on demand: compiling them takes longer than a test waits.
beforeAll(async () => {
  await import('../../../src/ui/form/overwritten.tsx');
  await import('../../../src/ui/form/option-problem.ts');
});

interface Thing {
  readonly name: string;
  readonly remark: string;
  readonly models: readonly string[];
  readonly key: string;
  readonly setting: string;
}
const began: Thing = {
  name: 'a',
  remark: 'r',
  models: ['x'],
  key: '',
  setting: '{"p":"1","q":"1"}',
};
let now = began;
const save = vi.fn(async (_values: Thing, _changed: readonly string[]) => undefined);
const onSaved = vi.fn();

const partOf = (path: string): FieldPart => ({
  path,
  read: (whole) => (JSON.parse(String(whole)) as Record<string, unknown>)[path],
  write: (whole, part) => JSON.stringify({ ...JSON.parse(String(whole)), [path]: part }),
});
const fields: readonly FormField<Thing>[] = [
  { kind: 'text', name: 'name', label: 'Name' },
  { kind: 'text', name: 'remark', label: 'Remark' },
  { kind: 'tags', name: 'models', label: 'Models' },
  { kind: 'secret', stored: true, name: 'key', label: 'Key' },
  { kind: 'text', name: 'setting', label: 'P', part: partOf('p') },
  { kind: 'text', name: 'setting', label: 'Q', part: partOf('q') },
];

/** `stored`: the form begins with something else. */
function Drawer({ stored }: { readonly stored?: Thing }) {
  const form = useEntityForm<Thing, undefined>({
    creating: false,
    before: stored === undefined ? began : { ...stored, remark: '', models: [] },
    ...(stored && { stored }),
    reread: async () => now,
    check: () => ({}),
    save,
    onSaved,
    fieldOf: () => undefined,
  });
  const texts = { title: 'Edit', subtitle: '', submitLabel: 'Save' };
  return <EntityDrawer form={form} fields={fields} {...texts} onClose={() => undefined} />;
}

const input = (name: string) => screen.getByLabelText<HTMLInputElement>(name);
const type = (name: string, text: string) =>
  fireEvent.change(input(name), { target: { value: text } });
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
const question = () => screen.findByRole('alertdialog');
const answer = (name: string) =>
  fireEvent.click(within(screen.getByRole('alertdialog')).getByRole('button', { name }));
/** No dialog stays for the next test. */
afterEach(() => {
  for (const dialog of openDialogs.current()) dialog.close();
});
const isGone = () => waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());

beforeEach(() => {
  now = began;
  save.mockClear();
  onSaved.mockClear();
});

describe('a drawer', () => {
  const open = async (stored?: Thing) => {
    show(<Drawer {...(stored && { stored })} />);
    await screen.findByLabelText('Remark');
  };

  it.each([
    ['nothing', {}],
    ['other fields', { name: 'b' }],
    ['the same value', { remark: 'mine' }],
  ])('asks nothing where others changed %s', async (_, change) => {
    await open();
    type('Remark', 'mine');
    now = { ...began, ...change };
    press('Save');
    await waitFor(() => expect(onSaved).toHaveBeenCalled());
    expect(save.mock.calls[0]?.[1]).toEqual(['remark']);
    expect(screen.queryByRole('alertdialog')).toBeNull();
  });

  it('names the field and both values, and saves when told to', async () => {
    await open();
    type('Remark', 'mine');
    now = { ...began, remark: 'theirs' };
    press('Save');
    const dialog = await question();
    within(dialog).getByText('1 field was changed meanwhile');
    within(dialog).getByText('Remark');
    within(dialog).getByText('Now: theirs');
    within(dialog).getByText('To be saved: mine');
    expect(save).not.toHaveBeenCalled();
    answer('Save anyway');
    await waitFor(() => expect(onSaved).toHaveBeenCalledTimes(1));
    expect(save.mock.calls[0]?.[0].remark).toBe('mine');
  });

  it('goes on with what is stored where nothing was typed, and asks once', async () => {
    await open();
    type('Remark', 'mine');
    now = { ...began, remark: 'theirs', name: 'b' };
    press('Save');
    await question();
    answer('Keep editing');
    await waitFor(() => expect(input('Name').value).toBe('b'));
    expect(input('Remark').value).toBe('mine');
    expect(screen.getByText('1 change: Remark theirs → mine')).toBeTruthy();
    await isGone();
    press('Save');
    await waitFor(() => expect(onSaved).toHaveBeenCalled());
    expect(save.mock.calls).toHaveLength(1);
    expect(save.mock.calls[0]?.[1]).toEqual(['remark']);
  });

  it('takes Escape for going on', async () => {
    await open();
    type('Remark', 'mine');
    now = { ...began, remark: 'theirs' };
    press('Save');
    await question();
    fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Escape' });
    await isGone();
    expect(save).not.toHaveBeenCalled();
    expect(input('Remark').value).toBe('mine');
  });

  it('never shows a secret', async () => {
    await open();
    type('Key', 'sk-mine');
    now = { ...began, key: 'sk-theirs' };
    press('Save');
    const dialog = await question();
    within(dialog).getByText('Key');
    within(dialog).getByText('secrets are not shown');
    expect(dialog.textContent).not.toContain('sk-');
  });

  it('names the part of a document that others changed, and takes it over', async () => {
    await open();
    type('P', '2');
    now = { ...began, setting: '{"p":"1","q":"3"}' };
    press('Save');
    const dialog = await question();
    within(dialog).getByText('Q');
    within(dialog).getByText('Now: 3');
    within(dialog).getByText('To be saved: 1');
    expect(within(dialog).queryByText('P')).toBeNull();
    answer('Keep editing');
    await waitFor(() => expect(input('Q').value).toBe('3'));
    expect(input('P').value).toBe('2');
  });

  it('compares what is stored where the form begins with something else', async () => {
    await open(began);
    type('Remark', 'mine');
    now = { ...began, remark: 'theirs' };
    press('Save');
    within(await question()).getByText('Now: theirs');
    answer('Keep editing');
    await isGone();
    expect(input('Name').value).toBe('a');
    press('Save');
    await waitFor(() => expect(onSaved).toHaveBeenCalled());
  });
});

describe('the settings', () => {
  const stored = new Map<string, string>();
  let hasToken = false;
  function Settings() {
    const options = useOptions().data;
    return options === undefined ? null : <Fields options={options} />;
  }
  function Fields({ options }: { readonly options: Parameters<typeof useOptionForm>[0] }) {
    const form = useOptionForm(options);
    const keys = ['SystemName', 'Logo', 'SMTPToken', 'ModelRatio'] as const;
    return (
      <>
        {keys.map((key) => (
          <textarea
            key={key}
            aria-label={key}
            value={form.text(key)}
            onChange={(event) => form.set(key, event.currentTarget.value)}
          />
        ))}
        <button type="button" onClick={() => void form.save()}>
          Save
        </button>
      </>
    );
  }
  const writes = () => sent.filter(({ call }) => call.startsWith('PUT'));
  beforeEach(() => {
    hasToken = false;
    stored.clear();
    stored.set('SystemName', 'Site').set('Logo', '').set('ModelRatio', '{}');
    onCall('GET /api/option/', () => [
      ...[...stored].map(([key, value]) => ({ key, value })),
      { key: 'SMTPToken', value: '', configured: hasToken },
    ]);
    onCall('PUT /api/turnpike/option', (body) => {
      for (const { key, value } of (body as { values: { key: string; value: string }[] }).values)
        stored.set(key, value);
    });
  });
  const open = async () => {
    show(<Settings />, '/setting');
    await screen.findByLabelText('SystemName');
  };

  it('ask about an option that others changed, and show what they saved', async () => {
    await open();
    type('SystemName', 'Mine');
    stored.set('SystemName', 'Theirs').set('Logo', '/logo.png');
    press('Save');
    const dialog = await question();
    within(dialog).getByText('System name');
    within(dialog).getByText('Now: Theirs');
    within(dialog).getByText('To be saved: Mine');
    answer('Keep editing');
    await waitFor(() => expect(input('Logo').value).toBe('/logo.png'));
    expect(input('SystemName').value).toBe('Mine');
    expect(writes()).toEqual([]);
    await isGone();
    press('Save');
    await waitFor(() => expect(writes()).toHaveLength(1));
  });

  it('save when told to, and ask nothing where others changed other options', async () => {
    await open();
    type('SystemName', 'Mine');
    stored.set('SystemName', 'Theirs');
    press('Save');
    await question();
    answer('Save anyway');
    await waitFor(() => expect(writes()).toHaveLength(1));
    await waitFor(() => expect(input('SystemName').value).toBe('Mine'));
    await isGone();
    type('Logo', '/mine.png');
    stored.set('SystemName', 'Theirs');
    press('Save');
    await waitFor(() => expect(writes()).toHaveLength(2));
  });

  it('ask about a secret that is stored by now, without its value', async () => {
    await open();
    type('SMTPToken', 'secret-mine');
    hasToken = true;
    press('Save');
    const dialog = await question();
    within(dialog).getByText('SMTP password');
    expect(dialog.textContent).not.toContain('secret-mine');
  });

  it('show long values from where they differ', async () => {
    const table = (price: number) =>
      Object.fromEntries(
        Array.from({ length: 50 }, (_, at) => [`model-${at}`, at === 40 ? price : 1]),
      );
    stored.set('ModelRatio', JSON.stringify(table(1)));
    await open();
    type('ModelRatio', JSON.stringify(table(2), null, 2));
    stored.set('ModelRatio', JSON.stringify(table(3)));
    press('Save');
    const dialog = await question();
    expect(dialog.textContent).toContain('"model-40": 3');
    expect(dialog.textContent).toContain('"model-40": 2');
    expect(dialog.textContent).not.toContain('model-10');
  });
});

test('every form reads what is stored again before it saves', () => {
  const forms = readdirSync('src/ui/routes', { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => ({ name, text: readFileSync(`src/ui/routes/${name}`, 'utf8') }))
    .filter(({ text }) => /\buseEntityForm\b.*\(/.test(text));
  expect(forms.map(({ name }) => name).sort()).toEqual([
    'budget/budget-drawer.tsx',
    'channel/tag-drawer.tsx',
    'channel/use-channel-form.ts',
    'model-square-management/entry-drawer.tsx',
    'redemption/redemption-drawer.tsx',
    'token/token-drawer.tsx',
    'user/user-drawer.tsx',
  ]);
  for (const { name, text } of forms)
    expect(text, name).toMatch(
      /reread:[^,]*async \(\) =>[^;]*client\.|reread:.*loadEntry|reread: async/s,
    );
});
