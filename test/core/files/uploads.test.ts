// Covers src/core/files/store.

import { mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { emptyEntry } from '../../../src/core/catalog/model-square.ts';
import { systemIds } from '../../../src/core/config/system-ids.ts';
import { createLocalStore } from '../../../src/core/files/store/local-store.ts';
import { codeOf } from '../../support/app.ts';
import { chunksOf, makeJpeg, makePng } from '../../support/images.ts';
import { createFilesApp, fileOf } from './files-app.ts';

const png = makePng({ width: 300, height: 240 });
const week = 7 * 86_400_000;

describe('expiry of uploads', () => {
  it('deletes images after seven days, but not those that a model or an unfinished task shows', async () => {
    const { app, files, addUser, clock, run, stored } = await createFilesApp();
    const ann = await addUser('ann');
    const [plain, logo, ordered] = await files.saveImages(ann, [
      fileOf(png),
      fileOf(png),
      fileOf(png),
    ]);
    await app.storage.modelSquare.insert({
      ...emptyEntry,
      model: 'm',
      icon: logo?.url ?? '',
    });
    const task = await app.storage.tasks.insert({
      userId: ann,
      taskId: 'task_1',
      platform: 'ali',
      createdAt: 1,
      status: 'QUEUED',
      progress: '20%',
      properties: JSON.stringify({ input: { img_url: `https://gw.example${ordered?.url}` } }),
    });
    await run('clean-uploads');
    expect(stored().length).toBe(3);
    clock.move(week + 1000);
    await run('clean-uploads');
    expect(stored().length).toBe(2);
    expect(stored().some((name) => plain?.url.endsWith(name))).toBe(false);
    await app.storage.tasks.update(task, 'QUEUED', { status: 'SUCCESS', progress: '100%' });
    clock.move(86_400_000 + 1000);
    await run('clean-uploads');
    expect(stored().map((name) => logo?.url.endsWith(name))).toEqual([true]);
    expect(await app.storage.uploads.sumBytes(ann)).toBe(png.length);
  });

  it('deletes the others where one cannot be deleted, and that one once it can', async () => {
    const { files, addUser, clock, run, stored, moduleWith, folder } = await createFilesApp();
    const ann = await addUser('ann');
    await files.saveImages(ann, [fileOf(png), fileOf(png)]);
    clock.move(week + 1000);
    const local = createLocalStore(folder, systemIds);
    let refusals = 1;
    const store: typeof local = {
      ...local,
      delete: async (path) => {
        if (refusals-- > 0) throw new Error('EPERM');
        return local.delete(path);
      },
    };
    const clean = moduleWith(store).jobs?.find(({ name }) => name === 'clean-uploads');
    await expect(clean?.run(new AbortController().signal)).rejects.toThrow(
      '1 files could not be deleted, first: Error: EPERM',
    );
    expect(stored()).toHaveLength(1);
    await run('clean-uploads');
    expect(stored()).toEqual([]);
  });

  it.each(['removes the user', 'deactivates the user', 'leaves'] as const)(
    'deletes the files with the account: somebody %s',
    async (how) => {
      const { app, addUser, operator, as, stored } = await createFilesApp();
      const [ann, ben] = [await addUser('ann'), await addUser('ben')];
      await app.files.saveImages(ann, [fileOf(png)]);
      const [kept] = await app.files.saveImages(ben, [fileOf(png)]);
      if (how === 'leaves') await (await as(ann)).self.remove();
      else if (how === 'removes the user') await operator.user.remove({ id: ann });
      else await operator.user.manage({ id: ann, action: 'delete' });
      expect(stored().map((name) => kept?.url.endsWith(name))).toEqual([true]);
    },
  );

  it('deletes what a process left that died while it received a file, and nothing that is still being written', async () => {
    const { folder, run, clock } = await createFilesApp();
    const drafts = join(folder, 'drafts');
    mkdirSync(drafts);
    for (const [name, age] of [
      ['old', 4000],
      ['new', 100],
    ] as const) {
      writeFileSync(join(drafts, name), 'x');
      utimesSync(join(drafts, name), clock.now() / 1000 - age, clock.now() / 1000 - age);
    }
    await run('clean-uploads');
    expect(readdirSync(drafts)).toEqual(['new']);
  });
});

describe('the folder', () => {
  it('is readable by its owner only, and takes no path but those of stored files', async () => {
    const { files, addUser, folder } = await createFilesApp();
    const [image] = await files.saveImages(await addUser('ann'), [fileOf(png)]);
    const place = join(folder, image?.url.replace('/uploads/', '') ?? '');
    expect(statSync(place).mode & 0o777).toBe(0o600);
    expect(statSync(join(place, '..')).mode & 0o777).toBe(0o700);
    const store = createLocalStore(folder, systemIds);
    expect(await store.open('../secret.json')).toBeNull();
    expect(await store.read('2026/11/../../../secret.json')).toBeNull();
    expect(() => store.delete('../secret.json')).toThrow('internal_error');
  });

  it('says that it is full, and leaves neither files nor rows', async () => {
    const full = Object.assign(new Error('write'), { code: 'ENOSPC' });
    const { app, addUser, folder, stored, moduleWith } = await createFilesApp();
    const store = createLocalStore(folder, systemIds);
    const breaking = async function* () {
      yield Buffer.from('x');
      throw full;
    };
    expect(await codeOf(store.receive(breaking(), 10))).toBe('storage_full');
    let commits = 0;
    const { services } = moduleWith({
      ...store,
      receive: async (source, limit) => {
        const draft = await store.receive(source, limit);
        const commit = (path: string) =>
          ++commits === 2 ? Promise.reject(full) : draft.commit(path);
        return { ...draft, commit };
      },
    });
    await expect(
      services.saveImages(await addUser('ann'), [fileOf(png), fileOf(png)]),
    ).rejects.toBe(full);
    expect(stored()).toEqual([]);
    expect(await app.storage.uploads.sum()).toEqual({ files: 0, bytes: 0 });
  });
});

describe('images for upstreams', () => {
  it('sends uploads as data, transparent ones on white, whatever host their address names', async () => {
    const { files, addUser } = await createFilesApp();
    const ann = await addUser('ann');
    const [plain, clear] = await files.saveImages(ann, [
      fileOf(png),
      fileOf(makePng({ width: 300, height: 240, colorType: 6 })),
    ]);
    const sent = await files.forUpstream(ann, `https://old.example${plain?.url}`);
    expect(sent).toEqual({
      url: `https://old.example${plain?.url}`,
      sent: `data:image/png;base64,${png.toString('base64')}`,
    });
    const { sent: white } = await files.forUpstream(ann, clear?.url ?? '');
    const bytes = Buffer.from(white.split(',')[1] ?? '', 'base64');
    expect(chunksOf(bytes)[0]?.[1][9]).toBe(2);
  });

  it('stores data as an upload of the user, and names that', async () => {
    const { app, files, addUser } = await createFilesApp();
    const ann = await addUser('ann');
    const jpeg = makeJpeg({ width: 300, height: 300 });
    const { url, sent } = await files.forUpstream(
      ann,
      `data:image/webp;base64,${jpeg.toString('base64')}`,
    );
    expect(url).toMatch(/^https:\/\/gw\.example\/uploads\/.*\.jpg$/);
    expect(sent).toBe(`data:image/jpeg;base64,${jpeg.toString('base64')}`);
    expect(await app.storage.uploads.sumBytes(ann)).toBe(jpeg.length);
  });

  it('sends data that cannot be stored any more, and refuses data that is no image before it is stored', async () => {
    const { app, files, addUser, stored } = await createFilesApp();
    const ann = await addUser('ann');
    const data = (bytes: Buffer) => `data:image/png;base64,${bytes.toString('base64')}`;
    expect(await codeOf(files.forUpstream(ann, data(makePng({ width: 100, height: 300 }))))).toBe(
      'image_sides_invalid',
    );
    expect(await codeOf(files.forUpstream(ann, data(Buffer.from('<svg/>'))))).toBe(
      'image_type_unsupported',
    );
    const large = Buffer.concat([png, Buffer.alloc(10 * 1024 * 1024)]);
    expect(await codeOf(files.forUpstream(ann, data(large)))).toBe('file_too_large');
    const row = {
      userId: ann,
      path: 'x',
      mime: '',
      bytes: 200 * 1024 * 1024,
      width: 1,
      height: 1,
      sha256: '',
      createdAt: 1,
    };
    await app.storage.uploads.insert({ ...row, expiresAt: null });
    expect(await files.forUpstream(ann, data(png))).toEqual({ url: '', sent: data(png) });
    expect(stored()).toEqual([]);
  });

  it('leaves addresses elsewhere alone, if they are public', async () => {
    const { files } = await createFilesApp();
    const public_ = 'https://images.example/cat.png?x=1';
    expect(await files.forUpstream(1, public_)).toEqual({ url: public_, sent: public_ });
    expect(await codeOf(files.forUpstream(1, 'http://169.254.169.254/latest'))).toBe(
      'address_not_allowed',
    );
    expect(await codeOf(files.forUpstream(1, 'http://images.example:22/x.png'))).toBe(
      'address_not_allowed',
    );
    expect(await codeOf(files.forUpstream(1, 'file:///etc/passwd'))).toBe('address_not_allowed');
    expect(await codeOf(files.forUpstream(1, `https://images.example/${'x'.repeat(2048)}`))).toBe(
      'invalid_parameter',
    );
    expect(await codeOf(files.forUpstream(1, 'data:image/png,abc'))).toBe('invalid_parameter');
  });

  it('refuses sides that video models do not take, and uploads that are gone', async () => {
    const { files, addUser } = await createFilesApp();
    const ann = await addUser('ann');
    const [small] = await files.saveImages(ann, [fileOf(makePng({ width: 239, height: 400 }))]);
    expect(await codeOf(files.forUpstream(ann, small?.url ?? ''))).toBe('image_sides_invalid');
    expect(await codeOf(files.forUpstream(ann, `/uploads/2026/11/${'a'.repeat(32)}.png`))).toBe(
      'upload_not_found',
    );
  });
});
