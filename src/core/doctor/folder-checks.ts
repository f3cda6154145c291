/** The data folder, its files, the key file and the disk. */
import { statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { type Check, problem, warning } from './check.ts';

/** The folder itself and the files in it whose secrets only the operator may read. */
const privateFiles = ['', 'secret.json', 'gateway.json'];

/** Free bytes below which the disk is a problem, and a warning. */
const tightDisk = 256 * 2 ** 20;
const lowDisk = 2 * 2 ** 30;

function modeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.mode;
}

export const folderChecks: readonly Check[] = [
  {
    id: 'permissions',
    title: { en: 'Permissions of the data folder', zh: '数据目录权限' },
    async run({ config }) {
      if (process.platform === 'win32') return [];
      return privateFiles.flatMap((name) => {
        const path = join(config.dataDir, name);
        const mode = modeOf(path);
        if (mode === undefined || (mode & 0o077) === 0) return [];
        const wanted = name === '' ? '700' : '600';
        const message = { en: `${path} can be read by other users`, zh: `其他用户可以读取 ${path}` };
        const mend = { en: `Run: chmod ${wanted} ${path}`, zh: `请执行：chmod ${wanted} ${path}` };
        return [name === '' ? warning(message, mend) : problem(message, mend)];
      });
    },
  },
  {
    id: 'key-file',
    title: { en: 'Key file', zh: '密钥文件' },
    async run({ storage }) {
      try {
        await storage.channels.listAll();
        return [];
      } catch (error) {
        const cause = error instanceof Error ? error.message : String(error);
        return [
          problem(
            { en: `The stored keys cannot be decrypted: ${cause}`, zh: `无法解密已保存的密钥：${cause}` },
            {
              en: 'Restore the secret.json (or CRYPTO_SECRET) with which the database was written',
              zh: '请恢复写入该数据库时所用的 secret.json（或 CRYPTO_SECRET）',
            },
          ),
        ];
      }
    },
  },
  {
    id: 'disk',
    title: { en: 'Free disk space', zh: '磁盘剩余空间' },
    async run({ config, databaseType, storage }) {
      const { bavail, bsize } = await statfs(config.dataDir);
      const free = bavail * bsize;
      const size = databaseType === 'sqlite' ? (await storage.diagnosis.read()).size : 0;
      if (free > lowDisk && free > size) return [];
      const megabytes = Math.floor(free / 2 ** 20);
      const find = free < tightDisk ? problem : warning;
      return [
        find(
          {
            en: `${megabytes} MB are free on the disk of ${config.dataDir}`,
            zh: `${config.dataDir} 所在磁盘仅剩 ${megabytes} MB`,
          },
          {
            en: 'Free or add space, or delete old logs with turnpike logs prune; a full disk stops billing, and a backup needs room for a copy',
            zh: '请清理或扩容磁盘，或用 turnpike logs prune 删除旧日志；磁盘写满会使计费停止，备份也需要容纳一份副本',
          },
        ),
      ];
    },
  },
];
