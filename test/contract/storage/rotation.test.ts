import { expect, test } from 'vitest';
import { toQuota } from '../../../src/core/kernel/quota.ts';
import { Secret } from '../../../src/core/kernel/secret.ts';
import { rotateStorageSecrets } from '../../../src/core/storage/open.ts';
import { forEachEngine, testMasterKey } from '../../support/storage.ts';

const newMasterKey = Buffer.from('the next master key');

forEachEngine('another master key', (engine) => {
  test.skipIf(engine.name === 'sqlite in memory')(
    'decrypts everything after the rotation, which is all or nothing',
    async () => {
      const url = await engine.freshUrl();
      const before = await engine.open({ url });
      const user = {
        username: 'ann',
        passwordHash: new Secret(''),
        role: 1,
        status: 1,
        group: 'default',
        createdAt: 1,
      };
      const id = await before.users.insert({ ...user, setting: '{"webhook_secret":"w"}' });
      await before.users.insert({ ...user, username: 'bob' });
      await before.tokens.insert({
        userId: id,
        key: new Secret('tokenkey'),
        name: 't',
        createdTime: 1,
      });
      const [channel = 0] = await before.channels.insertMany([
        { type: 1, key: new Secret('ck'), name: 'c', models: 'm', createdTime: 1 },
      ]);
      await before.options.set({ key: 'SMTPToken', value: 'hidden', hidden: true });
      await before.options.set({ key: 'SystemName', value: 'shown', hidden: false });
      const task = await before.tasks.insert({
        userId: id,
        taskId: 'task_a',
        platform: 'suno',
        createdAt: 1,
        privateData: '{"key":"k"}',
      });

      const drawing = await before.midjourneys.insert({
        userId: id,
        action: 'IMAGINE',
        submitTime: 1,
        privateData: '{"key":"d"}',
      });
      await before.redemptions.insertMany([
        { userId: 1, key: new Secret('code'), name: 'n', quota: toQuota(1), createdTime: 1 },
      ]);
      await before.storedResponses.insertMany([
        {
          userId: id,
          responseId: 'resp_1',
          previousId: '',
          conversation: '',
          channelId: 1,
          healthKey: '1.a',
          held: false,
          model: 'm',
          status: 'completed',
          tokens: 5,
          inputSize: 2,
          responseSize: 2,
          createdAt: 1,
          expiresAt: 9,
          input: '"a"',
          response: '{}',
          itemIds: [],
        },
      ]);

      const events = { userId: id, responseId: 'resp_2' };
      await before.backgroundResponses.begin(
        {
          ...events,
          previousId: '',
          conversation: '',
          channelId: 0,
          healthKey: '',
          held: false,
          model: 'm',
          status: 'queued',
          tokens: 0,
          inputSize: 0,
          responseSize: 0,
          itemIds: [],
          createdAt: 1,
          expiresAt: 9,
          input: '',
          response: '',
        },
        { owner: 'o', streamed: true, leaseUntil: 9 },
        { most: 1, now: 1 },
      );
      await before.backgroundResponses.addEvents({
        ...events,
        firstNumber: 0,
        lastNumber: 0,
        events: '[]',
      });
      const conversation = { userId: id, conversationId: 'conv_1' };
      await before.conversations.insert({
        ...conversation,
        metadata: '{"topic":"a"}',
        createdAt: 1,
        expiresAt: 9,
      });
      const items = [{ itemId: 'msg_1', size: 3, item: '"i"' }];
      await before.conversations.append(conversation, 0, { items, expiresAt: 9 });
      const shelf = { userId: id, kind: 'chat' } as const;
      const kept = { ...shelf, itemId: 'a', size: 2, changedAt: 1, content: '{}' };
      await before.playgroundItems.put(kept);
      await before.secondFactors.putTotp(id, new Secret('TOTPSECRET'), 1);

      const wrong = rotateStorageSecrets({
        url,
        masterKey: Buffer.from('wrong'),
        newMasterKey,
        now: 1,
      });
      await expect(wrong).rejects.toMatchObject({ code: 'internal_error' });
      expect((await before.tokens.listAfter(0, 9)).map(({ key }) => key.reveal())).toEqual([
        'tokenkey',
      ]);

      const report = await rotateStorageSecrets({
        url,
        masterKey: testMasterKey,
        newMasterKey,
        now: 1,
      });
      expect(report).toEqual({
        tokens: 1,
        channels: 1,
        options: 1,
        users: 1,
        tasks: 1,
        drawings: 1,
        redemptions: 1,
        storedResponses: 1,
        responseEvents: 1,
        conversations: 2,
        playgroundItems: 1,
        totpSecrets: 1,
      });
      // The attempt with a wrong key left none.
      const { items: audited } = await before.auditLogs.page({}, { offset: 0, limit: 9 });
      expect(audited).toMatchObject([
        { action: 'site.rotate_keys', actorId: 0, createdAt: 1, detail: JSON.stringify(report) },
      ]);
      expect((await before.options.list()).some(({ unreadable }) => unreadable)).toBe(true);

      const after = await engine.open({ url, masterKey: newMasterKey });
      expect(
        (await after.tokens.findByKeyHash(after.tokens.hashKey('tokenkey')))?.key.reveal(),
      ).toBe('tokenkey');
      expect((await after.channels.find(channel))?.key.reveal()).toBe('ck');
      expect((await after.redemptions.findByKey('code'))?.key.reveal()).toBe('code');
      expect(await after.options.find('SMTPToken')).toMatchObject({ value: 'hidden' });
      expect(await after.users.find(id)).toMatchObject({ setting: '{"webhook_secret":"w"}' });
      expect(
        (await after.storedResponses.readContents(id, ['resp_1'], 'response')).get('resp_1'),
      ).toBe('{}');
      expect(await after.backgroundResponses.listEvents(events, -1, 1)).toMatchObject([
        { events: '[]' },
      ]);
      expect(await after.conversations.find(conversation, 1)).toMatchObject({
        metadata: '{"topic":"a"}',
      });
      expect(await after.conversations.readItems(conversation)).toEqual(items);
      expect(await after.playgroundItems.list(shelf)).toEqual([kept]);
      expect((await after.secondFactors.findTotp(id))?.secret.reveal()).toBe('TOTPSECRET');
      expect(await after.tasks.find(task)).toMatchObject({ privateData: '{"key":"k"}' });
      expect(await after.midjourneys.find(drawing)).toMatchObject({ privateData: '{"key":"d"}' });
    },
  );
});
