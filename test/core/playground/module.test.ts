// Covers src/core/playground, src/server/handlers/playground.ts, src/core/contract/playground.ts, src/core/storage/repositories/playground-item-repository.ts.
import { randomUUID } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { createTestApp } from '../../support/app.ts';
import { newMigratedFile } from '../../support/migrated-file.ts';

const [a, b] = [randomUUID(), randomUUID()];

test('prompts are kept, replaced and deleted, each user’s apart', async () => {
  const { as, addUser, clock } = await createTestApp();
  const ann = await as(await addUser('ann'));
  const bob = await as(await addUser('bob'));
  await ann.playground.putPrompt({ id: a, name: ' Poem ', text: 'Write a poem.' });
  clock.move(1000);
  await ann.playground.putPrompt({ id: b, name: '诗', text: '写一首诗。' });
  await bob.playground.putPrompt({ id: a, name: 'Bob’s', text: 'Mine.' });
  expect(await ann.playground.prompts()).toMatchObject([
    { id: b, name: '诗', text: '写一首诗。' },
    { id: a, name: 'Poem', text: 'Write a poem.' },
  ]);
  clock.move(1000);
  await ann.playground.putPrompt({ id: a, name: 'Song', text: 'Write a song.' });
  expect(await ann.playground.prompts()).toMatchObject([{ id: a, name: 'Song' }, { id: b }]);
  await ann.playground.removePrompt({ id: a });
  await expect(ann.playground.removePrompt({ id: a })).rejects.toMatchObject({ code: 'not_found' });
  expect(await ann.playground.prompts()).toMatchObject([{ id: b }]);
  expect(await bob.playground.prompts()).toMatchObject([{ id: a, text: 'Mine.' }]);
  for (const wrong of [
    { id: a, name: ' ', text: 't' },
    { id: a, name: 'n', text: '' },
    { id: a, name: 'n', text: 'x'.repeat(20_001) },
    { id: 'a', name: 'n', text: 't' },
  ])
    await expect(ann.playground.putPrompt(wrong)).rejects.toMatchObject({
      code: 'invalid_parameter',
    });
});

test('beyond the limits nothing more is kept, and what is there can be replaced', async () => {
  const { app, as, addUser } = await createTestApp();
  const id = await addUser('ann');
  const ann = await as(id);
  const ids = Array.from({ length: 200 }, () => randomUUID());
  for (const itemId of ids)
    await app.storage.playgroundItems.put({
      userId: id,
      kind: 'prompt',
      itemId,
      size: 1,
      changedAt: 1,
      content: '{}',
    });
  const prompt = { name: 'n', text: 't' };
  await expect(ann.playground.putPrompt({ id: a, ...prompt })).rejects.toMatchObject({
    code: 'playground_full',
  });
  await ann.playground.putPrompt({ id: ids[0] ?? '', ...prompt });

  await ann.self.updateSetting({ playground_history: true });
  const chat = { userId: id, kind: 'chat', itemId: b, changedAt: 1, content: '{}' } as const;
  await app.storage.playgroundItems.put({ ...chat, size: 19_999_999 });
  await expect(ann.playground.putChat({ id: a, content: '{}' })).rejects.toMatchObject({
    code: 'playground_full',
    message: expect.stringContaining('20 MB'),
  });
  await ann.playground.putChat({ id: b, content: '{"messages":[]}' });
  await ann.playground.putChat({ id: a, content: '{}' });
});

test('conversations are kept only while their user wants it, sealed, and end with the account', async () => {
  const file = await newMigratedFile();
  const { app, as, addUser, operator } = await createTestApp({ SQLITE_PATH: file.path });
  const id = await addUser('ann');
  const ann = await as(id);
  const keep = (name: string) => ann.playground.putChat({ id: name, content: '"the secret"' });
  await expect(keep(a)).rejects.toMatchObject({ code: 'chat_history_off' });
  await ann.self.updateSetting({ playground_history: true });
  await keep(a);
  await keep(b);
  await ann.playground.putPrompt({ id: a, name: 'n', text: 'the secret' });
  expect(await ann.playground.chats()).toHaveLength(2);
  await ann.playground.removeChat({ id: b });
  expect(await ann.playground.chats()).toMatchObject([{ id: a, content: '"the secret"' }]);

  const rows = () => {
    using database = new DatabaseSync(file.path, { readOnly: true });
    return database.prepare('select * from playground_items').all();
  };
  expect(rows()).toHaveLength(2);
  expect(JSON.stringify(rows())).not.toContain('secret');

  await ann.self.updateSetting({ playground_history: false });
  expect(await ann.playground.chats()).toEqual([]);
  await expect(keep(a)).rejects.toMatchObject({ code: 'chat_history_off' });
  await ann.self.updateSetting({ playground_history: true });
  await keep(a);
  await operator.user.remove({ id });
  expect(rows()).toEqual([]);
  await expect(app.playground.put(id, 'prompt', a, '{}')).rejects.toMatchObject({
    code: 'not_found',
  });
});
