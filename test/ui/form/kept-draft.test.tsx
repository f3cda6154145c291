// @vitest-environment happy-dom
// Covers src/ui/form.
/** What was typed when the login expired (docs/rules/console.md#expired-drafts). */
import { readdirSync, readFileSync } from 'node:fs';
import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { describe, expect, it, test } from 'vitest';
import { forgetUser, storeUser } from '../../../src/ui/client/session.ts';
import { useEntityForm } from '../../../src/ui/form/use-entity-form.ts';
import { useOptionForm } from '../../../src/ui/form/use-option-form.ts';
import { ChatStore } from '../../../src/ui/routes/playground/chat/chat-store.ts';
import { Composer } from '../../../src/ui/routes/playground/chat/composer.tsx';
import { prepareConsole, show } from '../support/render.tsx';

prepareConsole();

const signIn = (id: number) => {
  const texts = { username: 'ann', display_name: '', nickname: '', portrait: '', group: 'default' };
  storeUser({ id, role: 100, status: 1, ...texts });
};

function Thing({ remark = 'old' }: { readonly remark?: string }) {
  const form = useEntityForm({
    creating: false,
    before: { name: 'a', key: '', remark },
    reread: undefined,
    check: () => ({}),
    save: async () => undefined,
    onSaved: () => undefined,
    fieldOf: () => undefined,
  });
  return (
    <>
      <input
        aria-label="field"
        value={form.values.key}
        onChange={(event) => form.set('key', event.currentTarget.value)}
      />
      <p>{form.values.remark}</p>
    </>
  );
}

function Settings() {
  const options = {
    texts: new Map([['SystemName', 'Site']]),
    defaults: new Map(),
    stored: new Set(),
  } as unknown as Parameters<typeof useOptionForm>[0];
  const form = useOptionForm(options);
  return (
    <input
      aria-label="field"
      value={form.text('SystemName')}
      onChange={(event) => form.set('SystemName', event.currentTarget.value)}
    />
  );
}

function Chat() {
  const nothing = () => undefined;
  const store = new ChatStore({
    userId: 1,
    history: { chats: [], settings: {} },
    defaultSystem: '',
    ask: async () => undefined,
    findFile: async () => undefined,
    findCharge: async () => undefined,
    onCharged: nothing,
  });
  return (
    <Composer
      {...{ store, isFirst: true, isBusy: false, context: 0, onWrite: nothing, onStop: nothing }}
      model={{ model: 'm', reads: [] }}
      onSend={() => true}
    />
  );
}

const field = () => screen.getAllByRole<HTMLInputElement>('textbox')[0] as HTMLInputElement;
const type = (text: string) => fireEvent.change(field(), { target: { value: text } });
const leave = (because?: 'expired') =>
  act(() => {
    forgetUser(because);
    cleanup();
  });

describe.each([
  ['a drawer', () => <Thing />, '/channel?edit=5', '/channel?edit=6', ''],
  ['the settings', () => <Settings />, '/setting?tab=system', '/other', 'Site'],
  ['the playground', () => <Chat />, '/playground', '/playground/image', ''],
] as const)('what was typed in %s', (_, element, place, elsewhere, empty) => {
  it('is there again after the login has expired, for the same user at the same place, once', () => {
    signIn(1);
    show(element(), place);
    expect(field().value).toBe(empty);
    type('typed');
    leave('expired');
    signIn(1);
    show(element(), elsewhere);
    expect(field().value).toBe(empty);
    cleanup();
    show(element(), place);
    expect(field().value).toBe('typed');
    cleanup();
    show(element(), place);
    expect(field().value).toBe(empty);
  });

  it('is forgotten at a sign-out and for another user', () => {
    signIn(1);
    show(element(), place);
    type('typed');
    leave();
    signIn(1);
    show(element(), place);
    expect(field().value).toBe(empty);
    type('typed');
    leave('expired');
    signIn(2);
    show(element(), place);
    expect(field().value).toBe(empty);
    leave();
    signIn(1);
    show(element(), place);
    expect(field().value).toBe(empty);
  });
});

test('only the fields that were typed in are kept: others may have changed meanwhile', () => {
  signIn(1);
  show(<Thing />, '/channel?edit=7');
  type('sk-new');
  leave('expired');
  signIn(1);
  show(<Thing remark="of another administrator" />, '/channel?edit=7');
  expect(field().value).toBe('sk-new');
  expect(screen.getByText('of another administrator')).toBeTruthy();
});

test('nothing of it is in the storage of the browser', () => {
  signIn(1);
  show(<Thing />, '/channel?edit=8');
  type('sk-secret');
  leave('expired');
  expect(JSON.stringify({ ...localStorage, ...sessionStorage })).not.toContain('sk-secret');
});

/** Forms that ask nothing that would be missed, or that keep their text by themselves. */
test('every form that edits something keeps what was typed', () => {
  const files = readdirSync('src/ui', { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => ({ name, text: readFileSync(`src/ui/${name}`, 'utf8') }));
  const forms = files.filter(({ text }) => /\buse(Entity|Option)Form\b.*\(/.test(text));
  const kept = files.filter(({ text }) => /\buseKeptDraft</.test(text)).map(({ name }) => name);
  expect(kept.sort()).toEqual([
    'form/kept-draft.ts',
    'form/use-entity-form.ts',
    'form/use-option-form.ts',
    'routes/playground/chat/composer.tsx',
    'routes/playground/image/index.tsx',
    'routes/playground/video/index.tsx',
  ]);
  expect(forms.map(({ name }) => name).sort()).toEqual([
    'form/use-entity-form.ts',
    'form/use-option-form.ts',
    'routes/budget/budget-drawer.tsx',
    'routes/channel/tag-drawer.tsx',
    'routes/channel/use-channel-form.ts',
    'routes/model-square-management/entry-drawer.tsx',
    'routes/redemption/redemption-drawer.tsx',
    'routes/setting/use-guarded-form.ts',
    'routes/token/token-drawer.tsx',
    'routes/user/user-drawer.tsx',
  ]);
});
