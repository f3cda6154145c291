/** The core with a folder for files that is deleted after the test. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFilesModule } from '../../../src/core/files/module.ts';
import type { FileStore } from '../../../src/core/files/store/file-store.ts';
import { silentLogger } from '../../../src/core/kernel/logger.ts';
import { readPrivate } from '../../../src/core/tasks/task-private.ts';
import { readGuardPolicy } from '../../../src/core/upstream/guard.ts';
import { createTestApp } from '../../support/app.ts';
import { afterEachTest } from '../../support/hooks.ts';

const folders: string[] = [];
afterEachTest(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

export async function createFilesApp(environment: Record<string, string> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-files-'));
  folders.push(folder);
  const created = await createTestApp({
    UPLOAD_DIR: folder,
    STORE_TASK_RESULTS: 'true',
    ...environment,
  });
  const { app, clock } = created;
  const moduleWith = (store?: FileStore) =>
    createFilesModule({
      ...app,
      ...(store !== undefined && { store }),
      logger: silentLogger,
      guard: readGuardPolicy(app.config),
      baseUrl: () => 'https://gw.example',
      sourceOf: ({ privateData }) => readPrivate(privateData).result_url ?? '',
      isIcon: (address) => app.catalog.square.hasIcon(address),
    });
  const module = moduleWith();
  const run = async (name: string, signal = new AbortController().signal) =>
    module.jobs?.find((job) => job.name === name)?.run(signal);
  const stored = () =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => entry.name);
  return { ...created, clock, folder, files: module.services, moduleWith, run, stored };
}

/** A file as a caller sends it. */
export function fileOf(bytes: Buffer, name = 'photo.png') {
  return { name, stream: () => new Blob([new Uint8Array(bytes)]).stream() };
}
